import sql, { empty, join, type Sql } from 'sql-template-tag'
import { shownInstant } from '../../schema/instants.ts'
import type { Resource } from '../../schema/resource.ts'
import { order } from '../../schema/resources/order.ts'
import { orderFee } from '../../schema/resources/order-fee.ts'
import { orderPayment } from '../../schema/resources/order-payment.ts'
import { decodeRow, type RowData } from '../resource/codec.ts'
import { named, rowOf } from '../resource/store.ts'
import type { Cells, Queryable } from '../storage/database.ts'
import { presentPositions, selectPositions } from './positions.ts'

/** The stored cells of an order; the total is in hundredths. */
export type OrderCells = Cells & {
  readonly id: number
  readonly event: number
  readonly code: string
  readonly status: 'n' | 'p' | 'e' | 'c'
  readonly total: number
}

/** What is shown of orders. */
export interface OrderView {
  /** The organizer's slug, and where this server is reached. */
  readonly organizer: { readonly id: number; readonly slug: string }
  readonly origin: string
  readonly canceledPositions: boolean
  readonly canceledFees: boolean
}

/** Orders in the JSON form of the API, with a fixed number of statements. */
export async function presentOrders(
  db: Queryable,
  view: OrderView,
  orders: readonly OrderCells[],
): Promise<RowData[]> {
  if (orders.length === 0) return []
  const { organizer } = view
  const ofOrders = sql`organizer = ${organizer.id} AND order_id IN (${join(orders.map((one) => one.id))})`
  const slugs = await eventSlugs(db, organizer.id, orders)
  const positions = await positionsByOrder(db, view, orders)
  const fees = await childrenByOrder(
    db,
    orderFee,
    sql`${ofOrders}${view.canceledFees ? empty : sql` AND canceled = 0`}`,
    sql`id`,
  )
  const payments = await childrenByOrder(db, orderPayment, ofOrders, sql`local_id`)
  return orders.map((cells) => {
    const slug = slugs.get(cells.event) ?? ''
    return shownOrder(cells, {
      event: slug,
      fees: fees.get(cells.id) ?? [],
      positions: positions.get(cells.id) ?? [],
      payments: (payments.get(cells.id) ?? []).map((payment) => ({ ...payment, payment_url: null })),
      url: `${view.origin}/${organizer.slug}/${slug}/order/${cells.code}/${cells.secret}/`,
    })
  })
}

interface OrderParts {
  readonly event: string
  readonly fees: readonly RowData[]
  readonly positions: readonly RowData[]
  readonly payments: readonly RowData[]
  readonly url: string
}

function shownOrder(cells: OrderCells, parts: OrderParts): RowData {
  const { id: _, invoice_address: address, code, ...row } = rowOf(order, cells)
  const { event, ...rest } = parts
  return { code, event, ...row, invoice_address: shownAddress(address), ...rest, downloads: [], refunds: [] }
}

const shownAddress = (address: unknown): unknown =>
  typeof address === 'object' && address !== null && 'last_modified' in address
    ? { ...address, last_modified: shownInstant(String(address.last_modified)) }
    : null

async function eventSlugs(db: Queryable, organizer: number, orders: readonly OrderCells[]) {
  const events = [...new Set(orders.map((one) => one.event))]
  const rows = await db.all<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM event WHERE organizer = ${organizer} AND id IN (${join(events)})`,
  )
  return new Map(rows.map((row) => [row.id, row.slug]))
}

async function positionsByOrder(db: Queryable, view: OrderView, orders: readonly OrderCells[]) {
  const { organizer, canceledPositions } = view
  const found = await selectPositions(
    db,
    sql`p.organizer = ${organizer.id} AND p.order_id IN (${join(orders.map((one) => one.id))})${canceledPositions ? empty : sql` AND p.canceled = 0`}`,
    sql`p.positionid, p.id`,
  )
  const shown = await presentPositions(db, organizer.id, found, { list: null, atDoor: false })
  return grouped(shown.map((row, index) => [found[index]?.order_id ?? 0, row]))
}

async function childrenByOrder(db: Queryable, resource: Resource, condition: Sql, sorted: Sql) {
  const cells = await db.all(sql`SELECT * FROM ${named(resource.name)} WHERE ${condition} ORDER BY ${sorted}`)
  return grouped(cells.map((row) => [Number(row.order_id), decodeRow(resource.fields, row)]))
}

function grouped(pairs: readonly (readonly [number, RowData])[]): Map<number, RowData[]> {
  const groups = new Map<number, RowData[]>()
  for (const [key, row] of pairs) {
    const rows = groups.get(key)
    if (rows) rows.push(row)
    else groups.set(key, [row])
  }
  return groups
}
