import type { Refusal } from '../errors.ts'

/** How much is done at a time, how many more may wait for their turn, and what the others hear. */
interface Turns {
  readonly atOnce: number
  readonly mayWait: number
  readonly refusal: () => Refusal
}

/** For whom some work waits. */
export interface Waiting {
  /** Lines get their turns one after the other, however long each is. */
  readonly line: string
  /** Who it counts for, and how much for each may wait. */
  readonly shares: readonly (readonly [key: string, mayWait: number])[]
}

const anybody: Waiting = { line: '', shares: [] }

/** Has work wait for its turn, in the order in which it came; refuses it where too many wait already. */
export function createTurns(turns: Turns): <T>(work: () => Promise<T>, from?: Waiting) => Promise<T> {
  const queue = new TurnQueue(turns)
  return async (work, from = anybody) => {
    await queue.turn(from)
    try {
      return await work()
    } finally {
      queue.next()
    }
  }
}

class TurnQueue {
  readonly #turns: Turns
  readonly #lines = new Map<string, (() => void)[]>()
  readonly #waitingFor = new Map<string, number>()
  #working = 0
  #waiting = 0

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** Resolves when it is the turn of some work. */
  async turn({ line, shares }: Waiting): Promise<void> {
    const { atOnce, mayWait, refusal } = this.#turns
    if (this.#working < atOnce) {
      this.#working += 1
      return
    }
    const isFull = shares.some(([key, most]) => (this.#waitingFor.get(key) ?? 0) >= most)
    if (isFull || this.#waiting >= mayWait) throw refusal()
    this.#count(shares, 1)
    await new Promise<void>((resolve) => {
      const queue = this.#lines.get(line) ?? []
      this.#lines.set(line, queue)
      queue.push(() => {
        this.#count(shares, -1)
        resolve()
      })
    })
  }

  /** Gives the turn of work that has ended to the next in line. */
  next(): void {
    const [first] = this.#lines
    if (first === undefined) {
      this.#working -= 1
      return
    }
    const [line, queue] = first
    this.#lines.delete(line)
    const begin = queue.shift()
    if (queue.length > 0) this.#lines.set(line, queue)
    begin?.()
  }

  #count(shares: Waiting['shares'], more: number): void {
    this.#waiting += more
    for (const [key] of shares) {
      const count = (this.#waitingFor.get(key) ?? 0) + more
      if (count > 0) this.#waitingFor.set(key, count)
      else this.#waitingFor.delete(key)
    }
  }
}
