import sql from 'sql-template-tag'
import type { receiptPrinting } from '../../../schema/bodies/drawers.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint, type StoredReceiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { isMailAddress } from '../../domain/notifications/mail-schedule.ts'
import { invalid, notFound } from '../../errors.ts'
import { insertRow, lockRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { eventById } from '../events/events.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { occasionValues } from '../notifications/order-mails.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { cashierAt } from './cashier.ts'

/** Notes that a receipt is given out on paper or by mail, and as which copy; the id of the note. */
export async function printReceipt(
  tx: Tx,
  { actor, place }: OrderScope,
  id: number,
  { way, email, locale }: RowOf<typeof receiptPrinting>,
): Promise<number> {
  const of = await lockRow(tx, receipt, place, { id })
  if (!of) throw notFound()
  if (way === 'mail' && !isMailAddress(email)) throw invalid({ email: ['Enter an e-mail address.'] })
  const before = await tx.get<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM receipt_print
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND "receipt" = ${id}`,
  )
  const row: StoredReceiptPrint = {
    ...{ id: tx.nextId(), receipt: id, copy: Number(before?.count ?? 0), way, datetime: tx.now },
    ...(await cashierAt(tx, actor)),
    ...{ site: tx.site, till: actor.device?.id ?? null },
  }
  await insertRow(tx, receiptPrint, place, row)
  const mail = way === 'mail' ? { email, locale } : null
  tx.fact(place, row.till, { kind: 'receipt_print', payload: { row, mail } })
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.receipt.printed', resource: receipt.name, row: id },
    data: { number: of.number, copy: row.copy, way },
  })
  if (mail) await mailReceipt(tx, place, row, mail)
  return row.id
}

/** To whom a receipt is mailed, and in which language. */
export interface ReceiptMail {
  readonly email: string
  readonly locale: string
}

/** Has a receipt sent, where mails are sent. */
export async function mailReceipt(
  tx: Tx,
  place: Place,
  { id }: Pick<StoredReceiptPrint, 'id'>,
  { email, locale }: ReceiptMail,
): Promise<void> {
  const event = await eventById(tx, place.organizer, place.event)
  if (!event) return
  const language = event.locales.find((one) => one === locale) ?? event.locale
  await queueMail(tx, place, {
    ...{ to: email, template: 'receipt', locale: language },
    values: await occasionValues(tx, place, event, { locale: language }),
    receiptPrint: id,
  })
}
