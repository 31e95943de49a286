import type { GuestDocument } from '../../../schema/bodies/print-jobs.ts'
import type { PageElement } from '../../../schema/page-elements.ts'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { ticketLayoutItem } from '../../../schema/resources/layouts/ticket-layout-item.ts'
import type { EventFacts } from '../../resource/api.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import { hasTicketFor, whyNoTicketOf } from '../orders/ticket-downloads.ts'

/** The part of a layout that pages are drawn from. */
export interface PageLayout {
  readonly id: number
  readonly layout: readonly PageElement[]
  readonly background: string | null
}

/** How a document of a ticket looks: as a layout says, or `plain` where nobody has drawn one. */
export type DocumentLook = PageLayout | 'plain'

/** What is known of a document of a ticket. */
export interface TicketDocument {
  /** Null where there is none: its product is to have no badge, or has no ticket. */
  readonly look: DocumentLook | null
  /**
   * Whether it is printed by itself. A badge that no layout is for is printed only for who asks for it, unless nobody has
   * drawn any at all; so is a ticket that is not paid.
   */
  readonly comes: boolean
}

/** The channel whose layout tickets have that were sold through one without a layout of its own. */
const usualChannel = 'web'

const none: TicketDocument = { look: null, comes: false }

/**
 * Says how a document of the tickets of an event looks and whether it comes with them; a wristband is the page of the
 * badge. The one rule for what is printed, shown and exported.
 */
export async function ticketDocuments(
  db: Queryable,
  { organizer, event }: { readonly organizer: number; readonly event: EventFacts },
  document: GuestDocument,
): Promise<(ticket: PositionCells) => TicketDocument> {
  const place = { organizer, event: event.id }
  return document === 'ticket' ? tickets(db, place, event) : badges(db, place)
}

async function badges(db: Queryable, place: Place) {
  const layouts = await findRows(db, badgeLayout, place)
  const assigned = new Map((await findRows(db, badgeItem, place)).map(({ item, layout }) => [item, layout]))
  return ({ item }: PositionCells): TicketDocument => {
    const own = assigned.get(item)
    if (own === null) return none
    const found = layouts.find((one) => (own === undefined ? one.default : one.id === own))
    return found ? { look: found, comes: true } : { look: 'plain', comes: layouts.length === 0 }
  }
}

async function tickets(db: Queryable, place: Place, event: EventFacts) {
  const layouts = await findRows(db, ticketLayout, place)
  const assigned = await findRows(db, ticketLayoutItem, place)
  return (cells: PositionCells): TicketDocument => {
    if (!hasTicketFor(cells, event)) return none
    const ofItem = assigned.filter(({ item }) => item === cells.item)
    const ofChannel = (channel: string) => ofItem.find(({ sales_channel }) => sales_channel === channel)
    const own = ofChannel(cells.order_channel) ?? ofChannel(usualChannel)
    const found = layouts.find((one) => (own ? one.id === own.layout : one.default))
    return { look: found ?? 'plain', comes: whyNoTicketOf(cells, event) === null }
  }
}
