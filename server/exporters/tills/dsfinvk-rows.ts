import sql, { join } from 'sql-template-tag'
import { tableOf } from '../../../schema/resource.ts'
import { closing, type StoredClosing } from '../../../schema/resources/drawer/closing.ts'
import { receipt, type ShownReceiptLine } from '../../../schema/resources/drawer/receipt.ts'
import { receiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import type { EventFacts } from '../../resource/api.ts'
import { hundredths } from '../../resource/codec.ts'
import { named, rowOf } from '../../resource/store.ts'
import type { Cells } from '../../storage/database.ts'
import type { Run } from '../format/exporter.ts'

/** A closing with what is known of the till that has closed. */
export interface ClosedDrawer {
  readonly row: StoredClosing
  readonly event: EventFacts
  /** The till and the node that writes its closings, by which these are numbered without gaps. */
  readonly till: string
  readonly name: string
  readonly serial: string
}

/** A line of a receipt as the books sort it; amounts in hundredths. */
export interface BookedLine {
  readonly text: string
  readonly case: string
  readonly item: string
  readonly rate: number
  readonly gross: number
  readonly tax: number
}

/** A receipt of a closing. */
export interface BookedReceipt {
  readonly id: string
  readonly number: number
  readonly till: string
  readonly training: boolean
  /** Whether nothing was sold or moved: the drawer was opened. */
  readonly isNoSale: boolean
  readonly isReversal: boolean
  readonly reverses: number | null
  readonly started: string
  readonly ended: string
  readonly cashier: string
  readonly staff: number | null
  readonly total: number
  readonly currency: string
  readonly reason: string
  readonly order: string | null
  readonly lines: readonly BookedLine[]
  readonly payments: readonly { readonly provider: string; readonly amount: number }[]
  /** What a signing device has said of it; undefined where none was asked. */
  readonly signature: Cells | undefined
}

/** What lines are in the words of DSFinV-K; those that are not here are turnover. */
const cases: Readonly<Partial<Record<ShownReceiptLine['kind'], string>>> = {
  float: 'Anfangsbestand',
  cash_in: 'Einzahlung',
  cash_out: 'Auszahlung',
  difference: 'DifferenzSollIst',
}

const perPage = 250

/** Every closing of the events of an export, till by till. */
export async function* closedDrawers(run: Run): AsyncGenerator<ClosedDrawer> {
  const byId = new Map(run.events.map((event) => [event.id, event]))
  const statement = sql`SELECT r.*, device.device_id, device.name AS device_name FROM ${named(tableOf(closing))} r
      JOIN device ON device.organizer = r.organizer AND device.id = r."till"
      WHERE r.organizer = ${run.organizer.id} AND r.event IN (${join([...byId.keys()])})
      ORDER BY r."till", r.site, r.number, r.id`
  for await (const page of run.db.pages<Cells>(statement, perPage))
    for (const cells of page) {
      const event = byId.get(Number(cells.event))
      const row = rowOf(closing, cells)
      const till = `${cells.device_id}-${row.site}`
      if (event) yield { row, event, till, name: String(cells.device_name), serial: till }
    }
}

/** The receipts of a closing, in the order in which they were written. */
export async function* receiptsOfClosing(run: Run, { row }: ClosedDrawer): AsyncGenerator<BookedReceipt> {
  const vouchers = await run.db.all<{ id: number }>(
    sql`SELECT id FROM item WHERE organizer = ${run.organizer.id} AND issue_giftcard = 1`,
  )
  const cards = new Set(vouchers.map(({ id }) => id))
  const statement = sql`SELECT r.*, device.device_id FROM ${named(tableOf(receipt))} r
      JOIN device ON device.organizer = r.organizer AND device.id = r."till"
      WHERE r.organizer = ${run.organizer.id} AND r.drawer = ${row.drawer}
      ORDER BY r."till", r.site, r.number, r.id`
  for await (const page of run.db.pages<Cells>(statement, perPage)) {
    const signatures = await signaturesOf(run, page)
    for (const cells of page) yield booked(cells, cards, signatures)
  }
}

async function signaturesOf(run: Run, page: readonly Cells[]): Promise<ReadonlyMap<number, Cells>> {
  const rows = await run.db.all<Cells>(
    sql`SELECT * FROM ${named(tableOf(receiptSignature))} WHERE organizer = ${run.organizer.id}
        AND receipt IN (${join(page.map(({ id }) => Number(id)))}) ORDER BY id`,
  )
  return new Map(rows.map((one) => [Number(one.receipt), one]))
}

function booked(
  cells: Cells,
  cards: ReadonlySet<number>,
  signatures: ReadonlyMap<number, Cells>,
): BookedReceipt {
  const row = rowOf(receipt, cells)
  const till = `${cells.device_id}-${row.site}`
  const isNoSale = row.lines.some(({ kind }) => kind === 'no_sale')
  return {
    isNoSale,
    ...{ id: `${till}-${row.number}`, number: row.number, till, training: row.training },
    ...{ isReversal: row.type === 'correction', reverses: row.reverses },
    ...{ started: String(cells.started), ended: String(cells.ended), cashier: row.cashier, staff: row.staff },
    ...{ total: hundredths(row.total), currency: row.currency, reason: row.reason, order: row.order },
    lines: (isNoSale ? [] : row.lines).map((line) => ({
      text: line.text,
      case:
        cases[line.kind] ??
        (line.item !== null && cards.has(line.item) ? 'MehrzweckgutscheinKauf' : 'Umsatz'),
      item: String(line.item ?? ''),
      rate: hundredths(line.tax_rate),
      gross: hundredths(line.amount),
      tax: hundredths(line.tax_value),
    })),
    payments: (isNoSale ? [] : row.payments).map(({ provider, amount }) => ({
      provider,
      amount: hundredths(amount),
    })),
    signature: signatures.get(Number(cells.id)),
  }
}

/** A receipt as another one refers to it; its closing where its drawer was closed. */
interface NamedReceipt {
  readonly name: string
  readonly ended: string
  readonly closedAt: string
  readonly closing: string
}

/** The receipt that another one takes back. */
export async function receiptNamed(run: Run, id: number): Promise<NamedReceipt | undefined> {
  const cells = await run.db.get<Cells>(
    sql`SELECT r.number, r.site, r.ended, device.device_id, z.number AS z_number, z.site AS z_site,
          closer.device_id AS z_device
        FROM ${named(tableOf(receipt))} r
        JOIN device ON device.organizer = r.organizer AND device.id = r."till"
        LEFT JOIN ${named(tableOf(closing))} z ON z.organizer = r.organizer AND z.drawer = r.drawer
        LEFT JOIN device closer ON closer.organizer = z.organizer AND closer.id = z."till"
        WHERE r.organizer = ${run.organizer.id} AND r.id = ${id} ORDER BY z.id LIMIT 1`,
  )
  if (!cells) return undefined
  const isClosed = cells.z_number !== null
  return {
    name: `${cells.device_id}-${cells.site}-${cells.number}`,
    ended: String(cells.ended),
    closedAt: isClosed ? `${cells.z_device}-${cells.z_site}` : '',
    closing: isClosed ? String(cells.z_number) : '',
  }
}
