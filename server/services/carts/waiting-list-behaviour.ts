import sql from 'sql-template-tag'
import { type JsonObject, nullable, text } from '../../../schema/fields.ts'
import {
  type WaitingListEntry,
  waitingListEntry,
} from '../../../schema/resources/carts/waiting-list-entry.ts'
import { type Item, item } from '../../../schema/resources/catalogue/item.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import type { ProductLine } from '../../domain/quotas/quotas.ts'
import { fullName } from '../../domain/text/names.ts'
import { contradictory, denied, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { readBody } from '../../resource/input.ts'
import { countRows, findRow, findRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { readName } from '../pricing/position-input.ts'
import { productAvailability } from '../quotas/product-availability.ts'
import { lockQuotas } from '../quotas/quota-usage.ts'

/** What entries of the waiting list must keep to: people wait once, for what is sold out, until they are served. */
export const waitingListBehaviour: Behaviour<typeof waitingListEntry> = {
  async prepare(tx, scope, { next, before, body }) {
    refuseIfServed(before)
    const row: WaitingListEntry = {
      ...next,
      name_parts: namePartsOf(scope, next, body),
      created: before?.created ?? tx.now,
      locale: before || Object.hasOwn(body, 'locale') ? next.locale : (scope.event?.locale ?? next.locale),
    }
    const product = await checkProduct(tx, scope, row)
    const isMoved = !before || fieldsOfProduct.some((name) => before[name] !== row[name])
    // Held while it is looked at, so that nobody joins twice or just as there is room.
    if (isMoved) await lockQuotas(tx, scope.place, [lineOf(row)])
    if (isMoved || before.email !== row.email) await checkOnce(tx, scope, row, before)
    if (isMoved) await checkNeed(tx, scope, product, row)
    return row
  },
  present: async (_db, scope, rows) =>
    rows.map((row) => ({
      ...row,
      name: fullName(row.name_parts, scope.event?.nameScheme ?? ''),
    })),
  async beforeDelete(_tx, _scope, row) {
    refuseIfServed(row)
  },
  action: (done) => `ticketsvc.event.orders.waitinglist.${done}`,
}

const fieldsOfProduct = ['item', 'variation', 'subevent'] as const

/** What an entry waits for. */
export const lineOf = ({ item: product, variation: form, subevent }: WaitingListEntry): ProductLine => ({
  item: product,
  variation: form,
  subevent,
})

function refuseIfServed(row: WaitingListEntry | undefined): void {
  if (row && row.voucher !== null)
    throw denied('A voucher was sent for this entry, so that it cannot be changed any more.')
}

const nameField = { name: nullable(text({ default: '', maxLength: 255 })) }

/** The parts of the name that a body gives, whole or in parts; those that there are where it gives none. */
function namePartsOf(
  { event }: Scope,
  next: WaitingListEntry,
  body: JsonObject,
): WaitingListEntry['name_parts'] {
  const { name } = readBody(nameField, body, { partial: true, locale: event?.locale ?? 'en' })
  const isGiven = Object.hasOwn(body, 'name_parts')
  const parts = isGiven ? next.name_parts : undefined
  const read = readName({ whole: name, parts }, 'name', event?.nameScheme ?? '')
  if (read === undefined) return next.name_parts
  return Object.keys(read).length === 0 && !parts ? null : read
}

async function checkProduct(tx: Tx, scope: Scope, row: WaitingListEntry): Promise<Item> {
  const product = await findRow(tx, item, scope.place, { id: row.item })
  const forms = await findRows(tx, variation, scope.place, { where: sql`item = ${row.item}` })
  const errors: FieldErrors = {}
  if (forms.length > 0 && row.variation === null)
    errors.variation = ['Choose one of the variations of this product.']
  else if (row.variation !== null && !forms.some(({ id }) => id === row.variation))
    errors.variation = ['This variation does not belong to this product.']
  if (scope.event?.hasSubevents && row.subevent === null) errors.subevent = ['Choose a date of the series.']
  else if (!scope.event?.hasSubevents && row.subevent !== null)
    errors.subevent = ['This event is not a series, so it has no dates of its own.']
  if (!product) errors.item = [`Invalid pk "${row.item}" - object does not exist.`]
  if (!product || Object.keys(errors).length > 0) throw invalid(errors)
  return product
}

/** Refuses what waits already, as often as one person may. */
async function checkOnce(
  tx: Tx,
  { place, event }: Scope,
  row: WaitingListEntry,
  before: WaitingListEntry | undefined,
): Promise<void> {
  const { item: product, variation: form, subevent } = lineOf(row)
  const same = await countRows(
    tx,
    waitingListEntry,
    place,
    sql`item = ${product} AND coalesce(variation, 0) = ${form ?? 0} AND coalesce(subevent, 0) = ${subevent ?? 0}
        AND voucher IS NULL AND lower(email) = ${row.email.toLowerCase()} AND id <> ${before?.id ?? 0}`,
  )
  if (same >= Number(event?.settings.waiting_list_limit_per_user))
    throw contradictory('This email address is on the waiting list for this product already.')
}

/** Refuses those who need not or may not wait. */
async function checkNeed(
  tx: Tx,
  { place, event }: Scope,
  product: Item,
  row: WaitingListEntry,
): Promise<void> {
  if (event?.settings.waiting_list_enabled !== true) throw denied('This event has no waiting list.')
  if (!product.allow_waitinglist) throw denied('Nobody can wait for this product.')
  const [left] = await productAvailability(tx, place, [lineOf(row)], { now: tx.now })
  if (left?.state === 'available')
    throw denied('This product is available at the moment, so that nobody has to wait for it.')
}
