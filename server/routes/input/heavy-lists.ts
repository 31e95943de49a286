import { setImmediate as letOthersWork } from 'node:timers/promises'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { createTurns, type Waiting } from '../../resource/turns.ts'

/** How many heavy requests of a kind may wait: somebody with many credentials does not take the turns of others. */
const mayWait = { credential: 20, organizer: 40, address: 60 }

const inTurn = createTurns({
  atOnce: 2,
  mayWait: 100,
  refusal: () =>
    new Refusal(
      429,
      { detail: 'Too many lists of orders are asked for at once. Please try again in a moment.' },
      { 'Retry-After': '5' },
    ),
})

/** For whom a heavy request waits: its organizer's turn comes as often as that of any other. */
export function waitingOf({ actor, place, address = '' }: Scope): Waiting {
  const line = `organizer ${place.organizer}`
  return {
    line,
    shares: [
      [`${actor.kind} ${actor.id}`, mayWait.credential],
      [line, mayWait.organizer],
      [`address ${address}`, mayWait.address],
    ],
  }
}

/** Lists of orders, and of positions with what can be printed of them, are the heaviest reads: they wait for each other. */
export const inListTurn = <T>(scope: Scope, work: () => Promise<T>): Promise<T> =>
  inTurn(work, waitingOf(scope))

/** Shows a few rows of a list at a time: scans that came meanwhile go first. */
export async function inSlices<T, R>(
  rows: readonly T[],
  atOnce: number,
  show: (some: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const shown: R[] = []
  for (let first = 0; first < rows.length; first += atOnce) {
    shown.push(...(await show(rows.slice(first, first + atOnce))))
    await letOthersWork()
  }
  return shown
}
