import assert from 'node:assert/strict'
import type { EventTimes, ListFacts, TicketFacts } from '../../../server/domain/rules/facts.ts'
import { validateRules } from '../../../server/domain/rules/rules.ts'
import { goodTicket, openDoors, openList, type Request, tokyo } from '../checkin/door.ts'
import { time } from './words.ts'

/** The list whose rules are told about: product 1, as often as the rules let it. */
export const list: ListFacts = {
  ...openList,
  id: 2,
  all_products: false,
  limit_products: [1],
  allow_multiple_entries: true,
}
const variationTicket: TicketFacts = { ...goodTicket, id: 102, secret: 'variation', variation: 5 }
/** What a station knows of a signed code whose order it does not have. */
const signedTicket: TicketFacts = { ...goodTicket, id: 0, positionid: 0, secret: 'signed' }

/** When a scan happens, on the first day of 2020 unless a day is given, and what comes of it. */
type Step = readonly [when: string, expected: string, request?: Partial<Request>]

/** Rules, and the scans of one code that they meet. */
export interface Story {
  readonly title: string
  readonly rules: unknown
  readonly steps: readonly Step[]
  readonly code?: string
  readonly times?: EventTimes
}

/** What comes of a scan that the rules let in, and of one that they do not. */
export const ok = 'VALID'
export const no = 'RULES'

/** Ten in the evening, in UTC, of the first day of 2020. */
export const cutoff = time('custom', '2020-01-01T22:00:00.000Z')

/** One test per story. */
export function tell(stories: readonly Story[]): void {
  for (const { title, rules, steps, code = 'good', times = tokyo } of stories) {
    it(title, () => {
      assert.deepEqual(validateRules(rules), [])
      const doors = openDoors([goodTicket, variationTicket, signedTicket])
      const lists = [{ ...list, rules }]
      const outcomes = steps.map(([when, , request]) =>
        doors.scan(code, { lists, times, at: instant(when), ...request }),
      )
      assert.deepEqual(
        outcomes,
        steps.map(([, expected]) => expected),
      )
    })
  }
}

/** The instant of a time on the first day of 2020, or of a day and a time. */
export function instant(when: string): string {
  return `${when.includes('T') ? '' : '2020-01-01T'}${when}:00Z`
}
