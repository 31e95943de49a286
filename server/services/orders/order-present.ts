import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { shownInstant } from '../../../schema/instants.ts'
import type { Resource } from '../../../schema/resource.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderRefund } from '../../../schema/resources/orders/order-refund.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import type { OrderStatus } from '../../domain/orders/payments.ts'
import { decodeRow } from '../../resource/codec.ts'
import { maskedRow } from '../../resource/mask.ts'
import { named, rowOf } from '../../resource/store.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { maskedOrders } from './given-in-part.ts'
import type { OrderRow } from './order-rows.ts'
import { addPdfData } from './pdf-data.ts'
import { presentPositions, selectPositions } from './positions.ts'
import { type DownloadSite, eventsById, orderDownloads, type TicketDownload } from './ticket-downloads.ts'

/** The stored cells of an order; the total is in hundredths. */
export type OrderCells = Cells & {
  readonly id: number
  readonly event: number
  readonly code: string
  readonly status: OrderStatus
  readonly total: number
  readonly sales_channel: string
  readonly testmode: number
  readonly require_approval: number
  /** As JSON text. */
  readonly invoice_address: string | null
}

/** What is shown of orders. */
export interface OrderView {
  /** The organizer's slug, and where this server is reached. */
  readonly organizer: { readonly id: number; readonly slug: string }
  readonly origin: string
  readonly canceledPositions: boolean
  readonly canceledFees: boolean
  /** To whom they are shown. */
  readonly audience: Audience
  /** Whether positions show what can be printed of them. */
  readonly pdfData?: boolean
}

/** Orders in the JSON form of the API, with a fixed number of statements. */
export async function presentOrders(
  db: Queryable,
  view: OrderView,
  found: readonly OrderCells[],
): Promise<ShownOrder[]> {
  if (found.length === 0) return []
  const { organizer, audience } = view
  const orders = maskedOrders(audience, found)
  const ofOrders = sql`organizer = ${organizer.id} AND order_id IN (${join(orders.map((one) => one.id))})`
  const events = await eventsById(
    db,
    organizer.id,
    orders.map(({ event }) => event),
  )
  const site = { origin: view.origin, organizer: organizer.slug, events }
  const positions = await positionsByOrder(db, view, orders, site)
  const fees = await childrenByOrder(
    db,
    orderFee,
    sql`${ofOrders}${view.canceledFees ? empty : sql` AND canceled = 0`}`,
    sql`id`,
  )
  const payments = await childrenByOrder(db, orderPayment, ofOrders, sql`local_id`)
  const refunds = await childrenByOrder(db, orderRefund, ofOrders, sql`local_id`)
  return orders.map((cells) => {
    const slug = events.get(cells.event)?.slug ?? ''
    return maskedRow(
      order,
      audience,
      shownOrder(cells, {
        event: slug,
        fees: fees.get(cells.id) ?? [],
        positions: positions.get(cells.id) ?? [],
        payments: (payments.get(cells.id) ?? []).map(shownPayment),
        refunds: refunds.get(cells.id) ?? [],
        downloads: orderDownloads(site, cells),
        url: `${view.origin}/${organizer.slug}/${slug}/order/${cells.code}/${cells.secret}/`,
      }),
    )
  })
}

/** There is no page on which payments are made. */
const shownPayment = (payment: JsonObject): JsonObject => ({ ...payment, payment_url: null })

/** The payments of an order as the API shows them, the oldest first. */
export const presentPayments = async (
  db: Queryable,
  order: OrderCells,
  organizer: number,
): Promise<JsonObject[]> =>
  (
    (await childrenByOrder(db, orderPayment, ofOrder(order, organizer), sql`local_id`)).get(order.id) ?? []
  ).map(shownPayment)

/** The refunds of an order as the API shows them, the oldest first. */
export const presentRefunds = async (
  db: Queryable,
  order: OrderCells,
  organizer: number,
): Promise<JsonObject[]> =>
  (await childrenByOrder(db, orderRefund, ofOrder(order, organizer), sql`local_id`)).get(order.id) ?? []

const ofOrder = ({ id }: OrderCells, organizer: number): Sql =>
  sql`organizer = ${organizer} AND order_id = ${id}`

/** What is shown of an order beside its own fields. */
interface OrderParts {
  readonly event: string
  readonly fees: readonly JsonObject[]
  readonly positions: readonly JsonObject[]
  readonly payments: readonly JsonObject[]
  readonly refunds: readonly JsonObject[]
  readonly downloads: readonly TicketDownload[]
  readonly url: string
}

/** An order in the JSON form of the API. */
export type ShownOrder = Flat<
  Omit<OrderRow, 'id' | 'invoice_address'> & OrderParts & { readonly invoice_address: unknown }
>

type Flat<T> = { [K in keyof T]: T[K] }

function shownOrder(cells: OrderCells, parts: OrderParts): ShownOrder {
  const { id: _, invoice_address: address, code, ...row } = rowOf(order, cells)
  const { event, ...rest } = parts
  return { code, event, ...row, invoice_address: shownAddress(address), ...rest }
}

const shownAddress = (address: unknown): unknown =>
  typeof address === 'object' && address !== null && 'last_modified' in address
    ? { ...address, last_modified: shownInstant(String(address.last_modified)) }
    : null

async function positionsByOrder(
  db: Queryable,
  view: OrderView,
  orders: readonly OrderCells[],
  site: DownloadSite,
) {
  const { organizer, canceledPositions, audience } = view
  const found = await selectPositions(
    db,
    sql`p.organizer = ${organizer.id} AND p.order_id IN (${join(orders.map((one) => one.id))})${canceledPositions ? empty : sql` AND p.canceled = 0`}`,
    sql`p.positionid, p.id`,
  )
  const shown = await presentPositions(db, organizer.id, found, { list: null, atDoor: false, site, audience })
  const printed = view.pdfData
    ? await addPdfData(db, organizer.id, site, { positions: found, shown, audience })
    : shown
  return grouped(printed.map((row, index) => [found[index]?.order_id ?? 0, row]))
}

async function childrenByOrder(db: Queryable, resource: Resource, condition: Sql, sorted: Sql) {
  const cells = await db.all(sql`SELECT * FROM ${named(resource.name)} WHERE ${condition} ORDER BY ${sorted}`)
  return grouped(cells.map((row) => [Number(row.order_id), decodeRow(resource.fields, row)]))
}

function grouped(pairs: readonly (readonly [number, JsonObject])[]): Map<number, JsonObject[]> {
  const groups = new Map<number, JsonObject[]>()
  for (const [key, row] of pairs) {
    const rows = groups.get(key)
    if (rows) rows.push(row)
    else groups.set(key, [row])
  }
  return groups
}
