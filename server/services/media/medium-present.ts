import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { ReusableMedium } from '../../../schema/resources/media/reusable-medium.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { denied } from '../../errors.ts'
import { entersEvent, may } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { audienceOf } from '../../resource/mask.ts'
import { type Query, repeated } from '../../resource/query.ts'
import { shown } from '../../resource/routes.ts'
import { findRows } from '../../resource/store.ts'
import type { Queryable } from '../../storage/database.ts'
import { withName } from '../catalogue/customer-behaviour.ts'
import { presentPositions, selectPositions } from '../orders/positions.ts'
import { downloadSiteOf, eventsById } from '../orders/ticket-downloads.ts'
import { knownPositions } from './find-medium.ts'

type Shown = ReadonlyMap<unknown, JsonObject>

/** Media in the JSON form of the API, with what a query asks to see of their tickets, gift cards and customers. */
export async function presentMedia(
  db: Queryable,
  scope: Scope,
  media: readonly ReusableMedium[],
  query: Query,
): Promise<readonly JsonObject[]> {
  const asked = new Set(repeated(query, 'expand'))
  const ids = media.flatMap((medium) => medium.linked_orderpositions)
  const known = await knownPositions(db, scope.organizer.id, ids)
  const isExpanded = asked.has('linked_orderposition') || asked.has('linked_orderpositions')
  const tickets = isExpanded ? await ticketsIn(db, scope, [...known.keys()]) : undefined
  const cards = asked.has('linked_giftcard') ? await cardsOf(db, scope, media) : undefined
  const customers = asked.has('customer') ? await customersOf(db, scope, media) : undefined
  return media.map((medium) => {
    const linked = medium.linked_orderpositions
      .filter((id) => known.has(id))
      .map((id) => (tickets ? (tickets.get(id) ?? { id }) : id))
    return {
      ...medium,
      organizer: scope.organizer.slug,
      linked_orderpositions: linked,
      ...(linked.length < 2 ? { linked_orderposition: linked[0] ?? null } : {}),
      linked_giftcard: cards?.get(medium.linked_giftcard) ?? medium.linked_giftcard,
      customer: customers?.get(medium.customer) ?? medium.customer,
    }
  })
}

/** The positions with these ids as far as the caller may see the orders of their events. */
async function ticketsIn(db: Queryable, scope: Scope, ids: readonly number[]): Promise<Shown> {
  const { actor, organizer, origin = '' } = scope
  if (ids.length === 0 || !may(actor, 'can_view_orders')) return new Map()
  const found = await selectPositions(
    db,
    sql`p.organizer = ${organizer.id} AND p.id IN (${join([...ids])})`,
    sql`p.id`,
  )
  const seen = found.filter(({ event }) => entersEvent(actor, organizer.id, event))
  const events = await eventsById(
    db,
    organizer.id,
    seen.map(({ event }) => event),
  )
  const lists = [...events.values()].map((event) => ({ event }))
  const site = downloadSiteOf(origin, organizer.slug, lists)
  const view = { list: null, atDoor: false, site, audience: audienceOf(actor) }
  const rows = await presentPositions(db, organizer.id, seen, view)
  return new Map(
    rows.map((row, index) => {
      const event = events.get(seen[index]?.event ?? 0)?.slug
      return [row.id, { ...row, order: { code: row.order, event } }]
    }),
  )
}

async function cardsOf(db: Queryable, scope: Scope, media: readonly ReusableMedium[]): Promise<Shown> {
  if (!may(scope.actor, 'can_manage_gift_cards')) throw denied('No permission to access gift card details.')
  const ids = media.flatMap(({ linked_giftcard: id }) => id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await findRows(db, giftCard, scope.place, { where: sql`id IN (${join(ids)})` })
  return new Map(rows.map((row) => [row.id, shown(giftCard, row)]))
}

async function customersOf(db: Queryable, scope: Scope, media: readonly ReusableMedium[]): Promise<Shown> {
  if (!may(scope.actor, 'can_manage_customers')) throw denied('No permission to access customer details.')
  const names = media.flatMap(({ customer: name }) => name ?? [])
  if (names.length === 0) return new Map()
  const rows = await findRows(db, customer, scope.place, { where: sql`identifier IN (${join(names)})` })
  return new Map(rows.map((row) => [row.identifier, shown(customer, withName(row))]))
}
