import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { ticketLayoutItem } from '../../../schema/resources/layouts/ticket-layout-item.ts'
import { contradictory, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { findRows, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { channelErrors } from '../events/sales-channels.ts'
import {
  backgroundAddress,
  chosenBackground,
  forgetBackground,
  keepBackground,
} from './layout-backgrounds.ts'
import { readElements } from './layout-elements.ts'

type PageLayout = typeof badgeLayout | typeof ticketLayout

/** A kind of layout: what says which items it is for, and what of that is shown with it. */
interface LayoutKind {
  readonly resource: PageLayout
  readonly assignments: (
    db: Queryable,
    place: Place,
    layouts: readonly number[],
  ) => Promise<readonly Assigned[]>
}

/** That a layout is for something. */
interface Assigned {
  readonly layout: number | null
  readonly shown: JsonObject
}

const of = (layouts: readonly number[]) => ({ where: sql`"layout" IN (${join([...layouts])})` })

const badges: LayoutKind = {
  resource: badgeLayout,
  assignments: async (db, place, layouts) =>
    (await findRows(db, badgeItem, place, of(layouts))).map(({ layout, item }) => ({
      layout,
      shown: { item },
    })),
}

const tickets: LayoutKind = {
  resource: ticketLayout,
  assignments: async (db, place, layouts) =>
    (await findRows(db, ticketLayoutItem, place, of(layouts))).map(({ layout, item, sales_channel }) => ({
      layout,
      shown: { item, sales_channel },
    })),
}

/** The path of the layouts of a kind, as seen from outside. */
const collectionOf = (resource: PageLayout, { organizer, event }: Scope): string =>
  `/api/v1/organizers/${organizer.slug}/events/${event?.slug ?? ''}/${resource.path}/`

const layoutBehaviour = ({ resource, assignments }: LayoutKind): Behaviour<PageLayout> => ({
  async prepare(tx, scope, change) {
    const { next, before } = change
    const layout = readElements(next.layout)
    if (next.default && !before?.default) await refuseSecondDefault(tx, scope.place, resource)
    const chosen = await chosenBackground(tx, scope, collectionOf(resource, scope), change)
    if ('errors' in chosen) throw invalid(chosen.errors)
    return { ...next, layout, background: chosen.background }
  },
  afterWrite: (tx, scope, { next, before }) => keepBackground(tx, scope, next, before),
  async beforeDelete(tx, { place }, row) {
    await forgetBackground(tx, place, row.id)
    if (row.default) await appointDefault(tx, place, resource, row.id)
  },
  async present(db, scope, rows) {
    if (rows.length === 0) return []
    const assigned = await assignments(
      db,
      scope.place,
      rows.map(({ id }) => id),
    )
    const site = { origin: scope.origin ?? '', collection: collectionOf(resource, scope) }
    return rows.map((row) => ({
      ...row,
      background: backgroundAddress(site, row),
      item_assignments: assigned.filter(({ layout }) => layout === row.id).map(({ shown }) => shown),
    }))
  },
})

/** The layouts of an event, of which others cannot change which one is the default until the transaction ends. */
async function layoutsOf(tx: Tx, place: Place, resource: PageLayout): Promise<StoredRow<PageLayout>[]> {
  await tx.get(
    sql`SELECT id FROM event WHERE organizer = ${place.organizer} AND id = ${place.event}${tx.forUpdate}`,
  )
  return findRows(tx, resource, place, { order: sql`"name", id` })
}

async function refuseSecondDefault(tx: Tx, place: Place, resource: PageLayout): Promise<void> {
  if ((await layoutsOf(tx, place, resource)).some((one) => one.default))
    throw contradictory('You cannot have two layouts with default = True')
}

/** Makes the first of the other layouts the default one. */
async function appointDefault(tx: Tx, place: Place, resource: PageLayout, former: number): Promise<void> {
  const heir = (await layoutsOf(tx, place, resource)).find(({ id }) => id !== former)
  if (heir) await updateRow(tx, resource, place, { id: heir.id, default: true })
}

/** What layouts of badges must keep to, and what is shown with them. */
export const badgeLayoutBehaviour: Behaviour<typeof badgeLayout> = layoutBehaviour(badges)

/** The same for layouts of tickets. */
export const ticketLayoutBehaviour: Behaviour<typeof ticketLayout> = layoutBehaviour(tickets)

/** What must be kept to where items have layouts of tickets: one for each item and channel. */
export const ticketLayoutItemBehaviour: Behaviour<typeof ticketLayoutItem> = {
  async prepare(tx, { place }, { next, before }: RowChange<typeof ticketLayoutItem>) {
    const errors = await channelErrors(tx, place, 'sales_channel', [next.sales_channel])
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const where = sql`item = ${next.item} AND sales_channel = ${next.sales_channel}`
    const others = await findRows(tx, ticketLayoutItem, place, { where })
    if (others.some(({ id }) => id !== before?.id))
      throw contradictory('This item has a layout for this sales channel already.')
    return next
  },
}
