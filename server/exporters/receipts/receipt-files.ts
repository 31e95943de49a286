import { device } from '../../../schema/resources/devices/device.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import type { EventFacts } from '../../resource/api.ts'
import { findRow } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import { receiptSigning } from '../../services/drawer/receipt-signatures.ts'
import { eventById } from '../../services/events/events.ts'
import type { Queryable } from '../../storage/database.ts'
import { receiptSlip } from './receipt-description.ts'
import type { Slip } from './slip.ts'
import { slipOutputs } from './slip-output.ts'

/** Which receipt is wanted, and how it is read. */
interface WantedReceipt {
  readonly id: number
  /** The note that it is given out. */
  readonly print?: number
  readonly columns?: number
  readonly locale?: string
}

/** How many letters a line of the paper has unless somebody says otherwise. */
export const usualColumns = 42

/** A language of an event, or its own where it has not the wanted one. */
export const languageAt = ({ locales, locale }: EventFacts, wanted: string | undefined): string =>
  locales.find((one) => one === wanted) ?? locale

/** The name of a till. */
export const tillName = async (db: Queryable, organizer: number, id: number): Promise<string> =>
  (await findRow(db, device, { organizer, event: 0 }, { id }))?.name ?? ''

/** A receipt as it is printed; null where there is none, or not that print of it. */
export async function receiptOnPaper(
  db: Queryable,
  place: Place,
  event: EventFacts,
  { id, print, columns = usualColumns, locale }: WantedReceipt,
): Promise<Slip | null> {
  const row = await findRow(db, receipt, place, { id })
  const note = print === undefined ? null : await findRow(db, receiptPrint, place, { id: print, receipt: id })
  if (!row || note === undefined) return null
  return receiptSlip(row, {
    ...{ settings: event.settings, timezone: event.timezone, locale: languageAt(event, locale), columns },
    till: await tillName(db, place.organizer, row.till),
    copy: note?.copy ?? 0,
    signature: await receiptSigning(db, place, id),
  })
}

/** Whether it is known what became of having a receipt signed, where that was wanted. */
async function isSettled(db: Queryable, place: Place, id: number): Promise<boolean> {
  const row = await findRow(db, receipt, place, { id })
  return !row || row.signing === '' || (await receiptSigning(db, place, id)) !== undefined
}

/** The receipt that goes with a mail; it is looked for again later where it is not reported yet. */
export async function receiptFiles(
  db: Queryable,
  mail: { readonly organizer: number; readonly event: number; readonly locale: string } & {
    readonly receipt_print: number | null
  },
) {
  if (mail.receipt_print === null) return []
  const place = { organizer: mail.organizer, event: mail.event }
  const note = await findRow(db, receiptPrint, place, { id: mail.receipt_print })
  const event = await eventById(db, place.organizer, place.event)
  const wanted = note && { id: note.receipt, print: note.id, locale: mail.locale }
  if (note && !(await isSettled(db, place, note.receipt)))
    throw new Error('The signature of the receipt has not been reported yet.')
  const slip = wanted && event && (await receiptOnPaper(db, place, event, wanted))
  if (!slip) throw new Error('The receipt has not been reported yet.')
  return [
    { filename: `${slip.title.replaceAll(/[^\w-]+/g, '_')}.pdf`, content: await slipOutputs.pdf.make(slip) },
  ]
}
