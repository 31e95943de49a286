import { microsecondsOf } from '../../../schema/instants.ts'
import { explainRules, explainValidity } from '../rules/explanation.ts'
import {
  type EventTimes,
  type ListFacts,
  latestCheckin,
  type PriorCheckin,
  type Reason,
  type Scan,
  type TicketFacts,
} from '../rules/facts.ts'
import type { Labels } from '../rules/failures.ts'
import { evaluateRules } from '../rules/rules.ts'
import type { RuleFacts } from '../rules/variables.ts'
import { withAutomaticExits } from './automatic-exits.ts'
import { isOnList, isValidAt } from './ticket-choice.ts'

/** What happens at the door. `forced`: it was admitted although something spoke against it. */
export type Decision =
  | { readonly outcome: 'admit'; readonly replay: boolean; readonly forced: boolean }
  | { readonly outcome: 'incomplete' }
  | { readonly outcome: 'refuse'; readonly reason: Reason; readonly explanation: string | null }

/** Everything a decision depends on. */
export interface Circumstances {
  readonly list: ListFacts
  readonly ticket: TicketFacts
  readonly priorCheckins: readonly PriorCheckin[]
  readonly times: EventTimes
  readonly scan: Scan
  /** Questions to be asked at check-in are still open. */
  readonly missing: boolean
  /** Language of explanations; English where there are no texts in it. */
  readonly locale: string
  readonly labels?: Labels
}

/**
 * Decides one scan; never throws. A nonce seen before is answered as admitted again before anything else is looked
 * at, so that a lost answer can be asked for any number of times. What speaks against the ticket comes next, then
 * open questions: nobody fills in a form for a ticket that is refused anyway.
 */
export function decide(circumstances: Circumstances): Decision {
  const { priorCheckins, list, scan } = circumstances
  const c = { ...circumstances, priorCheckins: withAutomaticExits(priorCheckins, list.exits, scan.at) }
  if (isReplay(c)) return { outcome: 'admit', replay: true, forced: false }
  const obstacle = findObstacle(c)
  if (c.scan.force) return { outcome: 'admit', replay: false, forced: obstacle !== undefined }
  if (obstacle !== undefined)
    return { outcome: 'refuse', reason: obstacle, explanation: explain(obstacle, c) }
  if (c.scan.type === 'entry' && c.scan.questions_supported && c.missing) return { outcome: 'incomplete' }
  return { outcome: 'admit', replay: false, forced: false }
}

/** The first thing that speaks against admission. Exits ask nothing about time, rules and earlier check-ins. */
function findObstacle({ list, ticket, priorCheckins, times, scan }: Circumstances): Reason | undefined {
  const entry = scan.type === 'entry'
  const paid = ticket.order_status === 'p'
  if (scan.revoked) return 'revoked'
  if (isCanceled(ticket)) return scan.canceled_supported ? 'canceled' : 'unpaid'
  if (ticket.blocked.length > 0) return 'blocked'
  if (entry && !isValidAt(ticket, scan.at)) return 'invalid_time'
  if (!isOnList(list, ticket)) return 'product'
  if (list.subevent !== null && list.subevent !== ticket.subevent) return 'product'
  if (!paid && ticket.require_approval) return 'unapproved'
  const tolerated = ticket.valid_if_pending || (scan.ignore_unpaid && list.include_pending)
  if (!paid && !tolerated) return 'unpaid'
  if (entry && !evaluateRules(list.rules, ruleFacts(ticket, priorCheckins, times, scan))) return 'rules'
  if (entry && !mayEnter(list, priorCheckins)) return 'already_redeemed'
  return undefined
}

function explain(
  reason: Reason,
  { list, ticket, priorCheckins, times, scan, locale, labels }: Circumstances,
) {
  if (reason === 'invalid_time') return explainValidity(ticket, scan.at, times.timezone, locale)
  if (reason !== 'rules') return null
  return explainRules(list.rules, ruleFacts(ticket, priorCheckins, times, scan), locale, labels)
}

/** The same scan has been admitted before, and only its answer was lost. */
function isReplay({ priorCheckins, scan }: Circumstances): boolean {
  if (!scan.nonce) return false
  return (
    latestCheckin(priorCheckins)?.nonce === scan.nonce ||
    priorCheckins.some(
      (checkin) =>
        checkin.nonce === scan.nonce && checkin.type === scan.type && checkin.device === scan.device,
    )
  )
}

/** Whether a ticket was canceled, or its order is over. */
export function isCanceled(ticket: TicketFacts): boolean {
  return ticket.canceled || (ticket.order_status !== 'n' && ticket.order_status !== 'p')
}

function mayEnter(list: ListFacts, priorCheckins: readonly PriorCheckin[]): boolean {
  if (list.allow_multiple_entries || priorCheckins.every((checkin) => checkin.type === 'exit')) return true
  return list.allow_entry_after_exit && latestCheckin(priorCheckins)?.type === 'exit'
}

function ruleFacts(
  ticket: TicketFacts,
  priorCheckins: readonly PriorCheckin[],
  times: EventTimes,
  scan: Scan,
): RuleFacts {
  const { item: product, variation } = ticket
  return { product, variation, gate: scan.gate, now: scan.at, priorCheckins, times }
}

const yearOf = (instant: string): number => Number(instant.slice(0, 4))

/** Whether a scan's time and that of its recording are years apart, so that a clock was wrong or something made up. */
export const isYearsAway = (datetime: string, created: string): boolean =>
  Math.abs(yearOf(datetime) - yearOf(created)) > 1

/**
 * The moment that a scan counts at wherever something depends on it, such as a rule or which scan of a ticket was the
 * latest: when it is said to have been, or when it was recorded where that is years away.
 */
export const countedAt = (datetime: string, created: string): string =>
  isYearsAway(datetime, created) ? created : datetime

/** By how many milliseconds a scan's time is ahead of that of its recording. */
export const millisecondsAhead = (datetime: string, created: string): number =>
  Math.round((microsecondsOf(datetime) - microsecondsOf(created)) / 1000)
