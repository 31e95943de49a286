import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { ParsedAnswer } from '../../domain/questions/questions.ts'
import type { SignedTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import { insertRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { ListedScan } from './redeem-input.ts'
import {
  answersGiven,
  type RecordedScan,
  type ScanAdmission,
  type ScanRefusal,
  sameFailure,
  scanRow,
} from './redeem-records.ts'

/** A ticket was admitted. There is no position yet to keep the answers at, so they travel with the scan. */
interface SignedAdmission extends ScanAdmission {
  readonly answers: ReadonlyMap<number, ParsedAnswer | null>
}

const isRefusal = (result: SignedAdmission | ScanRefusal): result is ScanRefusal => 'reason' in result

/** Writes a scan that was decided by a signature, and reports it upstream; a refusal once for each nonce. */
export async function recordSigned(
  tx: Tx,
  scan: ListedScan,
  ticket: SignedTicket,
  result: SignedAdmission | ScanRefusal,
): Promise<RecordedScan> {
  const { actor, place, list, input, at } = scan
  const same = isRefusal(result) ? await sameFailure(tx, scan, result.reason) : undefined
  if (same) return same
  const row = {
    ...scanRow(tx, scan),
    raw_item: ticket.item,
    raw_variation: ticket.variation,
    raw_subevent: ticket.subevent,
    ...(isRefusal(result)
      ? { successful: false, error_reason: result.reason, error_explanation: result.explanation }
      : { forced: result.forced, ordinal: result.ordinal }),
  }
  await insertRow(tx, checkin, place, row)
  const answers = isRefusal(result) ? [] : answersGiven(result.answers)
  const payload = { row, secret: input.code, by_signature: true, ...(answers.length > 0 ? { answers } : {}) }
  const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  tx.audit(place, actor, {
    action: isRefusal(result) ? 'ticketsvc.event.checkin.denied' : 'ticketsvc.event.checkin',
    resource: 'checkin_list',
    row: list.facts.id,
    data: {
      by_signature: true,
      item: ticket.item,
      list: list.facts.id,
      type: input.type,
      datetime: at,
      ...(isRefusal(result) ? { reason: result.reason } : { first_checkin: result.ordinal === 1 }),
    },
  })
  return { id: row.id, fact }
}
