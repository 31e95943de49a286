import type { Refusal } from '../errors.ts'

/** How much is done at a time, how many more may wait for their turn, and what the others hear. */
interface Turns {
  readonly atOnce: number
  readonly mayWait: number
  readonly refusal: () => Refusal
}

/** Has work wait for its turn, in the order in which it came; refuses it where too many wait already. */
export function createTurns({ atOnce, mayWait, refusal }: Turns): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (working >= atOnce) {
      if (waiting.length >= mayWait) throw refusal()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else working += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working -= 1
    }
  }
}
