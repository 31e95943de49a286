/** What a run asks of the real machine although it must not. */
const trespasses: string[] = []

const realImmediate = setImmediate
const queue: (() => void)[] = []

const forbidden = (name: string) => (): never => {
  const error = new Error(`${name} was used while time was virtual`)
  trespasses.push(error.stack ?? error.message)
  throw error
}

/** Sets what belongs to the real machine aside: from now on nothing may wait for real time or ask the real network. */
export function takeOverGlobals(): void {
  Object.assign(globalThis, {
    setTimeout: forbidden('setTimeout'),
    setInterval: forbidden('setInterval'),
    fetch: forbidden('fetch'),
    setImmediate: (callback: (...values: unknown[]) => void, ...values: unknown[]) => {
      queue.push(() => callback(...values))
    },
  })
  Math.random = forbidden('Math.random')
  AbortSignal.timeout = forbidden('AbortSignal.timeout')
  AbortSignal.any = anyOf
}

/** The platform's own keeps everything that a program has at hand for good, once it has died while it waited. */
function anyOf(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  }
  return controller.signal
}

const turn = (): Promise<void> => new Promise((resolve) => realImmediate(() => resolve()))

/**
 * Resolves when nothing goes on by itself any more: all promises are settled and all streams have been read that can be
 * without an event. Nothing that the server is made of waits for other threads here, so a turn of the loop in which
 * nothing was asked for proves it.
 */
export async function settle(): Promise<void> {
  for (;;) {
    await turn()
    if (queue.length === 0) return
    for (const callback of queue.splice(0)) callback()
  }
}

/** Throws where the program has used real time, real chance or the real network since the last call. */
export function refuseTrespasses(): void {
  const [first] = trespasses.splice(0)
  if (first !== undefined) throw new Error(first)
}
