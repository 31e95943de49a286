import type { FactResult, SentFact } from '../../../schema/sync.ts'
import type { Tx } from '../../resource/transactions.ts'
import { type RecordedConflict, recordConflict } from '../../services/checkin/conflict-rows.ts'
import { noteRefusedTickets } from '../../services/codes/refused-tickets.ts'
import type { SenderClock } from '../clock/corrected-time.ts'
import type { Applied } from './applier.ts'
import { readSentOrder } from './order-payload.ts'
import { quarantineFacts } from './quarantine.ts'
import type { Sender } from './receive-rights.ts'

interface RefusedSale {
  readonly fact: SentFact
  /** When it was made by the right time. */
  readonly at: string
  readonly refusal: Applied
}

/**
 * Keeps a sale that is not taken in, for a person who finds it by its conflict; its tickets may be in somebody's hands, and
 * doors know of them.
 */
export async function quarantineSale(
  tx: Tx,
  { sender, clock }: { readonly sender: Sender; readonly clock: SenderClock },
  sale: RefusedSale,
): Promise<FactResult> {
  const { fact, refusal } = sale
  const report = { device: sender.device, clock, refusal }
  const [result = { nonce: fact.nonce, ...refusal }] = await quarantineFacts(tx, report, [fact])
  if (result.status !== 'quarantined') return result
  return { ...result, conflicts: [await recordRefusedSale(tx, sender, sale)] }
}

async function recordRefusedSale(
  tx: Tx,
  { organizer, device }: Sender,
  { fact, at, refusal: { reason = '' } }: RefusedSale,
): Promise<RecordedConflict> {
  const place = { organizer, event: fact.event }
  const { order, positions } = readSentOrder(fact)
  const secrets = positions.map(({ secret }) => secret)
  await noteRefusedTickets(tx, place, { fact: fact.nonce, device: device.id, reason, secrets })
  return recordConflict(tx, place, {
    key: fact.nonce,
    kind: 'refused_sale',
    severity: 'warning',
    position: null,
    list: null,
    checkin: null,
    other_checkin: null,
    device: fact.device,
    other_device: null,
    datetime: at,
    other_datetime: null,
    data: { order: order.id, code: order.code, reason, tickets: positions.length, site: fact.site },
  })
}
