import sql from 'sql-template-tag'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type RecordedConflict, recordConflict } from '../../services/checkin/conflict-rows.ts'
import { noteRefusedTickets } from '../../services/codes/refused-tickets.ts'
import { attempt } from '../../services/input/attempts.ts'
import type { SenderClock } from '../clock/corrected-time.ts'
import type { Applied } from './applier.ts'
import { readSentOrder } from './orders/order-payload.ts'
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

/**
 * Keeps what a revoked device reports, for a person to decide about. Doors know of the tickets that it has sold: who holds
 * one has paid, and is not told that nobody has heard of it.
 */
export async function quarantineAll(
  tx: Tx,
  { sender: { device }, clock }: { readonly sender: Sender; readonly clock: SenderClock },
  facts: readonly SentFact[],
): Promise<FactResult[]> {
  const results = await quarantineFacts(tx, { device, clock }, facts)
  for (const [index, fact] of facts.entries()) {
    if (results[index]?.status !== 'quarantined') continue
    const place = { organizer: device.organizer, event: fact.event }
    const secrets = secretsSold(fact)
    if (secrets.length > 0 && (await hasEvent(tx, place)))
      await noteRefusedTickets(tx, place, { fact: fact.nonce, device: device.id, reason: 'revoked', secrets })
  }
  return results
}

const hasEvent = async (tx: Tx, { organizer, event }: Place): Promise<boolean> =>
  (await tx.get(sql`SELECT id FROM event WHERE organizer = ${organizer} AND id = ${event}`)) !== undefined

/** The codes of the tickets that a fact says were sold; none where it is about something else, or says nothing clear. */
function secretsSold(fact: SentFact): string[] {
  if (fact.kind !== 'order') return []
  const read = attempt(() => readSentOrder(fact))
  return read.ok ? read.value.positions.map(({ secret }) => secret) : []
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
