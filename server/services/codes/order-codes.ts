import sql, { join } from 'sql-template-tag'
import { type SignatureScheme, signatureSchemes } from '../../../schema/resources/checkin/event-key.ts'
import { signTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import { siteLetters } from '../../domain/text/site-letters.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventById } from '../events/events.ts'
import { signerOf } from './event-keys.ts'
import { alphabets, randomWord } from './secrets.ts'

const codeLength = 5

/** A site takes up to five letters more, so these are not mistaken for the code of another one; the longest has 16. */
const longerLength = 11
const triesBeforeLonger = 20
const valuesPerQuery = 500

/** Values of a list in parts that one statement can hold. */
function* parts<T>(values: readonly T[]): Generator<T[]> {
  for (let first = 0; first < values.length; first += valuesPerQuery)
    yield values.slice(first, first + valuesPerQuery)
}

/** Those of some order codes that an organizer has already. */
export async function takenCodes(
  db: Queryable,
  organizer: number,
  codes: readonly string[],
): Promise<Set<string>> {
  const taken = new Set<string>()
  for (const part of parts(codes)) {
    const rows = await db.all<{ code: string }>(
      sql`SELECT code FROM orders WHERE organizer = ${organizer} AND code IN (${join(part)})`,
    )
    for (const row of rows) taken.add(row.code)
  }
  return taken
}

/** Those of some ticket codes that positions of an event have already. */
export async function takenSecrets(
  db: Queryable,
  place: Place,
  secrets: readonly string[],
): Promise<Set<string>> {
  const taken = new Set<string>()
  for (const part of parts(secrets)) {
    const rows = await db.all<{ secret: string }>(
      sql`SELECT secret FROM order_position
          WHERE organizer = ${place.organizer} AND event = ${place.event} AND secret IN (${join(part)})`,
    )
    for (const row of rows) taken.add(row.secret)
  }
  return taken
}

/**
 * A code for an order; one made in test mode shows a zero, which no other has. What follows the random letters names the
 * site, and is nothing at central: no two nodes that cannot ask each other print the same code.
 */
function inventCode(tx: Tx, testmode: boolean, length: number): string {
  const code = randomWord(tx.randomBytes, alphabets.orderCode, length)
  return (testmode ? `${code[0]}0${code.slice(2)}` : code) + siteLetters(tx.site)
}

/** Free order codes, one for each order; `testmode` says which of them are for test orders. */
export async function freshCodes(tx: Tx, organizer: number, testmode: readonly boolean[]): Promise<string[]> {
  let codes: (string | null)[] = testmode.map(() => null)
  for (let attempt = 1; codes.includes(null); attempt += 1) {
    const length = attempt > triesBeforeLonger ? longerLength : codeLength
    const invented = codes.map((code, index) => code ?? inventCode(tx, testmode[index] === true, length))
    const taken = await takenCodes(tx, organizer, invented)
    codes = invented.map((code, index) => (taken.has(code) || invented.indexOf(code) < index ? null : code))
  }
  return codes.flatMap((code) => code ?? [])
}

/** A code for a ticket, which nobody guesses. */
export const freshTicketSecret = (tx: Tx): string => randomWord(tx.randomBytes, alphabets.ticketSecret, 32)

/** The part of an order's address that keeps strangers out. */
export const freshOrderSecret = (tx: Tx): string => randomWord(tx.randomBytes, alphabets.token, 16)

/** A name for a position that tells nothing about its person. */
export const freshPseudonym = (tx: Tx): string => randomWord(tx.randomBytes, alphabets.orderCode, 10)

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

const lookalikes: Readonly<Record<string, string>> = { '2': 'Z', '4': 'A', '5': 'S', '6': 'G' }

/** A code of an order as it was typed, and with letters for the digits that no code of ours has. */
export const codesMeant = (typed: string): readonly string[] => {
  const code = typed.toUpperCase()
  return [...new Set([code, code.replace(/[2456]/g, (digit) => lookalikes[digit] ?? digit)])]
}
