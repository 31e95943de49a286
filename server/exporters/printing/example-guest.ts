import sql from 'sql-template-tag'
import { askedParts, fullName } from '../../domain/text/names.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import type { Queryable } from '../../storage/database.ts'

/** Parts of a name that is as long as names are. */
const nameParts: Readonly<Record<string, string>> = {
  ...{ given_name: 'Alexandra', family_name: 'Example-Sample', full_name: 'Alexandra Example-Sample' },
  ...{ calling_name: 'Alexandra', title: 'Dr.', salutation: '', middle_name: '', degree: '' },
  latin_transcription: '',
}

interface ItemCells {
  readonly id: number
  readonly default_price: number
  readonly generate_tickets: number | null
}

/** Tickets of nobody for the products of an event, for showing what is printed; those that admit somebody come first. */
export async function exampleGuests(
  db: Queryable,
  organizer: number,
  event: EventFacts,
  { locale, now }: { readonly locale: string; readonly now: string },
): Promise<PositionCells[]> {
  const items = await db.all<ItemCells>(
    sql`SELECT id, default_price, generate_tickets FROM item WHERE organizer = ${organizer} AND event = ${event.id}
        ORDER BY admission DESC, "position", id`,
  )
  const date = await db.get<{ id: number }>(
    sql`SELECT id FROM subevent WHERE organizer = ${organizer} AND event = ${event.id} ORDER BY date_from, id LIMIT 1`,
  )
  const asked = askedParts(event.nameScheme).map(({ key }) => [key, nameParts[key] ?? ''] as const)
  const parts = { _scheme: event.nameScheme, ...Object.fromEntries(asked) }
  return items.map((item) => ({
    ...{ id: item.id, organizer, event: event.id, item: item.id, price: item.default_price },
    ...{ item_tickets: item.generate_tickets, item_admission: 1, positionid: 1 },
    ...{ secret: 'abcdefghjkmnpqrstuvwxyz23456789b', pseudonymization_id: 'ABCDEFGHJK' },
    ...{ subevent: date?.id ?? null, variation: null, addon_to: null, seat_id: null, seat: null },
    ...{ attendee_name: fullName(parts, event.nameScheme), attendee_name_parts: JSON.stringify(parts) },
    ...{ attendee_email: 'alexandra@example.org', company: 'Example Ltd', city: 'London', country: 'GB' },
    ...{ street: null, zipcode: null, state: null, blocked: null, answers: null, canceled: 0 },
    ...{ valid_from: null, valid_until: null, parent_name: null, parent_parts: null, parent_answers: null },
    ...{ order_id: 0, order_code: 'ABC12', order_status: 'p', order_locale: locale, order_datetime: now },
    ...{ order_email: 'alexandra@example.org', order_address: null, order_channel: 'web' },
  }))
}
