import type { FactResult } from '../../schema/sync.ts'
import type { Reason } from '../domain/checkin/checkin.ts'
import { Refusal } from '../errors.ts'
import type { RowData } from '../resource/codec.ts'
import type { Transactions } from '../resource/transactions.ts'
import { annul } from '../services/checkin/annul.ts'
import { keepPass } from '../services/checkin/kept-passes.ts'
import { keepRefusal } from '../services/checkin/kept-refusals.ts'
import type { RedeemInput, RedeemOutcome } from '../services/checkin/redeem-input.ts'
import { actorOf, type StationSettings } from '../services/devices/station-settings.ts'
import { ticketOf } from '../services/orders/positions.ts'
import type { Alerts } from './alerts.ts'
import { scanShown } from './scan-view.ts'
import type { Above, Patience } from './upstream.ts'

/** What a station has decided by itself. */
export interface Judged {
  readonly at: string
  readonly outcome: RedeemOutcome
  readonly shown: RowData
}

type Contradiction = NonNullable<FactResult['conflicts']>[number]

/** Why a scan is refused that contradicts what is known above. */
const reasons: Readonly<Record<string, Reason>> = {
  double_entry: 'already_redeemed',
  revoked_used: 'revoked',
  canceled_used: 'canceled',
  unpaid_used: 'unpaid',
  blocked_used: 'blocked',
  rule_violation: 'rules',
}

/** What is known above only, and would have kept somebody out. */
const findLoss = (result: Omit<FactResult, 'nonce'>): Contradiction | undefined =>
  result.conflicts?.find(({ kind, lost }) => lost === true && kind in reasons)

/** A fact that was told, and not one that is still on its way or was not understood. */
const isKnownAbove = ({ status }: Omit<FactResult, 'nonce'>): boolean =>
  status === 'applied' || status === 'conflict' || status === 'duplicate'

/**
 * Waits a moment for the server above to confirm that somebody may be let in. When it knows better, the station takes its
 * own success back, and the door sees the refusal alone.
 */
export async function confirmEntry(
  { transactions, above, alerts }: { transactions: Transactions; above: Above; alerts: Alerts | null },
  settings: StationSettings,
  input: RedeemInput,
  { confirm_ms }: Patience,
  { at, outcome, shown }: Judged,
): Promise<RowData> {
  const alone = { ...shown, at, offline: true, confirmed: false }
  if (outcome.fact === null || confirm_ms <= 0 || above.isAlone) return alone
  // A contradiction that the screen is about to show is no alert.
  const release = alerts?.hold(String(input.nonce))
  try {
    const result = await above.confirm(outcome.fact, confirm_ms)
    if (!result || !isKnownAbove(result)) return alone
    const loss = input.force ? undefined : findLoss(result)
    return loss
      ? { ...(await takeBack(transactions, settings, input, { at, outcome, shown }, loss)), at }
      : { ...shown, at, offline: false, confirmed: true }
  } finally {
    release?.()
  }
}

async function takeBack(
  transactions: Transactions,
  settings: StationSettings,
  input: RedeemInput,
  { at, outcome }: Judged,
  { kind, other }: Contradiction,
): Promise<RowData> {
  const reason = reasons[kind] ?? 'error'
  const shown = await transactions.write(async (tx) => {
    const undoing = {
      actor: actorOf(settings),
      organizer: settings.organizer,
      lists: [outcome.list],
      nonce: String(input.nonce),
      at,
      explanation: `refused by the server above: ${reason}`,
    }
    try {
      await annul(tx, undoing)
    } catch (cause) {
      // Somebody has undone it in the meantime.
      if (!(cause instanceof Refusal)) throw cause
    }
    // The changes that bring it may be long in coming, and the same person may ask again before.
    if (outcome.position) {
      const { id: position, event } = outcome.position
      const place = { organizer: settings.organizer, event }
      const list = outcome.list.facts.id
      if (other?.pass) await keepPass(tx, place, { ...other.pass, position, list, datetime: other.datetime })
      await keepRefusal(tx, place, { ticket: ticketOf(outcome.position), list, code: input.code, reason })
    }
    return scanShown(tx, settings.organizer, {
      ...outcome,
      status: 'error',
      reason,
      explanation: null,
      checkin: null,
      passes: undefined,
    })
  })
  const position = shown.position as (RowData & { checkins: readonly RowData[] }) | null
  return {
    ...shown,
    position: position && other ? { ...position, checkins: withOther(position.checkins, other) } : position,
    offline: false,
    confirmed: true,
  }
}

/** The check-ins of a ticket with the one that only the server above knew of. */
function withOther(checkins: readonly RowData[], other: NonNullable<Contradiction['other']>): RowData[] {
  const { datetime, gate, device } = other
  const isKnown = checkins.some((one) => Date.parse(String(one.datetime)) === Date.parse(datetime))
  return isKnown
    ? [...checkins]
    : [{ datetime, type: 'entry', gate, device, auto_checked_in: false }, ...checkins]
}
