import sql from 'sql-template-tag'
import { bankTransactionInput } from '../../../schema/actions/operations/bank-imports.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { invalid } from '../../errors.ts'
import { entersEvent } from '../../resource/actor.ts'
import type { EventFacts, Scope } from '../../resource/api.ts'
import { readEntries } from '../../resource/input.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventBySlug } from '../events/events.ts'

/** A transaction of a bank statement as it is sent. */
export type BankTransactionSent = RowOf<typeof bankTransactionInput>

/** A bank statement as it is sent. */
export interface BankImportInput {
  readonly event: EventFacts | null
  readonly currency: string | null
  readonly transactions: readonly BankTransactionSent[]
}

/** The part of its body that is declared. */
interface BankImportBody {
  readonly event?: string | null
  readonly currency?: string | null
  readonly transactions: readonly unknown[]
}

/** The one currency of an organizer's events; 400 where there are several. */
async function onlyCurrency(db: Queryable, organizer: number): Promise<string> {
  const rows = await db.all<{ currency: string }>(
    sql`SELECT DISTINCT currency FROM event WHERE organizer = ${organizer}`,
  )
  const [only, other] = rows
  if (!only || other) throw invalid({ currency: ['Say which currency the transactions are in.'] })
  return only.currency
}

/** Reads a bank statement; throws 400 with messages by field. */
export async function readBankImport(
  db: Queryable,
  { actor, organizer }: Scope,
  { event: slug = null, currency, transactions }: BankImportBody,
): Promise<BankImportInput> {
  const event = slug === null ? null : ((await eventBySlug(db, organizer.id, slug)) ?? null)
  if (slug !== null && (!event || !entersEvent(actor, organizer.id, event.id)))
    throw invalid({ event: [`Object with slug=${slug.slice(0, 100)} does not exist.`] })
  const { rows, errors } = readEntries(bankTransactionInput, transactions, 'en')
  if (errors) throw invalid({ transactions: errors })
  if (currency !== undefined) return { event, currency, transactions: rows }
  return { event, currency: event ? null : await onlyCurrency(db, organizer.id), transactions: rows }
}
