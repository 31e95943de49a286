import sql, { join } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { invoice } from '../../../schema/resources/orders/invoice.ts'
import { pauseAfter } from '../../domain/notifications/mail-schedule.ts'
import type { Actor } from '../../resource/actor.ts'
import { updateRow } from '../../resource/store.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { isHere } from '../../storage/moved-organizers.ts'
import { recordOrder } from '../orders/order-changes.ts'

/** A mail that is to be sent. */
export interface WaitingMail {
  readonly id: number
  readonly organizer: number
  readonly event: number
  readonly template: string
  readonly recipient: string
  readonly locale: string
  readonly subject: string
  readonly text: string
  readonly order_id: number | null
  readonly position_id: number | null
  readonly tickets: number
  /** The ids of the invoices that go with it, as JSON. */
  readonly invoices: string
  /** The id of the export whose file goes with it. */
  readonly export: string | null
  /** The id of the print of the receipt that goes with it. */
  readonly receipt_print: number | null
  readonly attempts: number
  readonly created: string
}

/** What became of an attempt: an address that is refused is not tried again. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'later'; readonly why: string }

/** Seconds after which another server takes over what one has claimed: longer than any attempt lasts. */
const claimedFor = 900

/** Whether a mail is due. */
export const isMailDue = async (db: Queryable, now: string): Promise<boolean> =>
  (await db.get(
    sql`SELECT id FROM mail WHERE "state" = 'waiting' AND "due" <= ${now} AND ${isHere(sql`organizer`)} LIMIT 1`,
  )) !== undefined

/**
 * Takes some mails that are due, those that wait longest first, so that no other server sends them as well; what a
 * server has taken that was killed comes last.
 */
export async function claimMails(tx: Tx, now: string, count: number): Promise<WaitingMail[]> {
  const due = (state: string): Promise<WaitingMail[]> =>
    tx.all<WaitingMail>(
      sql`SELECT id, organizer, event, "template", "recipient", "locale", "subject", "text", order_id, position_id,
            "tickets", "invoices", "attempts", "created", "export", receipt_print
          FROM mail WHERE "state" = ${state} AND "due" <= ${now} AND ${isHere(sql`organizer`)} ORDER BY "due", id LIMIT ${count}${tx.forUpdate}`,
    )
  const waiting = await due('waiting')
  const mails = waiting.length > 0 ? waiting : await due('sending')
  if (mails.length > 0)
    await tx.run(
      sql`UPDATE mail SET "state" = 'sending', "due" = ${instantAt(microsecondsOf(now) + claimedFor * 1e6)}
          WHERE id IN (${join(mails.map(({ id }) => id))})`,
    )
  return mails
}

/** Gives back a mail that was claimed and not tried. */
export async function releaseMail(tx: Tx, { id }: WaitingMail, now: string): Promise<void> {
  await tx.run(
    sql`UPDATE mail SET "state" = 'waiting', "due" = ${now} WHERE id = ${id} AND "state" = 'sending'`,
  )
}

/** Gives back what a server that was killed had claimed, where only one server can use the data: at its start. */
export async function releaseMails(tx: Tx, now: string): Promise<void> {
  if (tx.engine === 'sqlite')
    await tx.run(sql`UPDATE mail SET "state" = 'waiting', "due" = ${now} WHERE "state" = 'sending'`)
}

/** Nobody in particular: what the post does. */
const post: Actor = {
  kind: 'command',
  id: 0,
  name: 'mail',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

/**
 * Notes what became of an attempt, in the mail and, where nobody will get it, with its order. What is not tried again
 * keeps no text: secret links are in it. The state that the mail is in now.
 */
export async function settleMail(
  tx: Tx,
  mail: WaitingMail,
  outcome: MailOutcome,
  now: string,
): Promise<'sent' | 'refused' | 'waiting' | 'given up'> {
  const attempts = mail.attempts + 1
  const pause = outcome.kind === 'later' ? pauseAfter(attempts) : null
  const state =
    outcome.kind !== 'later' ? outcome.kind : pause === null ? ('given up' as const) : ('waiting' as const)
  const due = pause === null ? now : instantAt(microsecondsOf(now) + pause * 1e6)
  const trouble = outcome.kind === 'sent' ? null : outcome.why.slice(0, 500)
  await tx.run(
    sql`UPDATE mail SET "state" = ${state}, "attempts" = ${attempts}, "due" = ${due}, "trouble" = ${trouble},
          "text" = ${state === 'sent' || state === 'refused' ? '' : mail.text}
        WHERE id = ${mail.id}`,
  )
  if (state !== 'waiting') await noteTransmission(tx, mail, state === 'sent')
  if ((state === 'refused' || state === 'given up') && mail.order_id !== null)
    recordOrder(
      tx,
      { actor: post, place: mail },
      { order: mail.order_id, action: 'email.error', data: { mail: mail.id, template: mail.template } },
    )
  return state
}

/** Notes with the invoices that went with a mail to the buyer whether they arrived. */
async function noteTransmission(tx: Tx, mail: WaitingMail, isSent: boolean): Promise<void> {
  if (mail.template === 'invoice_copy') return
  const ids: readonly number[] = JSON.parse(mail.invoices)
  for (const id of ids)
    await updateRow(tx, invoice, mail, {
      id,
      transmission_provider: 'email_pdf',
      transmission_status: isSent ? 'completed' : 'failed',
      transmission_date: tx.now,
    })
}

const day = 86_400e6

/** Forgets mails that were settled 30 days ago; how many. */
export const forgetMails = (transactions: Transactions): Promise<number> =>
  transactions.write((tx) =>
    tx.run(
      sql`DELETE FROM mail WHERE "state" NOT IN ('waiting', 'sending') AND "due" < ${instantAt(microsecondsOf(tx.now) - 30 * day)}`,
    ),
  )

/** Who a mail is from. */
interface MailSender {
  readonly name: string
  /** The organizer's own address, or null for the server's. */
  readonly address: string | null
  readonly replyTo: string | null
}

/** Who mails of an organizer, or about one of its events, are from. */
export async function senderOf(db: Queryable, organizer: number, event: number): Promise<MailSender> {
  const row = await db.get<{ name: string; settings: string; event_settings: string | null }>(
    sql`SELECT o.name, o.settings, (SELECT e.settings FROM event e WHERE e.organizer = o.id AND e.id = ${event}) AS event_settings
        FROM organizer o WHERE o.id = ${organizer}`,
  )
  const settings = { ...JSON.parse(row?.settings ?? '{}'), ...JSON.parse(row?.event_settings ?? '{}') }
  const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  return {
    name: textOf(settings.mail_from_name) ?? row?.name ?? 'Gatehouse',
    address: textOf(settings.mail_from),
    replyTo: textOf(settings.mail_reply_to),
  }
}
