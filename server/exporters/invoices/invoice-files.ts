import sql, { join } from 'sql-template-tag'
import { type Invoice, invoice } from '../../../schema/resources/orders/invoice.ts'
import { rowOf } from '../../resource/store.ts'
import { shownInvoices } from '../../services/invoices/invoice-list.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { invoicePdf } from './invoice-pdf.ts'

/** A file as it is sent. */
interface InvoiceFile {
  readonly filename: string
  readonly content: Uint8Array
}

/** An invoice as a file. */
export async function invoiceFile(db: Queryable, organizer: number, row: Invoice): Promise<InvoiceFile> {
  const [shown] = await shownInvoices(db, organizer, [row])
  return invoicePdf(row, { order: shown?.order ?? '', refers: shown?.refers ?? null })
}

/** The invoices that go with a mail as files, by their ids as JSON; those whose words were removed are left out. */
export async function invoiceFiles(
  db: Queryable,
  { organizer, invoices }: { readonly organizer: number; readonly invoices: string },
): Promise<InvoiceFile[]> {
  const ids: readonly number[] = JSON.parse(invoices)
  if (ids.length === 0) return []
  const found = await db.all<Cells>(
    sql`SELECT * FROM invoice WHERE organizer = ${organizer} AND id IN (${join([...ids])}) AND shredded = 0 ORDER BY id`,
  )
  const files: InvoiceFile[] = []
  for (const cells of found) files.push(await invoiceFile(db, organizer, rowOf(invoice, cells)))
  return files
}
