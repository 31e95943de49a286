import sql, { join } from 'sql-template-tag'
import type { Shredder } from '../../../schema/actions/operations/shredders.ts'
import type { SentFact, ShreddedEvent } from '../../../schema/sync.ts'
import { isObject } from '../../resource/input.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What stands in the fields of facts once a kind of personal data is deleted. */
const blanks: Readonly<Record<Shredder, Readonly<Record<string, unknown>>>> = {
  order_emails: { email: null, customer: null, attendee_email: null, mail: null },
  phone_numbers: { phone: null },
  attendee_info: {
    ...{ attendee_name: null, attendee_name_parts: {}, name_key: '' },
    ...{ company: null, street: null, zipcode: null, city: null },
  },
  invoice_addresses: { invoice_address: null },
  question_answers: { answers: [] },
  invoices: {},
  cachedtickets: {},
  payment_info: { details: {} },
  waiting_list: {},
}

/** The deletions at this server that were begun or are done, of all events of an organizer. */
export const shreddedEvents = (db: Queryable, organizer: number): Promise<readonly ShreddedEvent[]> =>
  shreddedIn(db, organizer, ['running', 'done'])

/** The deletions that are done, of all events of an organizer. */
export const doneShreddings = (db: Queryable, organizer: number): Promise<readonly ShreddedEvent[]> =>
  shreddedIn(db, organizer, ['done'])

async function shreddedIn(
  db: Queryable,
  organizer: number,
  states: readonly string[],
): Promise<readonly ShreddedEvent[]> {
  const rows = await db.all<{ id: string; event: number; shredders: string; until: string }>(
    sql`SELECT id, event, "shredders" AS shredders, "created" AS until FROM shredding
        WHERE organizer = ${organizer} AND "state" IN (${join([...states])})`,
  )
  return rows.map(({ shredders, ...row }) => ({ ...row, shredders: JSON.parse(shredders) }))
}

/** A fact without what was deleted of its event after it happened; itself where nothing was. */
export function withoutShredded(fact: SentFact, at: string, shredded: readonly ShreddedEvent[]): SentFact {
  const kinds = shredded
    .filter(({ event, until }) => event === fact.event && at <= until)
    .flatMap(({ shredders }) => shredders)
  return kinds.length === 0 ? fact : blackenedFact(fact, kinds)
}

/** A fact without some kinds of personal data. */
function blackenedFact(fact: SentFact, kinds: readonly Shredder[]): SentFact {
  const blank = Object.assign({}, ...kinds.map((kind) => blanks[kind])) as Readonly<Record<string, unknown>>
  return { ...fact, payload: blackened(fact.payload, blank) as SentFact['payload'] }
}

/** So many facts in quarantine are looked at in a transaction. */
const factsPerStep = 100

/** Takes some kinds of personal data of an event out of the facts in quarantine, step by step; how many it looked at. */
export function shredQuarantine(kinds: readonly Shredder[]): (tx: Tx, place: Place) => Promise<number> {
  let after = ''
  return async (tx, { organizer, event }) => {
    const rows = await tx.all<{ nonce: string; fact: string }>(
      sql`SELECT nonce, fact FROM quarantine WHERE organizer = ${organizer} AND nonce > ${after}
          ORDER BY nonce LIMIT ${factsPerStep}`,
    )
    for (const { nonce, fact: stored } of rows) {
      after = nonce
      const quarantined = JSON.parse(stored) as { readonly fact: SentFact }
      if (quarantined.fact.event !== event) continue
      const text = JSON.stringify({ ...quarantined, fact: blackenedFact(quarantined.fact, kinds) })
      if (text !== stored)
        await tx.run(
          sql`UPDATE quarantine SET fact = ${text}, bytes = ${Buffer.byteLength(text)}
              WHERE organizer = ${organizer} AND nonce = ${nonce}`,
        )
    }
    return rows.length
  }
}

function blackened(value: unknown, blank: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => blackened(one, blank))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      // An address goes as a whole or not at all; which gift card was paid with says nothing of a person.
      const isKept = name === 'details' && value.provider === 'giftcard'
      if (Object.hasOwn(blank, name) && !isKept) return [name, given === null ? null : blank[name]]
      return [name, name === 'invoice_address' ? given : blackened(given, blank)]
    }),
  )
}
