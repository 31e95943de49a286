import sql from 'sql-template-tag'
import type { Reason, TicketFacts } from '../../domain/rules/facts.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'

/** What the server upstream can know against a ticket, whoever else has come in with it. */
const ofTheTicket = ['revoked', 'canceled', 'blocked', 'unpaid'] as const

type TicketReason = (typeof ofTheTicket)[number]

const isOfTheTicket = (reason: Reason): reason is TicketReason =>
  (ofTheTicket as readonly Reason[]).includes(reason)

interface StoredRefusal {
  readonly list: number
  readonly code: string
  readonly reason: TicketReason
  readonly ticket: string
}

const storedFor = shaped(
  (organizer: number, position: number) =>
    sql`SELECT list, code, reason, ticket FROM kept_refusal WHERE organizer = ${organizer} AND "position" = ${position}
        ORDER BY reason`,
)

/**
 * Why the server upstream has refused a ticket whose rows here are still those of before: what it knows is yet to come. Null
 * where it has refused nothing, or where news of the ticket has arrived since, which then says by itself how it is. An
 * unpaid one is refused on the list where it was, a revoked code only by itself.
 */
export async function upstreamRefusal(
  tx: Tx,
  organizer: number,
  ticket: TicketFacts,
  { list, code }: { readonly list: number; readonly code: string },
): Promise<TicketReason | null> {
  // Nothing is upstream of central.
  if (tx.site === 0) return null
  const stored = await tx.all<StoredRefusal>(storedFor(organizer, ticket.id))
  if (stored.length === 0) return null
  const now = JSON.stringify(ticket)
  const found = stored.find(
    (one) =>
      one.ticket === now &&
      (one.reason !== 'unpaid' || one.list === list) &&
      (one.reason !== 'revoked' || one.code === code),
  )
  return found?.reason ?? null
}

/** Remembers that the server upstream has refused a ticket which was good as far as was known here. */
export async function rememberRefusal(
  tx: Tx,
  { organizer, event }: Place,
  refused: {
    readonly ticket: TicketFacts
    readonly list: number
    readonly code: string
    readonly reason: Reason
  },
): Promise<void> {
  const { ticket, list, code, reason } = refused
  if (!isOfTheTicket(reason)) return
  const text = JSON.stringify(ticket)
  await tx.run(
    sql`INSERT INTO kept_refusal (organizer, event, "position", list, code, reason, ticket)
        VALUES (${organizer}, ${event}, ${ticket.id}, ${list}, ${code}, ${reason}, ${text})
        ON CONFLICT (organizer, "position", list, reason) DO UPDATE SET code = excluded.code, ticket = excluded.ticket`,
  )
}
