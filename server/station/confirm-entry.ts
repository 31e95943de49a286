import type { EarlierCheckin, ScanOutcome, ScanResult } from '../../schema/bodies/scan-result.ts'
import type { FactResult } from '../../schema/sync.ts'
import type { Reason } from '../domain/rules/facts.ts'
import { Refusal } from '../errors.ts'
import type { Transactions } from '../resource/transactions.ts'
import { annul } from '../services/checkin/annul.ts'
import { outcomeOf, type RedeemInput, type RedeemOutcome } from '../services/checkin/redeem-input.ts'
import { rememberCheckin } from '../services/checkin/scan-history.ts'
import { rememberRefusal } from '../services/checkin/upstream-refusals.ts'
import { actorOf, type StationSettings } from '../services/devices/station-settings.ts'
import { ticketOf } from '../services/orders/positions.ts'
import type { Alerts } from './alerts.ts'
import { viewScan } from './scan-view.ts'
import type { UpstreamLink } from './upstream-link.ts'

/** What a station has decided by itself. */
export interface LocalDecision {
  readonly at: string
  readonly outcome: RedeemOutcome
  readonly view: ScanOutcome
}

/** What is shown of a scan, and how far upstream agrees. */
export type ScanAnswer = ScanOutcome & Required<Pick<ScanResult, 'at' | 'offline' | 'confirmed'>>

/** Where a decision is confirmed, and what has to be quiet meanwhile. */
interface ConfirmParts {
  readonly transactions: Transactions
  readonly upstream: UpstreamLink
  readonly alerts: Alerts | null
  readonly settings: StationSettings
}

type Contradiction = NonNullable<FactResult['conflicts']>[number]

/** Why a scan is refused that contradicts what is known upstream. */
const reasons: Readonly<Record<string, Reason>> = {
  double_entry: 'already_redeemed',
  revoked_used: 'revoked',
  canceled_used: 'canceled',
  unpaid_used: 'unpaid',
  blocked_used: 'blocked',
  rule_violation: 'rules',
}

/** What is known upstream only, and would have kept somebody out. */
const findLoss = (result: Omit<FactResult, 'nonce'>): Contradiction | undefined =>
  result.conflicts?.find(({ kind, lost }) => lost === true && kind in reasons)

/** A fact that was received, and not one that is still on its way or was not understood. */
const isKnownUpstream = ({ status }: Omit<FactResult, 'nonce'>): boolean =>
  status === 'applied' || status === 'conflict' || status === 'duplicate'

/**
 * Waits a moment for the server upstream to confirm that somebody may be admitted. When it knows better, the station
 * takes its own success back, and the door sees the refusal alone.
 */
export async function confirmEntry(
  parts: ConfirmParts,
  input: RedeemInput,
  milliseconds: number,
  decided: LocalDecision,
): Promise<ScanAnswer> {
  const { upstream, alerts } = parts
  const { at, outcome, view } = decided
  const unconfirmed = { ...view, at, offline: true, confirmed: false }
  if (outcome.fact === null || milliseconds <= 0 || upstream.isOffline) return unconfirmed
  // A contradiction that the screen is about to show is no alert.
  const release = alerts?.hold(String(input.nonce))
  try {
    const result = await upstream.confirm(outcome.fact, milliseconds)
    if (!result || !isKnownUpstream(result)) return unconfirmed
    const loss = input.force ? undefined : findLoss(result)
    return loss
      ? { ...(await takeBack(parts, input, decided, loss)), at }
      : { ...view, at, offline: false, confirmed: true }
  } finally {
    release?.()
  }
}

async function takeBack(
  { transactions, settings }: ConfirmParts,
  input: RedeemInput,
  { at, outcome }: LocalDecision,
  { kind, other }: Contradiction,
): Promise<Omit<ScanAnswer, 'at'>> {
  const reason = reasons[kind] ?? 'error'
  const { organizer } = settings
  const view = await transactions.write(
    async (tx) => {
      const undoing = {
        nonce: String(input.nonce),
        at,
        explanation: `refused by the central server or hub: ${reason}`,
      }
      try {
        await annul(tx, { actor: actorOf(settings), organizer, lists: [outcome.list], ...undoing })
      } catch (cause) {
        // Somebody has undone it in the meantime.
        if (!(cause instanceof Refusal)) throw cause
      }
      // The changes that bring it may be long in coming, and the same person may ask again before.
      if (outcome.position) {
        const { id: position, event } = outcome.position
        const place = { organizer, event }
        const list = outcome.list.facts.id
        if (other?.pass)
          await rememberCheckin(tx, place, { ...other.pass, position, list, datetime: other.datetime })
        await rememberRefusal(tx, place, {
          ticket: ticketOf(outcome.position),
          list,
          code: input.code,
          reason,
        })
      }
      const { list, position, signed, questions } = outcome
      return viewScan(
        tx,
        organizer,
        outcomeOf({ status: 'error', reason, list, position, signed, questions }),
      )
    },
    { isUrgent: true },
  )
  const { position } = view
  return {
    ...view,
    position: position && other ? { ...position, checkins: withOther(position.checkins, other) } : position,
    offline: false,
    confirmed: true,
  }
}

/** The check-ins of a ticket with the one that only upstream knew of. */
function withOther(
  checkins: readonly EarlierCheckin[],
  other: NonNullable<Contradiction['other']>,
): readonly EarlierCheckin[] {
  const { datetime, gate, device } = other
  const isKnown = checkins.some((one) => Date.parse(one.datetime) === Date.parse(datetime))
  return isKnown ? checkins : [{ datetime, type: 'entry', gate, device, auto_checked_in: false }, ...checkins]
}
