import type { Circumstances, Decision } from '../../../server/domain/checkin/checkin.ts'
import type { PriorCheckin, Reason, Scan } from '../../../server/domain/rules/facts.ts'
import { goodTicket, openList, plainScan, tokyo } from './door.ts'

/** A scan that nothing speaks against. */
export const plain: Circumstances = {
  list: openList,
  ticket: goodTicket,
  priorCheckins: [],
  times: tokyo,
  scan: plainScan,
  missing: false,
  locale: 'en',
}

/** What makes one set of circumstances of another; below, words to write such changes with. */
type Change = (c: Circumstances) => Circumstances
export const ticket = (facts: Partial<Circumstances['ticket']>): Change => {
  return (c) => ({ ...c, ticket: { ...c.ticket, ...facts } })
}
export const list = (facts: Partial<Circumstances['list']>): Change => {
  return (c) => ({ ...c, list: { ...c.list, ...facts } })
}
export const scan = (facts: Partial<Scan>): Change => {
  return (c) => ({ ...c, scan: { ...c.scan, ...facts } })
}

let lastId = 0
/** An entry of half an hour before the scan, or what is told of it; each one has a later id. */
export const pass = (facts: Partial<PriorCheckin> = {}): PriorCheckin => {
  lastId += 1
  return { id: lastId, type: 'entry', datetime: '2020-01-01T09:30:00Z', nonce: null, device: 1, ...facts }
}

/** Everything that can speak against an entry, in the order in which it is found; some of it also against an exit. */
const obstacles: readonly {
  readonly change: Change
  readonly reason: Reason
  readonly exit: boolean
}[] = [
  { reason: 'revoked', exit: true, change: scan({ revoked: true }) },
  { reason: 'canceled', exit: true, change: ticket({ canceled: true }) },
  { reason: 'blocked', exit: true, change: ticket({ blocked: ['admin', 'api:x'] }) },
  { reason: 'invalid_time', exit: false, change: ticket({ valid_from: '2020-01-01T10:00:01Z' }) },
  { reason: 'product', exit: true, change: list({ all_products: false, limit_products: [2, 3] }) },
  { reason: 'product', exit: true, change: list({ subevent: 7 }) },
  { reason: 'unapproved', exit: true, change: ticket({ order_status: 'n', require_approval: true }) },
  { reason: 'unpaid', exit: true, change: ticket({ order_status: 'n' }) },
  { reason: 'rules', exit: false, change: list({ rules: { or: [] } }) },
  { reason: 'already_redeemed', exit: false, change: (c) => ({ ...c, priorCheckins: [pass()] }) },
]

/** Every set of obstacles, none of them included. */
export const everyCombination = Array.from({ length: 2 ** obstacles.length }, (_, bits) =>
  obstacles.filter((_obstacle, index) => (bits >> index) & 1),
)

/** The decision to admit, and the reason or the outcome of any. */
export const admit = (forced: boolean): Decision => ({ outcome: 'admit', replay: false, forced })
export const verdict = (decision: Decision) => ('reason' in decision ? decision.reason : decision.outcome)
