import { microsecondsOf } from '../../../schema/instants.ts'
import type { EventTimes, ListFacts, Pass, Reason, TicketFacts } from '../rules/facts.ts'
import { decide } from './checkin.ts'

/** A pass as it was recorded somewhere, with what it takes to judge it again where more is known. */
export interface RecordedPass extends Pass {
  readonly gate: number | null
  /** Somebody let it through knowingly, or told of it afterwards. */
  readonly force_sent: boolean
  /** Written by the sale itself, where nobody looks at rules. */
  readonly automatic: boolean
  /** Its code had been revoked by then. */
  readonly revoked: boolean
}

/** What the passes of one ticket on one list are judged by. */
export interface Judged {
  readonly list: ListFacts
  readonly ticket: TicketFacts
  readonly times: EventTimes
  /** Since when the order is canceled, or null where that is not known. */
  readonly canceled_since: string | null
}

/** How an entry can contradict what is known. */
export type PassConflict =
  | 'double_entry'
  | 'revoked_used'
  | 'canceled_used'
  | 'unpaid_used'
  | 'blocked_used'
  | 'rule_violation'

/** An entry that would have been refused by somebody who had known everything. */
export interface Contradiction {
  readonly kind: PassConflict
  readonly severity: 'info' | 'warning' | 'critical'
  readonly reason: Reason
  /** Whether other passes speak against it, or the ticket and the list by themselves. */
  readonly cause: 'history' | 'state'
  readonly loser: RecordedPass
  /** The entry that stands; null where no other pass is why. */
  readonly winner: RecordedPass | null
}

/**
 * Finds the entries of one ticket on one list that contradict the passes before them or the ticket itself, by the same
 * decision as at the door. The first one stands; a loser counts as a pass all the same, for whoever it was is inside.
 * The result does not depend on the order of the passes, nor on how often the same scan is among them. What was forced
 * breaks no rules, but is a double entry still.
 */
export function contradictions(judged: Judged, passes: readonly RecordedPass[]): Contradiction[] {
  const ordered = inOrder(passes)
  // Ties are decided by place in this order and not by id, which another node may have given anew.
  const ranked = ordered.map((pass, rank) => ({ ...pass, id: rank }))
  const standing: boolean[] = []
  return ordered.flatMap((pass, index): Contradiction[] => {
    const found = judge(judged, pass, ranked.slice(0, index))
    standing.push(pass.type === 'entry' && found === undefined)
    if (found === undefined) return []
    return [{ ...found, loser: pass, winner: found.cause === 'history' ? winnerOf(ordered, standing) : null }]
  })
}

/** By the right time, then by nonce; a scan that was told in two ways once. */
function inOrder(passes: readonly RecordedPass[]): RecordedPass[] {
  const sorted = passes.toSorted(
    (a, b) =>
      microsecondsOf(a.datetime) - microsecondsOf(b.datetime) ||
      compare(a.nonce ?? '', b.nonce ?? '') ||
      a.id - b.id,
  )
  const known = new Set<string>()
  return sorted.filter((pass) => {
    const scan = sameScanKey(pass)
    return known.size < known.add(scan).size
  })
}

/** What two records of one and the same scan have in common. */
export const sameScanKey = ({ id, nonce, type, device }: Pass): string =>
  nonce === null ? `#${id}` : `${type} ${device} ${nonce}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The latest entry before the newest pass that stands, or else the latest one at all. */
function winnerOf(ordered: readonly RecordedPass[], standing: readonly boolean[]): RecordedPass | null {
  const before = ordered.slice(0, standing.length - 1)
  return (
    before.findLast((_, index) => standing[index]) ?? before.findLast(({ type }) => type === 'entry') ?? null
  )
}

type Finding = Pick<Contradiction, 'kind' | 'severity' | 'reason' | 'cause'>

function judge(judged: Judged, pass: RecordedPass, before: readonly Pass[]): Finding | undefined {
  if (pass.type === 'exit' || pass.automatic) return undefined
  if (reasonAgainst(withoutObstacles(judged), { ...pass, revoked: false }, before) === 'already_redeemed')
    return {
      kind: 'double_entry',
      severity: pass.force_sent ? 'info' : 'critical',
      reason: 'already_redeemed',
      cause: 'history',
    }
  if (pass.force_sent) return undefined
  const alone = reasonAgainst(judged, pass, [])
  if (alone !== undefined) return { ...kindOf(alone), reason: alone, cause: 'state' }
  const reason = reasonAgainst(judged, pass, before)
  return reason && { ...kindOf(reason), reason, cause: 'history' }
}

/** Why the decision refuses a pass after some others, or undefined where it does not. */
function reasonAgainst(judged: Judged, pass: RecordedPass, before: readonly Pass[]): Reason | undefined {
  const { list, times } = judged
  const decision = decide({
    list,
    ticket: ticketAt(judged, pass.datetime),
    passes: before,
    times,
    scan: {
      type: pass.type,
      at: pass.datetime,
      force: false,
      // Whoever stood at the door may have waived the payment where the list lets them.
      ignore_unpaid: true,
      nonce: null,
      device: pass.device,
      gate: pass.gate,
      questions_supported: false,
      canceled_supported: true,
      revoked: pass.revoked,
    },
    missing: false,
    locale: 'en',
  })
  return decision.outcome === 'refuse' ? decision.reason : undefined
}

/** The ticket as it was at a moment: an order that was canceled later was good then. */
function ticketAt({ ticket, canceled_since: since }: Judged, at: string): TicketFacts {
  const later = since !== null && microsecondsOf(since) > microsecondsOf(at)
  return later && ticket.order_status === 'c' ? { ...ticket, order_status: 'p' } : ticket
}

/** The same with nothing against it but other passes. */
const withoutObstacles = (judged: Judged): Judged => ({
  ...judged,
  canceled_since: null,
  list: { ...judged.list, all_products: true, subevent: null, rules: {} },
  ticket: {
    ...judged.ticket,
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
