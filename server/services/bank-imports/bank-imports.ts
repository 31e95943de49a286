import { createHash } from 'node:crypto'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type {
  bankImportStates,
  bankTransactionStates,
} from '../../../schema/actions/operations/bank-imports.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { Refusal } from '../../errors.ts'
import { type Actor, visibleEvents } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { BankImportInput, BankTransactionSent } from './bank-import-input.ts'

/** An import as it is stored. */
export interface BankImportRow {
  readonly organizer: number
  readonly id: number
  /** 0 where it is for all events in reach. */
  readonly event: number
  readonly reach: string | null
  readonly currency: string | null
  readonly state: (typeof bankImportStates)[number]
  readonly created: string
  readonly actor: string
}

/** A transaction of a bank statement as it is stored; the amount is in hundredths. */
export interface BankTransactionRow {
  readonly id: number
  readonly bank_import: number
  readonly state: (typeof bankTransactionStates)[number]
  readonly message: string
  readonly external_id: string | null
  readonly checksum: string
  readonly payer: string
  readonly reference: string
  readonly amount: number
  readonly date: string
  readonly iban: string
  readonly bic: string
  readonly currency: string | null
  readonly order_id: number | null
}

/** An import that has gone on for so long was broken off; microseconds. */
const longest = 30 * 60_000_000

/** What identifies a transaction: who has paid how much, when, and what for. */
export function bankChecksum({ payer, reference, amount, date }: BankTransactionSent): string {
  const sum = createHash('sha1')
  for (const part of [payer, reference, amount, date])
    sum.update(part.toLowerCase().replace(/[^a-z0-9.-]/g, ''))
  return sum.digest('hex')
}

/** Those of some transactions that were not imported before. */
async function unknown(
  tx: Tx,
  { organizer, event }: Pick<BankImportRow, 'organizer' | 'event'>,
  sent: readonly BankTransactionSent[],
): Promise<BankTransactionSent[]> {
  if (sent.length === 0) return []
  const of = sql`FROM bank_transaction WHERE organizer = ${organizer} AND event = ${event}`
  const sums = await tx.all<{ checksum: string }>(
    sql`SELECT checksum ${of} AND checksum IN (${join(sent.map(bankChecksum))})`,
  )
  const ids = sent.flatMap(({ external_id }) => external_id || [])
  const named =
    ids.length === 0
      ? []
      : await tx.all<Pick<BankTransactionRow, 'external_id' | 'date' | 'amount'>>(
          sql`SELECT external_id, date, amount ${of} AND external_id IN (${join(ids)})`,
        )
  const known = new Set(sums.map(({ checksum }) => checksum))
  const identity = (id: string | null, date: string, amount: number): string =>
    JSON.stringify([id, date, amount])
  const identities = new Set(named.map((row) => identity(row.external_id, row.date, row.amount)))
  return sent.filter(
    (one) =>
      !known.has(bankChecksum(one)) &&
      !identities.has(identity(one.external_id, one.date, hundredths(one.amount))),
  )
}

/** Stores a bank statement to be carried out; its id. 409 while another one of the organizer is. */
export async function addBankImport(
  tx: Tx,
  { actor, organizer, place }: Scope,
  { event, currency, transactions }: BankImportInput,
): Promise<number> {
  await tx.get(sql`SELECT id FROM organizer WHERE id = ${organizer.id}${tx.forUpdate}`)
  const since = instantAt(microsecondsOf(tx.now) - longest)
  const busy = await tx.get(
    sql`SELECT id FROM bank_import
        WHERE organizer = ${organizer.id} AND state IN ('pending', 'running') AND created >= ${since}`,
  )
  if (busy) throw new Refusal(409, { error: ['A job is currently running.'] }, { 'Retry-After': '5' })
  // What an import that failed has left can be imported again.
  await tx.run(
    sql`DELETE FROM bank_transaction
        WHERE organizer = ${organizer.id} AND event = ${event?.id ?? 0} AND state = 'imported'`,
  )
  const reach = visibleEvents(actor)
  const row = {
    ...{ organizer: organizer.id, id: tx.nextId(), event: event?.id ?? 0, currency },
    reach: event ? JSON.stringify([event.id]) : reach && JSON.stringify(reach),
    actor: JSON.stringify({ kind: actor.kind, id: actor.id, name: actor.name }),
  }
  await tx.run(
    sql`INSERT INTO bank_import (organizer, id, event, "reach", "currency", "state", "created", "actor")
        VALUES (${row.organizer}, ${row.id}, ${row.event}, ${row.reach}, ${currency}, 'pending', ${tx.now}, ${row.actor})`,
  )
  const fresh = await unknown(tx, row, transactions)
  for (const one of fresh)
    await tx.run(
      sql`INSERT INTO bank_transaction (organizer, id, bank_import, event, "state", "message", "external_id", "checksum",
            "payer", "reference", "amount", "date", "iban", "bic", "currency", order_id)
          VALUES (${row.organizer}, ${tx.nextId()}, ${row.id}, ${row.event}, 'imported', '', ${one.external_id},
            ${bankChecksum(one)}, ${one.payer}, ${one.reference}, ${hundredths(one.amount)}, ${one.date}, ${one.iban},
            ${one.bic}, ${event ? event.currency : currency}, NULL)`,
    )
  tx.audit({ ...place, event: row.event }, actor, {
    ...{ action: 'ticketsvc.bank_import.created', resource: 'bank_import', row: row.id },
    data: { sent: transactions.length, imported: fresh.length },
  })
  return row.id
}

/** Whether somebody may see all that an import may reach. */
function isVisible({ reach }: BankImportRow, { allEvents, events }: Actor): boolean {
  if (allEvents) return true
  const reached: readonly number[] | null = reach === null ? null : JSON.parse(reach)
  return reached?.every((event) => events.has(event)) ?? false
}

/** The imports that somebody may see, the oldest first. */
export async function visibleBankImports(
  db: Queryable,
  { actor, organizer }: Scope,
  condition: Sql = empty,
): Promise<BankImportRow[]> {
  const rows = await db.all<BankImportRow>(
    sql`SELECT * FROM bank_import WHERE organizer = ${organizer.id}${condition} ORDER BY id`,
  )
  return rows.filter((row) => isVisible(row, actor))
}

/** Imports of one organizer in their JSON form. */
export async function presentBankImports(
  db: Queryable,
  organizer: number,
  rows: readonly BankImportRow[],
): Promise<JsonObject[]> {
  if (rows.length === 0) return []
  const events = await db.all<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM event WHERE organizer = ${organizer} AND id IN (${join(rows.map(({ event }) => event))})`,
  )
  const slugs = new Map(events.map(({ id, slug }) => [id, slug]))
  const transactions = await db.all<BankTransactionRow & { readonly code: string | null }>(
    sql`SELECT t.*, o.code FROM bank_transaction t
        LEFT JOIN orders o ON o.organizer = t.organizer AND o.id = t.order_id
        WHERE t.organizer = ${organizer} AND t.bank_import IN (${join(rows.map(({ id }) => id))}) ORDER BY t.date, t.id`,
  )
  const byImport = Map.groupBy(transactions, ({ bank_import }) => bank_import)
  return rows.map(({ id, event, created, state, currency }) => ({
    ...{ id, event: slugs.get(event) ?? null, created, state },
    transactions: (byImport.get(id) ?? []).map((one) => ({
      ...{ state: one.state, message: one.message, checksum: one.checksum, payer: one.payer },
      ...{ reference: one.reference, amount: amountOf(one.amount), date: one.date, order: one.code },
      ...{ comment: '', iban: one.iban, bic: one.bic, currency: one.currency, external_id: one.external_id },
    })),
    currency,
  }))
}
