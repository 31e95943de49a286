import type { SignatureScheme } from '../../../schema/resources/checkin/event-key.ts'
import { signatureSchemes } from '../../../schema/resources/checkin/event-key.ts'
import { signTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { eventById } from '../events/events.ts'
import { signerOf } from './event-keys.ts'
import { freshTicketSecret } from './order-codes.ts'

/** What a ticket's code may say of it. Times are stored instants. */
export interface IssuedTicket {
  readonly id: number
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly valid_from: string | null
  readonly valid_until: string | null
}

/** Makes a new code for a ticket; never the same twice. */
export type IssueCode = (ticket: IssuedTicket) => string

const schemeIn = (generator: unknown): SignatureScheme | undefined =>
  signatureSchemes.find((scheme) => scheme === generator)

/**
 * What makes the codes of an event's tickets, as its setting `ticket_secret_generator` says. A node without private
 * keys makes random codes whatever the setting is: these are as good wherever the order is known.
 */
export async function codeIssuer(tx: Tx, actor: Actor, place: Place): Promise<IssueCode> {
  const event = await tx.remembered(`event of codes ${place.organizer} ${place.event}`, () =>
    eventById(tx, place.organizer, place.event),
  )
  const scheme = schemeIn(event?.settings.ticket_secret_generator)
  const signer = scheme && (await signerOf(tx, actor, place, scheme))
  if (!scheme || !signer) return () => freshTicketSecret(tx)
  return ({ id, ...content }) =>
    signTicket(scheme, { ...content, issued: tx.now, position: id }, tx.randomBytes(16), signer)
}

/** Makes the key that a setting needs before the first ticket, so that stations have it by then. */
export async function prepareKey(tx: Tx, actor: Actor, place: Place, generator: unknown): Promise<void> {
  const scheme = schemeIn(generator)
  if (scheme) await signerOf(tx, actor, place, scheme)
}
