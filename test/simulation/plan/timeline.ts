import type { Chance } from './chance.ts'

/** Something that will happen. */
interface Due {
  readonly at: number
  readonly tie: number
  readonly order: number
  readonly label: string
  readonly run: () => void
  isCancelled: boolean
}

/** Virtual time: what is due happens in its order, and the time between is not waited for. */
export interface Timeline {
  /** Milliseconds since the beginning. */
  readonly now: number
  /** How many things have happened. */
  readonly happened: number
  /** Has something happen after some milliseconds; the result takes it back. */
  after(milliseconds: number, label: string, run: () => void): () => void
  /** Has something happen at a moment, or now if that has passed. */
  at(time: number, label: string, run: () => void): () => void
  /** The next thing that happens, with the time set to it; undefined where nothing is due up to `until`. */
  next(until: number): { readonly label: string; readonly run: () => void } | undefined
  /** Lets the time pass to a moment at which nothing is due before. */
  rest(until: number): void
}

const isBefore = (a: Due, b: Due): boolean =>
  a.at !== b.at ? a.at < b.at : a.tie !== b.tie ? a.tie < b.tie : a.order < b.order

/** A timeline; what is due at the same moment happens in an order that the seed draws. */
export function createTimeline(chance: Chance): Timeline {
  const heap: Due[] = []
  let now = 0
  let order = 0
  let happened = 0

  function add(due: Due): void {
    let index = heap.push(due) - 1
    while (index > 0) {
      const upstream = (index - 1) >> 1
      const parent = heap[upstream]
      if (!parent || !isBefore(due, parent)) break
      heap[index] = parent
      index = upstream
    }
    heap[index] = due
  }

  function take(): Due | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      const left = heap[child]
      const right = heap[child + 1]
      if (!left) break
      if (right && isBefore(right, left)) child += 1
      const least = right && isBefore(right, left) ? right : left
      if (!isBefore(least, last)) break
      heap[index] = least
      index = child
    }
    heap[index] = last
    return first
  }

  function at(time: number, label: string, run: () => void): () => void {
    // Thousandths of milliseconds, so that adding in another order comes to the same.
    const moment = Math.max(now, Math.round(time * 1000) / 1000)
    order += 1
    const due: Due = { at: moment, tie: chance.below(2 ** 16), order, label, run, isCancelled: false }
    add(due)
    return () => {
      due.isCancelled = true
    }
  }

  return {
    get now() {
      return now
    },
    get happened() {
      return happened
    },
    at,
    after: (milliseconds, label, run) => at(now + Math.max(0, milliseconds), label, run),
    next(until) {
      while (heap[0]?.isCancelled) take()
      if (!heap[0] || heap[0].at > until) return undefined
      const due = take()
      if (!due) return undefined
      now = due.at
      happened += 1
      return due
    },
    rest(until) {
      now = Math.max(now, until)
    },
  }
}
