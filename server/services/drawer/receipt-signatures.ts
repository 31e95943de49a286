import sql from 'sql-template-tag'
import { readInstant } from '../../../schema/instants.ts'
import type { SigningProblem } from '../../../schema/receipt-words.ts'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import {
  receiptSignature,
  type StoredReceiptSignature,
} from '../../../schema/resources/drawer/receipt-signature.ts'
import { findRow, insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { isHere } from '../../storage/moved-organizers.ts'
import type { Signature } from './signing-device.ts'
import { nextLink } from './till-count.ts'

/** What became of having a receipt signed. */
export type SigningOutcome =
  | { readonly signature: Signature; readonly signedData: string }
  | { readonly problem: SigningProblem }

const orNull = (moment: string | null): string | null =>
  moment === null ? null : (readInstant(moment) ?? moment)

/** What a signature says, as it is hashed. */
export const signatureContent = (
  row: Omit<StoredReceiptSignature, 'hash' | 'previous_hash' | 'hash_version'>,
): object => ({
  ...{ till: row.till, site: row.site, number: row.number, receipt_hash: row.receipt_hash },
  ...{ provider: row.provider, state: row.state, problem: row.problem, serial: row.serial },
  ...{ transaction: row.transaction, counter: row.counter },
  ...{ started: orNull(row.started), finished: orNull(row.finished), datetime: orNull(row.datetime) },
  ...{ signed_data: row.signed_data, signature: row.signature },
})

/** The signature of a receipt, or that there is none; undefined where that is not known yet. */
export const receiptSigning = (db: Queryable, place: Place, id: number) =>
  findRow(db, receiptSignature, place, { receipt: id })

/** Stores what became of having a receipt signed, once, and reports it. */
export async function recordSigning(
  tx: Tx,
  place: Place,
  of: StoredReceipt,
  outcome: SigningOutcome,
): Promise<void> {
  if (await receiptSigning(tx, place, of.id)) return
  const { till, site, signing: provider } = of
  const isSigned = 'signature' in outcome
  const {
    serial = '',
    transaction = null,
    counter = null,
    started = null,
    finished = null,
  } = isSigned ? outcome.signature : {}
  const said = {
    ...{ id: tx.nextId(), till, site, receipt: of.id, receipt_hash: of.hash, provider, datetime: tx.now },
    ...({ state: isSigned ? 'signed' : 'failed', problem: isSigned ? '' : outcome.problem } as const),
    ...{ serial, transaction, counter, started, finished },
    signed_data: isSigned ? outcome.signedData : '',
    signature: isSigned ? outcome.signature.signature : '',
  }
  const link = await nextLink(tx, place, { till, kind: 'signature' }, (number) =>
    signatureContent({ ...said, number }),
  )
  const row: StoredReceiptSignature = { ...said, ...link }
  await insertRow(tx, receiptSignature, place, row)
  tx.fact(place, till, { kind: 'receipt_signature', payload: { row } })
}

/** A receipt that was to be signed, and of which is not known what became of that. */
export interface UnsignedReceipt {
  readonly place: Place
  readonly id: number
}

/** The receipts of a node that were to be signed until a moment, and that nobody has signed. */
export async function unsignedReceipts(
  db: Queryable,
  site: number,
  until: string,
): Promise<UnsignedReceipt[]> {
  const rows = await db.all<{ organizer: number; event: number; id: number }>(
    sql`SELECT r.organizer, r.event, r.id FROM receipt r
        WHERE r.site = ${site} AND r.signing <> '' AND r."ended" <= ${until} AND ${isHere(sql`r.organizer`)} AND NOT EXISTS (
          SELECT 1 FROM receipt_signature s
          WHERE s.organizer = r.organizer AND s.event = r.event AND s."receipt" = r.id)
        ORDER BY r."till", r.number`,
  )
  return rows.map(({ organizer, event, id }) => ({ place: { organizer, event }, id }))
}

/** A receipt that was written at this node and is to be signed. */
export async function receiptToSign(
  db: Queryable,
  site: number,
  { place, id }: UnsignedReceipt,
): Promise<StoredReceipt | null> {
  const row = await findRow(db, receipt, place, { id })
  return row && row.site === site && row.signing !== '' ? row : null
}
