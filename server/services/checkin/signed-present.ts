import sql from 'sql-template-tag'
import type { ScannedSignature, TicketSignature } from '../../../schema/bodies/scan-result.ts'
import { shownInstant } from '../../../schema/instants.ts'
import type { Multilingual } from '../../../schema/multilingual.ts'
import type { SignedTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import { colorOf } from '../../domain/text/meta-data.ts'
import type { Queryable } from '../../storage/database.ts'

interface Shown {
  /** What is said of a product, as JSON text. */
  readonly meta_data?: string
  readonly checkin_attention: number | null
  readonly checkin_text: string | null
  /** A name in all its languages as JSON text. */
  readonly name: string
}

/** What is known of a signed ticket without its order: what it is for, in names and in what the door should do. */
export interface SignedProduct {
  readonly item: Shown | undefined
  readonly variation: Shown | undefined
  readonly subevent: Shown | undefined
}

/** The product of a signed ticket; what is not known here is undefined. */
export async function signedProduct(
  db: Queryable,
  organizer: number,
  event: number,
  ticket: SignedTicket,
): Promise<SignedProduct> {
  const at = sql`organizer = ${organizer} AND event = ${event}`
  const item = await db.get<Shown>(
    sql`SELECT name, meta_data, checkin_attention, checkin_text FROM item WHERE ${at} AND id = ${ticket.item}`,
  )
  const variation =
    ticket.variation === null
      ? undefined
      : await db.get<Shown>(
          sql`SELECT value AS name, checkin_attention, checkin_text FROM variation
              WHERE ${at} AND item = ${ticket.item} AND id = ${ticket.variation}`,
        )
  const subevent =
    ticket.subevent === null
      ? undefined
      : await db.get<Shown>(
          sql`SELECT name, NULL AS checkin_attention, NULL AS checkin_text FROM subevent WHERE ${at} AND id = ${ticket.subevent}`,
        )
  return { item, variation, subevent }
}

/** Whether somebody should look twice: the item or the variation says so. */
export const signedAttention = ({ item, variation }: SignedProduct): boolean =>
  item?.checkin_attention === 1 || variation?.checkin_attention === 1

/** What the screen at the entrance should say: the variation's text or else the item's. */
export const signedTexts = ({ item, variation }: SignedProduct): string[] =>
  [variation?.checkin_text || item?.checkin_text].filter((text): text is string => !!text)

const moment = (stored: string | null): string | null => stored && shownInstant(stored)

/** A signed ticket in the JSON form of the API, where a position would stand if it were known. */
export const presentSigned = (ticket: SignedTicket): TicketSignature => ({
  scheme: ticket.scheme,
  key_id: ticket.key_id,
  issued: moment(ticket.issued),
  item: ticket.item,
  variation: ticket.variation,
  subevent: ticket.subevent,
  valid_from: moment(ticket.valid_from),
  valid_until: moment(ticket.valid_until),
})

const nameOf = (shown: Shown | undefined): Multilingual | null => (shown ? JSON.parse(shown.name) : null)

type SignedNames = Pick<ScannedSignature, 'item_name' | 'item_color' | 'variation_name' | 'subevent_name'>

/** The names of what a signed ticket is for, in all their languages, and its colour, as screens at the entrance show them. */
export const signedNames = ({ item, variation, subevent }: SignedProduct): SignedNames => ({
  item_name: nameOf(item) ?? {},
  item_color: colorOf(JSON.parse(item?.meta_data ?? '{}')),
  variation_name: nameOf(variation),
  subevent_name: nameOf(subevent),
})
