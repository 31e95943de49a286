import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { createTurns } from '../../resource/turns.ts'
import { waitingOf } from './heavy-lists.ts'

/** Orders of so many positions are made as quickly as others are looked at. */
const light = 50

/** A scan that has just arrived is read, carried out and answered within so many turns of the event loop. */
const turnsOfScan = 6

async function letScansPass(): Promise<void> {
  for (let turn = 0; turn < turnsOfScan; turn += 1) await turnOfLoop()
}

const inTurn = createTurns({
  atOnce: 1,
  mayWait: 100,
  refusal: () =>
    new Refusal(
      429,
      { detail: 'Too many large orders are made at once. Please try again in a moment.' },
      { 'Retry-After': '5' },
    ),
})

/** Large orders are made one after the other; at each pause, scans that came meanwhile go first. */
export const inOrderTurn = <T>(
  scope: Scope,
  body: unknown,
  work: (pause: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  isHeavy(body) ? inTurn(() => work(letScansPass), waitingOf(scope)) : work(() => Promise.resolve())

const isHeavy = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'positions' in body &&
  Array.isArray(body.positions) &&
  body.positions.length > light
