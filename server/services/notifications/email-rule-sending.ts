import sql, { empty, join, type Sql } from 'sql-template-tag'
import { microsecondsOf } from '../../../schema/instants.ts'
import { type EmailRule, emailRule } from '../../../schema/resources/notifications/email-rule.ts'
import { mailRecipients, type TicketHolder } from '../../domain/notifications/mail-recipients.ts'
import { fillWording } from '../../domain/notifications/mail-texts.ts'
import { findRow } from '../../resource/store.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { isHere } from '../../storage/moved-organizers.ts'
import { eventById } from '../events/events.ts'
import { type ScheduledMail, scheduleOf } from './email-rules.ts'
import { queueText } from './mail-queue.ts'
import { type MailedOrder, mailedOrder, occasionValues, orderValues } from './order-mails.ts'

/** A mail that was due longer ago than this is not sent any more. */
const tooLate = 2 * 86_400e6

/** How many orders are written to in one transaction. */
const atOnce = 100

interface Turn {
  readonly datetime: string
  readonly state: 'due' | 'sending' | 'completed' | 'missed'
  readonly last_order: number
}

/**
 * Queues the automated mails that are due, as far as they are not queued yet; how many. A rule that is not enabled, or
 * was due two days ago, has missed its turn: it is not made up for later. What was begun goes on behind the last order.
 * Where rules fail, the others are sent, and the first failure is thrown.
 */
export async function sendDueRules(transactions: Transactions, now: string): Promise<number> {
  if (transactions.site !== 0) return 0
  const { database } = transactions
  const rules = await database.all<Place & { id: number }>(
    sql`SELECT r.organizer, r.event, r.id FROM email_rule r
        JOIN event e ON e.organizer = r.organizer AND e.id = r.event
        WHERE ${isHere(sql`r.organizer`)} AND NOT (r.date_is_absolute = 1 AND r.send_date > ${now})
          AND NOT (e.has_subevents = 0 AND EXISTS (SELECT 1 FROM email_rule_turn t
            WHERE t.organizer = r.organizer AND t.event = r.event AND t.rule = r.id AND t."state" = 'completed'))
        ORDER BY r.organizer, r.event, r.id`,
  )
  let queued = 0
  const failures: unknown[] = []
  for (const { organizer, event, id } of rules)
    try {
      for (const moment of await dueMoments(database, { organizer, event }, id, now))
        queued += await takeTurn(transactions, { organizer, event }, { rule: id, moment }, now)
    } catch (cause) {
      // The next one may be somebody else's.
      failures.push(cause)
    }
  if (failures.length > 0) throw failures[0]
  return queued
}

/** The moments of a rule that have come and were not settled. */
async function dueMoments(db: Queryable, place: Place, rule: number, now: string): Promise<ScheduledMail[]> {
  const turns = await turnsOf(db, place, rule)
  const moments = await scheduleOf(db, place, rule)
  return moments.filter(
    (moment) =>
      microsecondsOf(moment.datetime) <= microsecondsOf(now) &&
      !isSettled(moment, turns.get(moment.subevent ?? 0)),
  )
}

/** The turns of a rule by the date of the series, 0 where there is none. */
async function turnsOf(
  db: Queryable,
  { organizer, event }: Place,
  rule: number,
): Promise<ReadonlyMap<number, Turn>> {
  const turns = await db.all<Turn & { readonly subevent: number }>(
    sql`SELECT subevent, "datetime", "state", last_order FROM email_rule_turn
        WHERE organizer = ${organizer} AND event = ${event} AND rule = ${rule}`,
  )
  return new Map(turns.map((turn) => [turn.subevent, turn]))
}

const isSettled = ({ datetime }: Pick<ScheduledMail, 'datetime'>, turn: Turn | undefined): boolean =>
  turn?.state === 'completed' || (turn?.state === 'missed' && turn.datetime === datetime)

const turnOf = ({ organizer, event }: Place, rule: number, subevent: number | null): Sql =>
  sql`organizer = ${organizer} AND event = ${event} AND rule = ${rule} AND subevent = ${subevent ?? 0}`

/** A rule, and one of the moments at which it sends its mail. */
interface DueMail {
  readonly rule: number
  readonly moment: ScheduledMail
}

async function takeTurn(
  transactions: Transactions,
  place: Place,
  { rule, moment }: DueMail,
  now: string,
): Promise<number> {
  const isLate = microsecondsOf(moment.datetime) < microsecondsOf(now) - tooLate
  for (let queued = 0; ; ) {
    const step = await transactions.write((tx) => goOn(tx, place, { rule, moment }, isLate))
    queued += step.queued
    if (step.isDone) return queued
  }
}

/** One step of a turn: the next orders, in the transaction that notes how far it is. */
async function goOn(
  tx: Tx,
  place: Place,
  due: DueMail,
  isLate: boolean,
): Promise<{ readonly queued: number; readonly isDone: boolean }> {
  const id = due.rule
  const { subevent, datetime } = due.moment
  const own = turnOf(place, id, subevent)
  // Two servers may begin at once: the second one waits at this row, and goes on behind the first.
  await tx.run(
    sql`INSERT INTO email_rule_turn (organizer, event, rule, subevent, "datetime", "state", last_order)
        VALUES (${place.organizer}, ${place.event}, ${id}, ${subevent ?? 0}, ${datetime}, 'due', 0)
        ON CONFLICT (organizer, event, rule, subevent) DO NOTHING`,
  )
  const before = await tx.get<Turn>(
    sql`SELECT "datetime", "state", last_order FROM email_rule_turn WHERE ${own}${tx.forUpdate}`,
  )
  const rule = await findRow(tx, emailRule, place, { id })
  if (isSettled({ datetime }, before) || !rule) return { queued: 0, isDone: true }
  const isUnderWay = before?.state === 'sending'
  if (!rule.enabled || (isLate && !isUnderWay)) {
    await noteTurn(tx, place, due, { state: 'missed', last: 0 })
    return { queued: 0, isDone: true }
  }
  const mailing = { rule, subevent }
  const orders = await ordersOf(tx, place, mailing, isUnderWay ? before.last_order : 0)
  const queued = await mailOrders(tx, place, mailing, orders)
  const isDone = orders.length < atOnce
  const last = orders.at(-1)?.id ?? 0
  await noteTurn(tx, place, due, { state: isDone ? 'completed' : 'sending', last })
  return { queued, isDone }
}

async function noteTurn(
  tx: Tx,
  { organizer, event }: Place,
  { rule, moment: { subevent, datetime } }: DueMail,
  { state, last }: { readonly state: Turn['state']; readonly last: number },
): Promise<void> {
  await tx.run(
    sql`INSERT INTO email_rule_turn (organizer, event, rule, subevent, "datetime", "state", last_order)
        VALUES (${organizer}, ${event}, ${rule}, ${subevent ?? 0}, ${datetime}, ${state}, ${last})
        ON CONFLICT (organizer, event, rule, subevent)
        DO UPDATE SET "datetime" = excluded."datetime", "state" = excluded."state", last_order = excluded.last_order`,
  )
}

/** A rule, and the date of a series that it sends its mail about. */
interface Mailing {
  readonly rule: EmailRule
  readonly subevent: number | null
}

/** The positions of an order `o` that a rule is about. */
function positionsOf({ organizer }: Place, { rule, subevent }: Mailing): Sql {
  const ofDate = subevent === null ? empty : sql` AND p.subevent = ${subevent}`
  // A rule whose only products were deleted is for nobody, and not for everybody.
  const ofProducts = rule.all_products ? empty : sql` AND p.item IN (${join([0, ...rule.limit_products])})`
  return sql`p.organizer = ${organizer} AND p.order_id = o.id AND p.canceled = 0${ofDate}${ofProducts}`
}

function ordersOf(tx: Tx, place: Place, mailing: Mailing, after: number): Promise<MailedOrder[]> {
  const pending = mailing.rule.include_pending ? sql` OR (o.status = 'n' AND o.require_approval = 0)` : empty
  return tx.all<MailedOrder>(
    sql`SELECT ${mailedOrder} FROM orders o
        WHERE o.organizer = ${place.organizer} AND o.event = ${place.event} AND o.id > ${after}
          AND (o.status = 'p' OR (o.status = 'n' AND o.valid_if_pending = 1)${pending})
          AND EXISTS (SELECT 1 FROM order_position p WHERE ${positionsOf(place, mailing)})
        ORDER BY o.id LIMIT ${atOnce}`,
  )
}

async function mailOrders(
  tx: Tx,
  place: Place,
  mailing: Mailing,
  orders: readonly MailedOrder[],
): Promise<number> {
  const { rule, subevent } = mailing
  const event = await eventById(tx, place.organizer, place.event)
  if (!event) return 0
  const occasions = new Map<string, Readonly<Record<string, string>>>()
  let queued = 0
  for (const order of orders) {
    const { locale } = order
    const occasion =
      occasions.get(locale) ?? (await occasionValues(tx, place, event, { locale: locale, subevent }))
    occasions.set(locale, occasion)
    const holders = await tx.all<TicketHolder>(
      sql`SELECT p.id, p.attendee_email AS email, p.attendee_name AS name FROM order_position p, orders o
          WHERE o.organizer = ${place.organizer} AND o.id = ${order.id} AND ${positionsOf(place, mailing)}
          ORDER BY p.positionid`,
    )
    for (const { to, position, name } of mailRecipients(rule.send_to, order.email, holders)) {
      const values = {
        ...occasion,
        ...orderValues(order, event),
        ...(position === null ? {} : { name: name ?? '' }),
      }
      await queueText(tx, place, {
        to,
        template: 'email_rule',
        locale,
        subject: fillWording(rule.subject, locale, values),
        text: fillWording(rule.template, locale, values),
        about: { order: order.id, ...(position === null ? {} : { position }), tickets: false },
      })
      queued += 1
    }
  }
  return queued
}

/** When rules have run that were deleted since is of no interest any more; how many were forgotten. */
export const forgetTurns = (transactions: Transactions): Promise<number> =>
  transactions.write((tx) =>
    tx.run(
      sql`DELETE FROM email_rule_turn WHERE NOT EXISTS (SELECT 1 FROM email_rule r
          WHERE r.organizer = email_rule_turn.organizer AND r.event = email_rule_turn.event AND r.id = email_rule_turn.rule)`,
    ),
  )
