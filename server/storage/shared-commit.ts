import type { Closing, Queryable, TurnOfTransaction } from './database.ts'

/** Tells a caller what became of a transaction. */
export type Acknowledge = () => void

/** One of the transactions that share a commit. */
export interface Unit {
  /** Does its work; what to tell its caller once the commit is durable. */
  readonly carryOut: (tx: Queryable, endings: Endings) => Promise<Acknowledge>
  readonly fail: (cause: unknown) => void
}

/** What is done last for all transactions that share a commit: each closing once, with the values of those that want it. */
export class Endings {
  readonly #values = new Map<Closing<unknown>, unknown[]>()

  add<T>(closing: Closing<T>, value: T): void {
    const known = this.#values.get(closing)
    if (known) known.push(value)
    else this.#values.set(closing, [value])
  }

  async carryOut(tx: Queryable): Promise<void> {
    for (const [closing, values] of this.#values) await closing.close(tx, values)
  }
}

/** A transaction that may share its commit, and the promise of what it gives. */
export function unitOf<T>(
  work: (tx: Queryable) => Promise<T>,
  { closing }: TurnOfTransaction<T>,
): { unit: Unit; done: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  return {
    unit: {
      carryOut: async (tx, endings) => {
        const value = await work(tx)
        if (closing) endings.add(closing, value)
        return () => resolve(value)
      },
      fail: reject,
    },
    done: promise,
  }
}
