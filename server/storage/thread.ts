import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads'

/** What a thread says first, before it answers anything. */
interface Loaded {
  readonly kind: 'loaded'
}

/** A thread that works with a database of its own. */
export interface DatabaseThread {
  post(message: unknown): void
  /** Breaks off what it does; resolves once it has ended. */
  end(): Promise<void>
}

/** Who hears of a thread: of its answers, and of its failure or end. */
export interface ThreadListener<Answer> {
  readonly hear: (answer: Answer) => void
  readonly fail: (cause: Error) => void
}

/**
 * Starts a thread that says `sayLoaded` once the driver of its database is loaded. Before that it is not ended: a driver
 * that is cut off while it is loaded ends the whole program.
 */
export function startThread<Answer extends { readonly kind: string }>(
  module: URL,
  options: WorkerOptions,
  { hear, fail }: ThreadListener<Answer>,
): DatabaseThread {
  const worker = new Worker(module, options)
  const { promise: loaded, resolve } = Promise.withResolvers<void>()
  worker.on('message', (message: Answer | Loaded) => {
    if (isLoaded(message)) resolve()
    else hear(message)
  })
  worker.on('error', (cause) => fail(cause instanceof Error ? cause : new Error(String(cause))))
  worker.on('exit', () => {
    resolve()
    fail(new Error('The thread has ended.'))
  })
  return {
    post: (message) => worker.postMessage(message),
    async end() {
      await loaded
      await worker.terminate()
    },
  }
}

const isLoaded = (message: { readonly kind: string }): message is Loaded => message.kind === 'loaded'

/** Says, in such a thread, that the driver of its database is loaded. */
export const sayLoaded = (): void => parentPort?.postMessage({ kind: 'loaded' } satisfies Loaded)
