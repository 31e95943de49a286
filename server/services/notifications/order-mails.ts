import sql from 'sql-template-tag'
import type { MailTemplate } from '../../../schema/mail-templates.ts'
import type { MailValues } from '../../domain/notifications/mail-texts.ts'
import { writtenLanguage } from '../../domain/text/multilingual.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { inWords, readable } from '../orders/ticket-print.ts'
import { queueMail } from './mail-queue.ts'

/** An event, or one date of it, as mails tell of it. */
interface MailOccasion {
  readonly name: string
  readonly date_from: string
  readonly location: string | null
}

/** An order as mails tell of it; the total is in hundredths. */
export interface MailedOrder {
  readonly id: number
  readonly code: string
  readonly email: string | null
  readonly locale: string
  readonly total: number
  readonly expires: string
  readonly sales_channel: string
  readonly name: string | null
}

/** The columns of `orders o` that make a MailedOrder. */
export const mailedOrder = sql`o.id, o.code, o.email, o.locale, o.total, o.expires, o.sales_channel,
  (SELECT min(p.attendee_name) FROM order_position p
    WHERE p.organizer = o.organizer AND p.order_id = o.id AND p.canceled = 0 AND p.positionid =
      (SELECT min(q.positionid) FROM order_position q
        WHERE q.organizer = o.organizer AND q.order_id = o.id AND q.canceled = 0)) AS name`

/** What the placeholders about an event stand for, in a language. */
export async function occasionValues(
  db: Queryable,
  { organizer, event: id }: Place,
  event: EventFacts,
  { locale, subevent = null }: { readonly locale: string; readonly subevent?: number | null },
): Promise<MailValues> {
  const columns = sql`name, date_from, location`
  const own = await db.get<MailOccasion>(
    sql`SELECT ${columns} FROM event WHERE organizer = ${organizer} AND id = ${id}`,
  )
  const date =
    subevent === null
      ? undefined
      : await db.get<MailOccasion>(
          sql`SELECT ${columns} FROM subevent WHERE organizer = ${organizer} AND id = ${subevent}`,
        )
  const row = await db.get<{ name: string }>(sql`SELECT name FROM organizer WHERE id = ${organizer}`)
  const when = date ?? (event.hasSubevents ? undefined : own)
  return {
    event: readable(own?.name, locale),
    when: when
      ? inWords(when.date_from, event.timezone, locale, { dateStyle: 'full', timeStyle: 'short' })
      : '',
    where: readable(date?.location ?? own?.location, locale),
    organizer: row?.name ?? '',
  }
}

/** What the placeholders about an order stand for, in its language. */
export const orderValues = (order: MailedOrder, { currency, timezone }: EventFacts): MailValues => ({
  name: order.name ?? '',
  code: order.code,
  total: new Intl.NumberFormat(writtenLanguage(order.locale), { style: 'currency', currency }).format(
    order.total / 100,
  ),
  expires: inWords(order.expires, timezone, order.locale, { dateStyle: 'long' }),
})

/** The words that an organizer has chosen for a mail, as far as there are any. */
export const ownWords = ({ settings }: EventFacts, template: MailTemplate) => ({
  subject: settings[`mail_subject_${template}`] ?? null,
  text: settings[`mail_text_${template}`] ?? null,
})

/** Whether a mail about a new order is sent where the request does not say so: by its sales channel. */
const isMailedByItself = ({ settings }: EventFacts, channel: string): boolean =>
  settings.mail_sales_channels.includes(channel)

/**
 * Mails the buyer of an order what became of it, in the transaction that did it, if there is an address. `wanted` is
 * what the request said: null leaves it to the sales channel. Whether there was an address.
 */
export async function mailOrder(
  tx: Tx,
  { place, event }: { readonly place: Place; readonly event: EventFacts },
  id: number,
  mail: { readonly template: MailTemplate; readonly wanted?: boolean | null; readonly more?: MailValues },
): Promise<boolean> {
  const { template, wanted = true, more = {} } = mail
  if (wanted === false) return false
  const order = await tx.get<MailedOrder>(
    sql`SELECT ${mailedOrder} FROM orders o WHERE o.organizer = ${place.organizer} AND o.id = ${id}`,
  )
  if (!order?.email) return false
  if (wanted === null && !isMailedByItself(event, order.sales_channel)) return false
  const occasion = await occasionValues(tx, place, event, { locale: order.locale })
  await queueMail(tx, place, {
    to: order.email,
    template,
    locale: order.locale,
    values: { comment: '', ...occasion, ...orderValues(order, event), ...more },
    words: ownWords(event, template),
    about: {
      order: id,
      tickets: event.settings.mail_attach_tickets && withTickets.has(template),
      invoices: event.settings.invoice_email_attachment ? await freshInvoices(tx, place, id) : [],
    },
  })
  return true
}

/** The invoices of an order that are issued in this transaction, and so with what the mail tells of. */
async function freshInvoices(tx: Tx, { organizer }: Place, orderId: number): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(
    sql`SELECT id FROM invoice
        WHERE organizer = ${organizer} AND order_id = ${orderId} AND created = ${tx.now} ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}

/** The same about an order that was not paid before a payment, if it is now. */
export async function mailIfPaid(
  tx: Tx,
  at: { readonly place: Place; readonly event: EventFacts },
  before: { readonly id: number; readonly status: string },
  wanted: boolean | null,
): Promise<void> {
  const after = await tx.get<{ status: string }>(
    sql`SELECT status FROM orders WHERE organizer = ${at.place.organizer} AND id = ${before.id}`,
  )
  if (before.status !== 'p' && after?.status === 'p')
    await mailOrder(tx, at, before.id, { template: 'order_paid', wanted: wanted })
}

/** The same about an order that was just made: that it is paid, or else that it is placed. */
export async function mailNewOrder(
  tx: Tx,
  at: { readonly place: Place; readonly event: EventFacts },
  id: number,
  wanted: boolean | null,
): Promise<void> {
  const row = await tx.get<{ status: string }>(
    sql`SELECT status FROM orders WHERE organizer = ${at.place.organizer} AND id = ${id}`,
  )
  await mailOrder(tx, at, id, {
    template: row?.status === 'p' ? 'order_paid' : 'order_placed',
    wanted: wanted,
  })
}

/** Mails that tickets go with, as far as there are any. */
const withTickets: ReadonlySet<MailTemplate> = new Set(['order_paid', 'order_changed', 'order_tickets'])
