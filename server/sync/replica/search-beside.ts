import { rm } from 'node:fs/promises'
import type { SearchText } from '../../storage/search.ts'
import { startThread } from '../../storage/thread.ts'

/** Makes tickets findable in a file of its own, while their rows are loaded into another one. */
export interface SearchBeside {
  /** Adds words of tickets that have none yet; resolves once more may come. */
  add(texts: readonly SearchText[]): Promise<void>
  /** Puts everything into the copy, which nobody writes to meanwhile. */
  finish(): Promise<void>
  /** Removes the file. */
  close(): Promise<void>
}

/** What the thread gets: words of tickets, place by place the same ones, or that there are no more. */
export type SearchOrder =
  | {
      readonly kind: 'add'
      readonly positions: readonly number[]
      readonly names: readonly string[]
      readonly texts: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly kind: 'finish' }

/** How it answers each of them. */
export interface SearchAnswer {
  readonly kind: 'done'
  readonly failure: string | null
}

/** What the thread begins with. */
export interface SearchBeginning {
  readonly file: string
  /** The file of the copy. */
  readonly into: string
  readonly gently: boolean
}

/** So many orders wait at most: what is read faster than it is made findable shall not fill the memory. */
const mostWaiting = 40

/** Begins such a file, in a thread of its own: it takes as long as everything else of a first load together. */
export function beginSearchBeside(beginning: SearchBeginning): SearchBeside {
  let waiting = 0
  let broken: Error | null = null
  let listener = (): void => {}

  function hear(failure: Error | null): void {
    broken ??= failure
    listener()
  }
  const thread = startThread<SearchAnswer>(
    new URL('./search-worker.ts', import.meta.url),
    { workerData: beginning },
    {
      hear({ failure }) {
        waiting -= 1
        hear(failure === null ? null : new Error(failure))
      },
      fail: hear,
    },
  )

  async function atMost(orders: number): Promise<void> {
    while (waiting > orders && broken === null)
      await new Promise<void>((resolve) => {
        listener = resolve
      })
    if (broken) throw broken
  }

  async function order(what: SearchOrder, left: number): Promise<void> {
    if (broken) throw broken
    waiting += 1
    thread.post(what)
    await atMost(left)
  }

  return {
    add: (texts) =>
      order(
        {
          kind: 'add',
          positions: texts.map(({ position }) => position),
          names: texts.map(({ names }) => names),
          texts: texts.map(({ text }) => text),
          notes: texts.map(({ note }) => note),
        },
        mostWaiting,
      ),
    finish: () => order({ kind: 'finish' }, 0),
    async close() {
      await thread.end()
      for (const suffix of ['', '-journal']) await rm(beginning.file + suffix, { force: true })
    },
  }
}
