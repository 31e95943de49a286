import { microsecondsOf } from '../../../schema/instants.ts'
import type { checkinConflictKinds } from '../../../schema/resources/checkin/conflict.ts'
import type { EventTimes, ListFacts, PriorCheckin, Reason, TicketFacts } from '../rules/facts.ts'
import { decide } from './checkin.ts'

/** A check-in as it was recorded somewhere, with what it takes to decide it again where more is known. */
export interface RecordedCheckin extends PriorCheckin {
  readonly gate: number | null
  /** Somebody admitted it knowingly, or reported it afterwards. */
  readonly force_sent: boolean
  /** Written by the sale itself, where nobody looks at rules. */
  readonly automatic: boolean
  /** Its code had been revoked by then. */
  readonly revoked: boolean
}

/** What the check-ins of one ticket on one list are compared by. */
export interface ConflictFacts {
  readonly list: ListFacts
  readonly ticket: TicketFacts
  readonly times: EventTimes
  /** Since when the order is canceled, or null where that is not known. */
  readonly canceled_since: string | null
}

/** How an entry can contradict what is known. */
type CheckinConflict = (typeof checkinConflictKinds)[number]

/** An entry that would have been refused by somebody who had known everything. */
export interface Contradiction {
  readonly kind: CheckinConflict
  readonly severity: 'info' | 'warning' | 'critical'
  readonly reason: Reason
  /** Whether other check-ins speak against it, or the ticket and the list by themselves. */
  readonly cause: 'history' | 'state'
  readonly loser: RecordedCheckin
  /** The entry that stands; null where no other check-in is why. */
  readonly winner: RecordedCheckin | null
}

/**
 * Finds the entries of one ticket on one list that contradict the check-ins before them or the ticket itself, by the same
 * decision as at the door. The first one stands; a loser counts as a check-in all the same, for whoever it was is inside.
 * The result does not depend on the order of the check-ins, nor on how often the same scan is among them. What was forced
 * breaks no rules, but is a double entry still.
 */
export function contradictions(facts: ConflictFacts, checkins: readonly RecordedCheckin[]): Contradiction[] {
  const ordered = inOrder(checkins)
  // Ties are decided by place in this order and not by id, which another node may have given anew.
  const ranked = ordered.map((checkin, rank) => ({ ...checkin, id: rank }))
  const admitted: boolean[] = []
  return ordered.flatMap((checkin, index): Contradiction[] => {
    const found = findConflict(facts, checkin, ranked.slice(0, index))
    admitted.push(checkin.type === 'entry' && found === undefined)
    if (found === undefined) return []
    return [
      { ...found, loser: checkin, winner: found.cause === 'history' ? winnerOf(ordered, admitted) : null },
    ]
  })
}

/** By the right time, then by nonce; a scan that was reported in two ways once. */
function inOrder(checkins: readonly RecordedCheckin[]): RecordedCheckin[] {
  const sorted = checkins.toSorted(
    (a, b) =>
      microsecondsOf(a.datetime) - microsecondsOf(b.datetime) ||
      compare(a.nonce ?? '', b.nonce ?? '') ||
      a.id - b.id,
  )
  const known = new Set<string>()
  return sorted.filter((checkin) => {
    const scan = sameScanKey(checkin)
    return known.size < known.add(scan).size
  })
}

/** What two records of one and the same scan have in common. */
export const sameScanKey = ({ id, nonce, type, device }: PriorCheckin): string =>
  nonce === null ? `#${id}` : `${type} ${device} ${nonce}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The latest entry before the newest check-in that stands, or else the latest one at all. */
function winnerOf(ordered: readonly RecordedCheckin[], admitted: readonly boolean[]): RecordedCheckin | null {
  const before = ordered.slice(0, admitted.length - 1)
  return (
    before.findLast((_, index) => admitted[index]) ?? before.findLast(({ type }) => type === 'entry') ?? null
  )
}

type Finding = Pick<Contradiction, 'kind' | 'severity' | 'reason' | 'cause'>

function findConflict(
  facts: ConflictFacts,
  checkin: RecordedCheckin,
  before: readonly PriorCheckin[],
): Finding | undefined {
  if (checkin.type === 'exit' || checkin.automatic) return undefined
  if (reasonAgainst(withoutObstacles(facts), { ...checkin, revoked: false }, before) === 'already_redeemed')
    return {
      kind: 'double_entry',
      severity: checkin.force_sent ? 'info' : 'critical',
      reason: 'already_redeemed',
      cause: 'history',
    }
  if (checkin.force_sent) return undefined
  const reasonAtFirst = reasonAgainst(facts, checkin, [])
  if (reasonAtFirst !== undefined) return { ...kindOf(reasonAtFirst), reason: reasonAtFirst, cause: 'state' }
  const reason = reasonAgainst(facts, checkin, before)
  return reason && { ...kindOf(reason), reason, cause: 'history' }
}

/** Why the decision refuses a check-in after some others, or undefined where it does not. */
function reasonAgainst(
  facts: ConflictFacts,
  checkin: RecordedCheckin,
  before: readonly PriorCheckin[],
): Reason | undefined {
  const { list, times } = facts
  const decision = decide({
    list,
    ticket: ticketAt(facts, checkin.datetime),
    priorCheckins: before,
    times,
    scan: {
      type: checkin.type,
      at: checkin.datetime,
      force: false,
      // Whoever stood at the door may have waived the payment where the list lets them.
      ignore_unpaid: true,
      nonce: null,
      device: checkin.device,
      gate: checkin.gate,
      questions_supported: false,
      canceled_supported: true,
      revoked: checkin.revoked,
    },
    missing: false,
    locale: 'en',
  })
  return decision.outcome === 'refuse' ? decision.reason : undefined
}

/** The ticket as it was at a moment: an order that was canceled later was good then. */
function ticketAt({ ticket, canceled_since: since }: ConflictFacts, at: string): TicketFacts {
  const later = since !== null && microsecondsOf(since) > microsecondsOf(at)
  return later && ticket.order_status === 'c' ? { ...ticket, order_status: 'p' } : ticket
}

/** The same with nothing against it but other check-ins. */
const withoutObstacles = (facts: ConflictFacts): ConflictFacts => ({
  ...facts,
  canceled_since: null,
  list: { ...facts.list, all_products: true, subevent: null, rules: {} },
  ticket: {
    ...facts.ticket,
    canceled: false,
    blocked: [],
    valid_from: null,
    valid_until: null,
    order_status: 'p',
  },
})

function kindOf(reason: Reason): Pick<Contradiction, 'kind' | 'severity'> {
  switch (reason) {
    case 'revoked':
      return { kind: 'revoked_used', severity: 'critical' }
    case 'canceled':
      return { kind: 'canceled_used', severity: 'critical' }
    case 'blocked':
      return { kind: 'blocked_used', severity: 'critical' }
    case 'unpaid':
    case 'unapproved':
      return { kind: 'unpaid_used', severity: 'warning' }
    default:
      return { kind: 'rule_violation', severity: 'warning' }
  }
}
