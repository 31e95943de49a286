import sql from 'sql-template-tag'
import type { GuestOrder, GuestScan, ShownTicket } from '../../../schema/bodies/guests.ts'
import { instantAt, microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import { audienceOfProfile } from '../../../schema/security-profiles.ts'
import { longestUndo } from '../../services/checkin/annul.ts'
import { eventOfTicket, maySell, type StationSettings } from '../../services/devices/station-settings.ts'
import { maskedOrders } from '../../services/orders/given-in-part.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { presentPositions, selectPositions, ticketOf } from '../../services/orders/positions.ts'
import { owedFor, ticketInWords } from '../scan-view.ts'
import { type KnownScan, printsFor, scansOf } from './guest-history.ts'
import { type Looking, outlookOf } from './ticket-outlook.ts'

interface OrderCells {
  readonly [column: string]: string | number | null
  readonly code: string
  readonly status: GuestOrder['status']
  readonly require_approval: number
  readonly datetime: string
  readonly email: string | null
  readonly phone: string | null
  readonly invoice_address: string | null
}

/** The order of a ticket of the station's events with all its tickets; undefined where there is none. */
export async function guestOrder(looking: Looking, position: number): Promise<GuestOrder | undefined> {
  const { transactions, settings } = looking
  const { database: db } = transactions
  const { organizer } = settings
  const event = await eventOfTicket(db, settings, position)
  const meant = sql`SELECT order_id FROM order_position WHERE organizer = ${organizer} AND event = ${event} AND id = ${position}`
  const stored = await db.get<OrderCells>(
    sql`SELECT code, status, require_approval, datetime, email, phone, comment, invoice_address FROM orders
        WHERE organizer = ${organizer} AND id = (${meant})`,
  )
  const [order] = stored ? maskedOrders(audienceAt(settings), [stored]) : []
  const tickets = await selectPositions(
    db,
    sql`p.organizer = ${organizer} AND p.order_id = (${meant})`,
    sql`p.positionid`,
  )
  const [first] = tickets
  if (!order || !first) return undefined
  return {
    code: order.code,
    status: order.status,
    require_approval: order.require_approval === 1,
    datetime: shownInstant(order.datetime),
    email: order.email,
    phone: order.phone,
    // Only who sells is given the payments that it takes to know this.
    owed: maySell(settings) ? await owedFor(db, first) : null,
    tickets: await guestTickets(looking, tickets),
  }
}

const audienceAt = ({ profile }: StationSettings) => audienceOfProfile(profile ?? 'full')

async function guestTickets(looking: Looking, tickets: readonly PositionCells[]): Promise<ShownTicket[]> {
  const { database: db } = looking.transactions
  const { organizer } = looking.settings
  const audience = audienceAt(looking.settings)
  const rows = await presentPositions(db, organizer, tickets, { list: null, atDoor: true, audience })
  const scans = await scansOf(db, organizer, tickets)
  const prints = await printsFor(db, organizer, tickets)
  const numbers = new Map(tickets.map(({ id, positionid }) => [id, positionid]))
  const shown: ShownTicket[] = []
  for (const [index, cells] of tickets.entries()) {
    const row = rows[index]
    const { canceled, blocked, addon_to } = ticketOf(cells)
    const known = scans.get(cells.id) ?? []
    shown.push({
      ...(await ticketInWords(db, organizer, cells, row ?? {})),
      email: row?.attendee_email ?? null,
      company: row?.company || null,
      addon_to: numbers.get(addon_to ?? 0) ?? null,
      canceled,
      blocked: blocked.length > 0,
      valid_from: cells.valid_from && shownInstant(cells.valid_from),
      valid_until: cells.valid_until && shownInstant(cells.valid_until),
      outlook: await outlookOf(looking, cells),
      undo: undoableIn(looking, known),
      scans: known.map(asGuestScan),
      prints: prints.get(cells.id) ?? [],
    })
  }
  return shown
}

const asGuestScan = ({ madeBy, nonce, at, ...scan }: KnownScan): GuestScan => scan

/** The nonce of the last admission on the station's lists, where it can be taken back here and now. */
function undoableIn({ settings, lists, now }: Looking, scans: readonly KnownScan[]): string | null {
  const isHere = ({ list }: KnownScan): boolean => lists.some(({ facts }) => facts.id === list)
  const last = scans.find((scan) => isHere(scan) && scan.outcome === 'admitted')
  const since = instantAt(microsecondsOf(now) - longestUndo * 1000)
  return last && last.madeBy === settings.device && last.at >= since ? last.nonce : null
}
