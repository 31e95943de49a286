import type { LastStep, Queryable, Timing, TurnOfTransaction } from './database.ts'

/** Tells a caller what became of a transaction. */
export type Acknowledge = () => void

/** One of the transactions that share a commit. */
export interface Unit {
  /** Does its work; what to tell its caller once the commit is durable. */
  readonly carryOut: (tx: Queryable, lastSteps: LastSteps) => Promise<Acknowledge>
  readonly fail: (cause: unknown) => void
}

/** What is done last for all transactions that share a commit: each step once, with the values of those that want it. */
export class LastSteps {
  readonly #values = new Map<LastStep<unknown>, unknown[]>()

  add<T>(lastStep: LastStep<T>, value: T): void {
    const known = this.#values.get(lastStep)
    if (known) known.push(value)
    else this.#values.set(lastStep, [value])
  }

  async carryOut(tx: Queryable): Promise<void> {
    for (const [lastStep, values] of this.#values) await lastStep.carryOut(tx, values)
  }
}

/** A transaction that may share its commit, and the promise of what it gives. Its wait for its turn is measured. */
export function unitOf<T>(
  work: (tx: Queryable) => Promise<T>,
  { lastStep, isUrgent = false }: TurnOfTransaction<T>,
  timing?: Timing,
): { unit: Unit; done: Promise<T> } {
  let endWaiting = timing?.waits(isUrgent ? 'urgent' : 'write')
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  return {
    unit: {
      carryOut: async (tx, lastSteps) => {
        endWaiting?.()
        // What is begun again after a failure waited once.
        endWaiting = undefined
        const value = await work(tx)
        if (lastStep) lastSteps.add(lastStep, value)
        return () => resolve(value)
      },
      fail: reject,
    },
    done: promise,
  }
}
