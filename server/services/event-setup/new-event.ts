import sql from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { salesChannelIdentifiers } from '../../../schema/sales-channels.ts'
import { toInstant } from '../../domain/text/time.ts'
import { readDateTime } from '../../domain/text/typed-times.ts'
import { isTimeZone } from '../../domain/text/zones.ts'
import { impossible } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { readBody } from '../../resource/input.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { commandActor } from '../accounts/accounts.ts'
import { prepareEvent } from './event-behaviour.ts'

/** What a person says of an event that is to have an entrance. */
export interface NewEvent {
  readonly slug: string
  readonly name: string
  /** Day and time as users type them, on the clocks of the time zone. */
  readonly starts: string
  readonly timezone: string
  /** Three letters. */
  readonly currency: string
  /** Names of its ticket types, at least one. */
  readonly products: readonly string[]
}

/** The ids of what was made. */
export interface MadeEvent {
  readonly id: number
  readonly slug: string
  readonly products: readonly { readonly id: number; readonly name: string }[]
  readonly checkin_list: number
}

/**
 * Makes an event that tickets can be brought into and scanned at: ticket types that cost nothing, one quota without a
 * limit, one check-in list for all of them, and live. Refuses what an event may not be, each time with what to do.
 */
export async function createEvent(
  tx: Tx,
  organizer: { readonly id: number; readonly slug: string },
  wanted: NewEvent,
): Promise<MadeEvent> {
  const organizerPlace: Place = { organizer: organizer.id, event: 0 }
  const scope: Scope = { actor: commandActor, place: organizerPlace, organizer, event: null }
  if (await tx.get(sql`SELECT id FROM event WHERE organizer = ${organizer.id} AND slug = ${wanted.slug}`))
    throw impossible(`There is an event "${wanted.slug}" already.`)
  const twice = wanted.products.find((name, place) => wanted.products.indexOf(name) !== place)
  if (twice !== undefined) throw impossible(`There cannot be two ticket types "${twice}".`)
  const sent = {
    name: { en: wanted.name },
    slug: wanted.slug,
    currency: wanted.currency,
    timezone: wanted.timezone,
    date_from: startOf(wanted),
  }
  const values = readBody(event.fields, sent, { partial: false, locale: 'en' })
  const row = await prepareEvent(tx, scope, {
    next: { ...blankRow(event), ...values },
    before: undefined,
    body: sent,
  })
  const id = tx.nextId()
  await insertRow(tx, event, organizerPlace, { ...row, id })
  const place: Place = { organizer: organizer.id, event: id }
  const products = []
  for (const [position, name] of wanted.products.entries()) {
    const ticket = { admission: true, personalized: true, default_price: '0.00' }
    const row = { ...blankRow(item), ...ticket, ...everyChannel }
    const product = { ...row, id: tx.nextId(), name: { en: name }, position }
    await insertRow(tx, item, place, product)
    products.push({ id: product.id, name })
  }
  const items = products.map((product) => product.id)
  await insertRow(tx, quota, place, {
    ...blankRow(quota),
    id: tx.nextId(),
    name: 'Tickets',
    size: null,
    items,
  })
  const list = tx.nextId()
  await insertRow(tx, checkinList, place, {
    ...blankRow(checkinList),
    id: list,
    name: 'Entrance',
    all_products: true,
  })
  await updateRow(tx, event, organizerPlace, { id, live: true })
  for (const action of ['added', 'live.activated'])
    tx.audit(place, commandActor, { action: `ticketsvc.event.${action}`, resource: event.name, row: id })
  return { id, slug: wanted.slug, products, checkin_list: list }
}

/** Tickets are sold everywhere until somebody says otherwise, at the door as well. */
const everyChannel = { all_sales_channels: true, sales_channels: [...salesChannelIdentifiers] }

function startOf({ starts, timezone }: NewEvent): string {
  if (!isTimeZone(timezone)) throw impossible(`"${timezone}" is not a time zone. Say one like Europe/Berlin.`)
  const clock = readDateTime(starts)
  if (clock === undefined)
    throw impossible(`"${starts}" is not a day with a time. Say it like 2030-12-31T19:30.`)
  return toInstant(clock, timezone)
}
