import { startThread } from '../../storage/thread.ts'
import type { LoadProgress, ReplicaIdentity, SnapshotLoad } from './load-snapshot.ts'
import { Mangled } from './snapshot-lines.ts'

/** What the thread that loads a snapshot is ordered to do; it answers each order once. */
export type LoadOrder =
  | { readonly kind: 'feed'; readonly chunk: Uint8Array }
  | { readonly kind: 'restart' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'check' }
  | { readonly kind: 'close' }

/** What it answers. */
export type LoadAnswer =
  /** With the head the first time only. */
  | { readonly kind: 'progress'; readonly progress: LoadProgress }
  /** While it finishes, how far it is; the answer is still to come. */
  | { readonly kind: 'part'; readonly part: number }
  | { readonly kind: 'dangling'; readonly count: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string; readonly isMangled: boolean }

/** What the thread begins with. `gently` has it work with what time others leave. */
export interface LoadBeginning {
  readonly file: string
  readonly identity: ReplicaIdentity
  readonly gently: boolean
}

/** Loads a snapshot into a new file, in a thread of its own, so that no scan waits for it. */
export function beginLoadInThread(beginning: LoadBeginning): SnapshotLoad {
  let report: (part: number) => void = () => undefined
  let waiting: { resolve: (answer: LoadAnswer) => void; reject: (cause: unknown) => void } | null = null
  let broken: Error | null = null
  /** Sent once, since it is large. */
  let head: LoadProgress['head'] = null

  const breakWith = (cause: Error): void => {
    broken = cause
    waiting?.reject(cause)
    waiting = null
  }
  const thread = startThread<LoadAnswer>(
    new URL('./load-worker.ts', import.meta.url),
    { workerData: beginning },
    {
      hear(answer) {
        if (answer.kind === 'part') return report(answer.part)
        waiting?.resolve(answer)
        waiting = null
      },
      fail: breakWith,
    },
  )

  async function order(what: LoadOrder): Promise<LoadAnswer> {
    const answer = await new Promise<LoadAnswer>((resolve, reject) => {
      if (broken) return reject(broken)
      waiting = { resolve, reject }
      thread.post(what)
    })
    if (answer.kind === 'failed')
      throw answer.isMangled ? new Mangled(answer.message) : new Error(answer.message)
    return answer
  }

  return {
    async feed(chunk) {
      const answer = await order({ kind: 'feed', chunk })
      if (answer.kind !== 'progress') throw new Error('The thread that loads the snapshot answered wrongly.')
      head ??= answer.progress.head
      return { ...answer.progress, head }
    },
    async restart() {
      await order({ kind: 'restart' })
    },
    async finish(listener) {
      report = listener
      await order({ kind: 'finish' })
    },
    async countDangling() {
      const answer = await order({ kind: 'check' })
      return answer.kind === 'dangling' ? answer.count : 0
    },
    async close() {
      await order({ kind: 'close' }).catch(() => undefined)
      await thread.end()
    },
  }
}
