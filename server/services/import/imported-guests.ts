import sql, { bulk, join, type Sql } from 'sql-template-tag'
import { ticketCodes } from '../../domain/guest-list/cells.ts'
import type { Guest } from '../../domain/guest-list/row.ts'
import { commentWithReference } from '../../domain/orders/order-references.ts'
import { withScheme } from '../../domain/text/names.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { commandActor } from '../accounts/accounts.ts'
import { createOrders } from '../orders/order-drafts.ts'
import { expiryFrom } from '../orders/order-rows.ts'
import type { OrderDraft, OrderScope } from '../pricing/order-draft.ts'

/** A row of a list with what a second import recognises it by. */
export interface KeyedGuest {
  readonly guest: Guest
  readonly key: string
}

/** The event, and the date of it where it is a series, that guests are for. */
export interface GuestsAt extends Omit<OrderScope, 'actor'> {
  readonly subevent: number | null
}

/** What became of rows that were to be stored. */
export interface WrittenGuests {
  readonly written: readonly KeyedGuest[]
  /** Rows that an import has brought before. */
  readonly unchanged: number
  /** Rows whose codes other tickets have, with the code and that ticket's order. */
  readonly taken: readonly TakenCode[]
}

/** A code in a list that a ticket of the event has already. */
export interface TakenCode {
  readonly guest: Guest
  readonly code: string
  readonly order: string
}

/** Calls with parts of a list short enough for one statement. */
async function inParts<T>(values: readonly T[], look: (part: T[]) => Promise<void>): Promise<void> {
  for (let first = 0; first < values.length; first += 500) await look(values.slice(first, first + 500))
}

const codesOf = ({ code, quantity }: Guest): readonly (string | null)[] => ticketCodes(code, quantity)

/** Tells the rows that are new from those that an earlier import has brought and those whose codes are not free. */
export async function sortGuests(
  db: Queryable,
  place: Place,
  guests: readonly KeyedGuest[],
): Promise<{ readonly fresh: KeyedGuest[] } & Omit<WrittenGuests, 'written'>> {
  // Codes first: those that another import brings between these two looks are known by their keys at the second.
  const orders = await codesTaken(db, place, guests)
  const known = await keysKnown(
    db,
    place,
    guests.map((one) => one.key),
  )
  const unknown = guests.filter((one) => !known.has(one.key))
  const fresh: KeyedGuest[] = []
  const taken: TakenCode[] = []
  for (const one of unknown) {
    const code = codesOf(one.guest).find((code) => code !== null && orders.has(code))
    if (code) taken.push({ guest: one.guest, code, order: orders.get(code) ?? '' })
    else fresh.push(one)
  }
  return { fresh, taken, unchanged: guests.length - unknown.length }
}

/** Stores guests as orders, in one transaction; another import may have been quicker with some of them. */
export async function writeGuests(
  tx: Tx,
  at: GuestsAt,
  guests: readonly KeyedGuest[],
): Promise<WrittenGuests> {
  const { fresh, unchanged, taken } = await sortGuests(tx, at.place, guests)
  const written = await claim(tx, at.place, fresh)
  if (written.length > 0) {
    const expires = expiryFrom(tx.now, at.event)
    const drafts = written.map(({ guest }) => draftOf(guest, at, expires))
    const orders = await createOrders(tx, { ...at, actor: commandActor }, drafts)
    await tx.run(
      sql`${keysWith(
        at.place,
        written,
        orders.map(({ id }) => id),
      )} DO UPDATE SET order_id = excluded.order_id`,
    )
  }
  return { written, unchanged: unchanged + fresh.length - written.length, taken }
}

const keysWith = (
  { organizer, event }: Place,
  guests: readonly KeyedGuest[],
  orders: readonly number[],
): Sql => {
  const rows = guests.map(({ key }, index) => [organizer, event, key, orders[index] ?? 0])
  return sql`INSERT INTO imported_guest (organizer, event, guest_key, order_id) VALUES ${bulk(rows)}
    ON CONFLICT (organizer, event, guest_key)`
}

/** Reserves rows for this transaction, those excepted that another import is just bringing: for that one it waits. */
async function claim(tx: Tx, place: Place, guests: readonly KeyedGuest[]): Promise<readonly KeyedGuest[]> {
  if (guests.length === 0) return []
  const rows = await tx.all<{ guest_key: string }>(
    sql`${keysWith(place, guests, [])} DO NOTHING RETURNING guest_key`,
  )
  const ours = new Set(rows.map((row) => row.guest_key))
  return guests.filter(({ key }) => ours.has(key))
}

/** A guest's order: paid, since whoever is on the list is expected, and free, since nothing was sold here. */
const draftOf = (guest: Guest, { event, subevent }: GuestsAt, expires: string): OrderDraft => ({
  expires,
  status: 'p',
  email: guest.attendee_email,
  phone: guest.phone,
  locale: event.locale,
  comment: commentWithReference(guest.comment, guest.order),
  positions: codesOf(guest).map((secret, index) => ({
    positionid: index + 1,
    item: guest.item,
    variation: guest.variation,
    subevent,
    price: 0,
    attendee_name_parts:
      Object.keys(guest.attendee_name_parts).length > 0
        ? withScheme(guest.attendee_name_parts, event.nameScheme)
        : {},
    attendee_email: guest.attendee_email,
    company: guest.company,
    secret,
  })),
})

async function keysKnown(db: Queryable, place: Place, keys: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  await inParts(keys, async (part) => {
    const rows = await db.all<{ guest_key: string }>(
      sql`SELECT guest_key FROM imported_guest WHERE organizer = ${place.organizer} AND event = ${place.event} AND guest_key IN (${join(part)})`,
    )
    for (const row of rows) known.add(row.guest_key)
  })
  return known
}

/** Codes of the list that tickets of the event already have, with the orders these belong to. */
async function codesTaken(
  db: Queryable,
  place: Place,
  guests: readonly KeyedGuest[],
): Promise<Map<string, string>> {
  const taken = new Map<string, string>()
  const codes = guests.flatMap((one) => codesOf(one.guest).filter((code) => code !== null))
  await inParts(codes, async (part) => {
    const rows = await db.all<{ secret: string; code: string }>(
      sql`SELECT p.secret, o.code FROM order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
          WHERE p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.secret IN (${join(part)})`,
    )
    for (const row of rows) taken.set(row.secret, row.code)
  })
  return taken
}
