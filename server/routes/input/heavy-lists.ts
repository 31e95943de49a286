import { setImmediate as letOthersWork } from 'node:timers/promises'
import { Refusal } from '../../errors.ts'
import { createTurns } from '../../resource/turns.ts'

/** Lists of orders, and of positions with what can be printed of them, are the heaviest reads: they wait for each other. */
export const inListTurn = createTurns({
  atOnce: 2,
  mayWait: 100,
  refusal: () =>
    new Refusal(
      429,
      { detail: 'Too many lists of orders are asked for at once. Please try again in a moment.' },
      { 'Retry-After': '5' },
    ),
})

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
