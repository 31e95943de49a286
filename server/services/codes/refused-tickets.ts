import sql, { join, type Sql } from 'sql-template-tag'
import { refusedTicket } from '../../../schema/resources/checkin/refused-ticket.ts'
import { insertRows, removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { takenSecrets } from './order-codes.ts'

/** As many as are noted of a device: of what is beyond, doors say only that it is unknown. */
const mostOfDevice = 10_000

/** A code is read by a camera or a hand; nothing that is longer is one. */
const longestCode = 1024

/** A sale that was not taken in. */
interface RefusedSale {
  /** The nonce of its fact. */
  readonly fact: string
  /** The row of the device that has reported it. */
  readonly device: number
  readonly reason: string
  readonly secrets: readonly string[]
}

/** Notes the tickets of a sale that is not taken in, once, apart from codes that another ticket has. */
export async function noteRefusedTickets(
  tx: Tx,
  place: Place,
  { fact, device, reason, secrets }: RefusedSale,
): Promise<void> {
  const { organizer } = place
  const known = await tx.get(
    sql`SELECT id FROM refused_ticket WHERE organizer = ${organizer} AND fact = ${fact} LIMIT 1`,
  )
  if (known) return
  const row = await tx.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM refused_ticket WHERE organizer = ${organizer} AND device = ${device}`,
  )
  const wanted = [...new Set(secrets)]
    .filter((secret) => secret.length <= longestCode)
    .slice(0, Math.max(0, mostOfDevice - (row?.count ?? 0)))
  const taken = await takenSecrets(tx, place, wanted)
  const rows = wanted
    .filter((secret) => !taken.has(secret))
    .map((secret) => ({ id: tx.nextId(), secret, device, fact, reason, created: tx.now }))
  await insertRows(tx, refusedTicket, place, rows)
}

/** Forgets the tickets of sales that somebody has decided about. */
export const forgetRefusedTickets = (tx: Tx, organizer: number, facts: readonly string[]): Promise<void> =>
  forget(tx, organizer, sql`fact`, facts)

/** Forgets codes that are those of tickets: a sale that was refused has named them, and another one has sold them. */
export const forgetRefusedCodes = (tx: Tx, organizer: number, secrets: readonly string[]): Promise<void> =>
  forget(tx, organizer, sql`secret`, secrets)

async function forget(tx: Tx, organizer: number, column: Sql, among: readonly string[]): Promise<void> {
  if (among.length === 0) return
  const rows = await tx.all<{ id: number; event: number }>(
    sql`SELECT id, event FROM refused_ticket WHERE organizer = ${organizer} AND ${column} IN (${join([...among])})`,
  )
  for (const { id, event } of rows) await removeRow(tx, refusedTicket, { organizer, event }, id)
}

/** Why the sale of a ticket was not taken in, by its code in some events; undefined for any other. */
export const saleRefusal = async (
  tx: Tx,
  organizer: number,
  events: readonly number[],
  code: string,
): Promise<string | undefined> => {
  const row = await tx.get<{ reason: string }>(
    sql`SELECT reason FROM refused_ticket
        WHERE organizer = ${organizer} AND secret = ${code} AND event IN (${join([...events])}) LIMIT 1`,
  )
  return row?.reason
}
