import assert from 'node:assert/strict'
import type { ListFacts, TicketFacts } from '../../../server/domain/rules/facts.ts'
import { goodTicket, openDoors, openList, type Request } from '../checkin/door.ts'

const closing = { allow_entry_after_exit: false }
const filtered = (...limit_products: readonly number[]) => ({ all_products: false, limit_products })

/** The lists of the fair in Tokyo; list 7 belongs to another event. */
export const list1: ListFacts = openList
export const list2: ListFacts = {
  ...openList,
  ...filtered(1),
  id: 2,
  include_pending: false,
  allow_multiple_entries: true,
}
export const list3: ListFacts = { ...openList, ...closing, id: 3 }
export const list4: ListFacts = { ...openList, ...closing, id: 4, addon_match: true }
export const list5: ListFacts = { ...openList, ...closing, ...filtered(2), id: 5 }
export const list6: ListFacts = { ...openList, ...closing, ...filtered(2), id: 6, addon_match: true }
export const list7: ListFacts = { ...openList, id: 7, event: 2, allow_multiple_entries: true }
export const list10: ListFacts = { ...openList, ...filtered(42), id: 10, include_pending: false }

const numbered = (tickets: Readonly<Record<string, Partial<TicketFacts>>>): TicketFacts[] =>
  Object.entries(tickets).map(([secret, facts], index) => ({
    ...goodTicket,
    id: 101 + index,
    secret,
    ...facts,
  }))

/** The tickets sold, by their secrets: what speaks against each, and which product it is for. */
export const tickets = numbered({
  good: {},
  'far-product': { item: 42 },
  canceled: { order_status: 'c' },
  expired: { order_status: 'e' },
  'position-canceled': { canceled: true },
  pending: { order_status: 'n' },
  'pending-valid': { order_status: 'n', valid_if_pending: true },
  unapproved: { order_status: 'n', require_approval: true },
  blocked: { blocked: ['admin'] },
  ending: { valid_until: '2020-01-01T12:00:00Z' },
  starting: { valid_from: '2020-01-01T12:00:00Z' },
  'other-product': { item: 3 },
  'other-date': { subevent: 8 },
  parent: { id: 201 },
  'one-addon': { id: 202, item: 2, addon_to: 201 },
  'rich-parent': { id: 211 },
  'first-addon': { id: 212, item: 2, addon_to: 211 },
  'second-addon': { id: 213, item: 2, addon_to: 211 },
  'poor-parent': { id: 221 },
  'wrong-addon': { id: 222, item: 3, addon_to: 221 },
  elsewhere: { id: 301, event: 2 },
  nowhere: { id: 401, event: 3 },
})

/** One scan: what is scanned how, and what comes of it. */
type Step = readonly [code: string, expected: string, request?: Partial<Request>]

/** What happens to the tickets of the fair at a list. */
export interface Story {
  readonly title: string
  readonly list: ListFacts | readonly ListFacts[]
  readonly steps: readonly Step[]
  /** Ids of the tickets that were let through, where they are not simply as many as `VALID` steps. */
  readonly through?: readonly number[]
}

/** One test per story. */
export function tell(stories: readonly Story[]): void {
  for (const { title, list, steps, through } of stories) {
    it(title, () => {
      const doors = openDoors(tickets)
      const lists = [list].flat()
      const outcomes = steps.map(([code, , request]) => doors.scan(code, { lists, ...request }))
      assert.deepEqual(
        outcomes,
        steps.map(([, expected]) => expected),
      )
      const passed = doors.log.map(({ ticket }) => ticket)
      if (through !== undefined) assert.deepEqual(passed, through)
      assert.equal(passed.length, outcomes.filter((outcome) => outcome === 'VALID').length)
    })
  }
}
