import sql, { type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Resource } from '../../../schema/resource.ts'
import { tableOf } from '../../../schema/resource.ts'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { waitingListEntry } from '../../../schema/resources/carts/waiting-list-entry.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { discount } from '../../../schema/resources/catalogue/discount.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { event as eventResource } from '../../../schema/resources/events/event.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { decodeRow } from '../../resource/codec.ts'
import { named } from '../../resource/store.ts'
import { withPicture } from '../../services/catalogue/item-pictures.ts'
import { type OrderCells, type OrderView, presentOrders } from '../../services/orders/order-present.ts'
import type { Cells } from '../../storage/database.ts'
import { pageSize } from '../format/event-pages.ts'
import { NothingToExport, type Run } from '../format/exporter.ts'
import { utf8 } from '../format/utf8.ts'

/** The parts of an event by their names in the file, each in the form that the interface gives it. */
const parts: readonly (readonly [name: string, resource: Resource])[] = [
  ['categories', category],
  ['tax_rules', taxRule],
  ['subevents', subevent],
  ['items', item],
  ['item_variations', variation],
  ['item_addons', itemAddon],
  ['item_bundles', itemBundle],
  ['questions', question],
  ['question_options', questionOption],
  ['quotas', quota],
  ['discounts', discount],
  ['seats', seat],
  ['checkin_lists', checkinList],
  ['vouchers', voucher],
  ['waiting_list', waitingListEntry],
]

/** So many orders are held at once, each with all that belongs to it. */
const ordersPerPage = 200

/** Writes everything about an event as JSON. */
export const eventJsonFile = (run: Run): AsyncGenerator<Uint8Array> => utf8(writeEvent(run))

async function* writeEvent(run: Run): AsyncGenerator<string> {
  const [event] = run.events
  const [own] = event
    ? await run.db.all<Cells>(
        sql`SELECT * FROM event WHERE organizer = ${run.organizer.id} AND id = ${event.id}`,
      )
    : []
  if (!event || !own) throw new NothingToExport('The event was deleted meanwhile.')
  const at = sql`organizer = ${run.organizer.id} AND event = ${event.id}`
  const counted = await run.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM orders WHERE ${at}`)
  run.expect(counted?.count ?? 0)
  yield `{"event":${JSON.stringify({ organizer: run.organizer.slug, ...decodeRow(eventResource.fields, own) })}`
  for (const [name, resource] of parts) {
    if (resource === voucher && !run.permissions.has('can_view_vouchers')) continue
    yield* listOf(
      name,
      rowsOf(run, event.slug, {
        resource,
        statement: sql`SELECT * FROM ${named(tableOf(resource))} WHERE ${at} ORDER BY id`,
        more: parentOf(resource),
      }),
    )
  }
  yield* listOf('orders', ordersOf(run, at))
  // Successful ones are with their tickets.
  yield* listOf(
    'failed_checkins',
    rowsOf(run, event.slug, {
      resource: checkin,
      statement: sql`SELECT * FROM checkin WHERE ${at} AND successful = 0 ORDER BY id`,
      more: ['raw_barcode'],
    }),
  )
  yield '}\n'
}

/** What says whose a row is, which the interface says in its path. */
const parentOf = ({ parent }: Resource): readonly string[] => (parent ? [parent.field] : [])

const shownRow = (
  { origin, organizer }: Run,
  event: string,
  resource: Resource,
  row: JsonObject,
): JsonObject => (resource === item ? withPicture({ origin, organizer: organizer.slug, event }, row) : row)

async function* rowsOf(
  run: Run,
  event: string,
  {
    resource,
    statement,
    more,
  }: { readonly resource: Resource; readonly statement: Sql; readonly more: readonly string[] },
): AsyncGenerator<readonly unknown[]> {
  for await (const page of run.db.pages<Cells>(statement, pageSize))
    yield page.map((cells) => ({
      ...shownRow(run, event, resource, decodeRow(resource.fields, cells)),
      ...Object.fromEntries(more.map((name) => [name, cells[name]])),
    }))
}

async function* ordersOf(run: Run, at: Sql): AsyncGenerator<readonly unknown[]> {
  const view: OrderView = {
    organizer: run.organizer,
    origin: run.origin,
    canceledPositions: true,
    canceledFees: true,
    audience: 'sale',
  }
  const statement = sql`SELECT * FROM orders WHERE ${at} ORDER BY datetime, id`
  for await (const page of run.db.pages<OrderCells>(statement, ordersPerPage)) {
    yield await presentOrders(run.db, view, page)
    run.advance(page.length)
  }
}

async function* listOf(name: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    yield (isFirst ? '\n' : ',\n') + page.map((row) => JSON.stringify(row)).join(',\n')
    isFirst = false
  }
  yield ']'
}
