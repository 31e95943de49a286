import assert from 'node:assert/strict'
import type { GuestDocument } from '../../../schema/bodies/print-jobs.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { ticketLayoutItem } from '../../../schema/resources/layouts/ticket-layout-item.ts'
import { positionPage } from '../../../server/exporters/printing/position-page.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { ticketDocuments } from '../../../server/services/printing/ticket-documents.ts'
import { openPrintEvent, type PrintEvent } from '../../support/ticketing/print-event.ts'

/** The layouts and settings of an event, the product and the ticket; how a document looks then, and whether it comes. */
interface Case {
  readonly what: string
  readonly document: GuestDocument
  /** Names of layouts; the first is the default one. */
  readonly layouts?: readonly string[]
  /** The layout that the product has, by its name; null for none. */
  readonly assigned?: string | null
  /** The channel that it has it for. */
  readonly channel?: string
  readonly isDefault?: boolean
  readonly settings?: RowData
  readonly item?: RowData
  readonly order?: RowData
  readonly isAddon?: boolean
  readonly look: string | null
  readonly comes: boolean
}

const cases: readonly Case[] = [
  { what: 'a badge without any layout', document: 'badge', look: 'plain', comes: true },
  { what: 'a wristband without any layout', document: 'wristband', look: 'plain', comes: true },
  { what: 'a badge of the default layout', document: 'badge', layouts: ['A', 'B'], look: 'A', comes: true },
  {
    ...{ what: 'a badge whose layouts are for others', document: 'badge', layouts: ['A'], isDefault: false },
    ...{ look: 'plain', comes: false },
  },
  {
    ...{ what: 'a badge of its own layout', document: 'badge', layouts: ['A', 'B'], assigned: 'B' },
    ...{ look: 'B', comes: true },
  },
  {
    ...{ what: 'a product without a badge', document: 'badge', layouts: ['A'], assigned: null },
    ...{ look: null, comes: false },
  },
  {
    ...{ what: 'a product without a wristband', document: 'wristband', layouts: ['A'], assigned: null },
    ...{ look: null, comes: false },
  },
  { what: 'a ticket without any layout', document: 'ticket', look: 'plain', comes: true },
  { what: 'a ticket of the default layout', document: 'ticket', layouts: ['A', 'B'], look: 'A', comes: true },
  {
    ...{ what: 'a ticket of the layout for its channel', document: 'ticket', layouts: ['A', 'B'] },
    ...{ assigned: 'B', channel: 'boxoffice', order: { sales_channel: 'boxoffice' }, look: 'B', comes: true },
  },
  {
    ...{
      what: 'a ticket of the layout for the web, sold elsewhere',
      document: 'ticket',
      layouts: ['A', 'B'],
    },
    ...{ assigned: 'B', channel: 'web', order: { sales_channel: 'boxoffice' }, look: 'B', comes: true },
  },
  {
    ...{ what: 'a ticket whose layout is for another channel', document: 'ticket', layouts: ['A', 'B'] },
    ...{ assigned: 'B', channel: 'boxoffice', look: 'A', comes: true },
  },
  {
    ...{ what: 'a product without tickets', document: 'ticket', layouts: ['A'] },
    ...{ item: { generate_tickets: false }, look: null, comes: false },
  },
  { what: 'an add-on', document: 'ticket', layouts: ['A'], isAddon: true, look: null, comes: false },
  {
    ...{ what: 'an add-on with tickets for add-ons', document: 'ticket', layouts: ['A'], isAddon: true },
    ...{ settings: { ticket_download_addons: true }, look: 'A', comes: true },
  },
  {
    ...{ what: 'an add-on whose product always has one', document: 'ticket', layouts: ['A'], isAddon: true },
    ...{ item: { generate_tickets: true }, look: 'A', comes: true },
  },
  {
    ...{ what: 'what admits nobody', document: 'ticket', layouts: ['A'], item: { admission: false } },
    ...{ look: 'A', comes: true },
  },
  {
    ...{ what: 'what admits nobody, with tickets for admission alone', document: 'ticket', layouts: ['A'] },
    ...{ item: { admission: false }, settings: { ticket_download_nonadm: false }, look: null, comes: false },
  },
  {
    ...{ what: 'a ticket that is not paid', document: 'ticket', layouts: ['A'], order: { status: 'n' } },
    ...{ look: 'A', comes: false },
  },
  {
    ...{ what: 'one that is not paid, with tickets for those', document: 'ticket', layouts: ['A'] },
    ...{ order: { status: 'n' }, settings: { ticket_download_pending: true }, look: 'A', comes: true },
  },
  {
    ...{ what: 'a badge of what is not paid', document: 'badge', layouts: ['A'], order: { status: 'n' } },
    ...{ look: 'A', comes: true },
  },
]

describe('what is printed of a ticket', () => {
  let world: PrintEvent
  beforeEach(async () => {
    world = await openPrintEvent()
  })
  afterEach(() => world.database.close())

  async function prepared({ document, layouts = [], ...wanted }: Case) {
    const { place, add, transactions } = world
    const { settings = {}, assigned, channel = 'web', isDefault = true } = wanted
    await transactions.write((tx) => updateRow(tx, event, place, { id: place.event, settings }))
    const item = await world.addItem('Product', wanted.item)
    const kind = document === 'ticket' ? ticketLayout : badgeLayout
    const ids = new Map<string, number>()
    for (const [at, name] of layouts.entries())
      ids.set(name, await add(kind, { name, layout: [], default: isDefault && at === 0 }))
    const layout = ids.get(assigned ?? '') ?? null
    if (assigned !== undefined)
      await (document === 'ticket'
        ? add(ticketLayoutItem, { item, layout, sales_channel: channel })
        : add(badgeItem, { item, layout }))
    const sold = await world.sell([{}, { item, addon_to: wanted.isAddon ? 0 : null }], wanted.order)
    return { ticket: sold[1], nameOf: (id: number) => [...ids].find((one) => one[1] === id)?.[0] }
  }

  for (const wanted of cases)
    it(`is known for ${wanted.what}, and is what is drawn`, async () => {
      const { database, place } = world
      const { ticket, nameOf } = await prepared(wanted)
      assert.ok(ticket)
      const at = { organizer: place.organizer, event: await world.facts() }
      const { look, comes } = (await ticketDocuments(database, at, wanted.document))(ticket)
      const named = look === null || look === 'plain' ? look : nameOf(look.id)
      assert.deepEqual({ look: named, comes }, { look: wanted.look, comes: wanted.comes })
      const document = wanted.document === 'ticket' ? 'ticket' : 'badge'
      const page = await positionPage(database, { ...place, position: ticket.id, document })
      assert.equal(page === null, wanted.look === null)
    })
})
