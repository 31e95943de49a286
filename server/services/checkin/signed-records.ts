import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { Reason } from '../../domain/checkin/checkin.ts'
import type { ParsedAnswer } from '../../domain/questions/answers.ts'
import type { Actor } from '../../resource/actor.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { RedeemInput } from './redeem-input.ts'
import { failuresWith, type RecordedScan } from './redeem-records.ts'
import type { SignedAt } from './signed-standing.ts'

/** A ticket was let in. There is no position yet to keep the answers at, so they travel with the scan. */
interface Admitted {
  readonly forced: boolean
  readonly ordinal: number
  readonly answers: ReadonlyMap<number, ParsedAnswer | null>
}

/** A ticket was refused. */
interface Refused {
  readonly reason: Reason
  readonly explanation: string | null
}

/** Writes a scan that was judged by a signature, and has the server above told of it; a refusal once for each nonce. */
export async function recordSigned(
  tx: Tx,
  actor: Actor,
  { organizer, ticket, list }: SignedAt,
  input: RedeemInput,
  at: string,
  result: Admitted | Refused,
): Promise<RecordedScan> {
  const place = { organizer, event: list.facts.event }
  const refused = 'reason' in result ? result : null
  const admitted = 'reason' in result ? null : result
  if (refused) {
    const known = (await failuresWith(tx, place, input.nonce)).find(
      (one) =>
        one.list === list.facts.id && one.error_reason === refused.reason && one.raw_barcode === input.code,
    )
    if (known) return { id: known.id, fact: null }
  }
  const row = {
    ...blankRow(checkin),
    id: tx.nextId(),
    successful: refused === null,
    error_reason: refused?.reason ?? null,
    error_explanation: refused?.explanation ?? null,
    position: null,
    datetime: at,
    created: tx.now,
    list: list.facts.id,
    gate: actor.device?.gate ?? null,
    device: actor.device?.id ?? null,
    type: input.type,
    nonce: input.nonce,
    forced: admitted?.forced ?? false,
    force_sent: input.force,
    raw_barcode: input.code,
    raw_source_type: input.source_type,
    raw_item: ticket.item,
    raw_variation: ticket.variation,
    raw_subevent: ticket.subevent,
    ordinal: admitted?.ordinal ?? null,
    site: tx.site,
  }
  await insertRow(tx, checkin, place, row)
  const answers = [...(admitted?.answers ?? [])].flatMap(([question, answer]): StoredAnswer[] =>
    answer ? [{ question, ...answer }] : [],
  )
  const payload = { row, secret: input.code, by_signature: true, ...(answers.length > 0 ? { answers } : {}) }
  const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  tx.audit(place, actor, {
    action: admitted ? 'ticketsvc.event.checkin' : 'ticketsvc.event.checkin.denied',
    resource: 'checkin_list',
    row: list.facts.id,
    data: {
      by_signature: true,
      item: ticket.item,
      list: list.facts.id,
      type: input.type,
      datetime: at,
      ...(refused ? { reason: refused.reason } : { first_checkin: admitted?.ordinal === 1 }),
    },
  })
  return { id: row.id, fact }
}
