import sql, { type Sql } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { webhook } from '../../../schema/resources/notifications/webhook.ts'
import { type DeliveryVerdict, judge } from '../../domain/notifications/webhook-schedule.ts'
import type { Actor } from '../../resource/actor.ts'
import { findRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Receiver, Transactions, Tx } from '../../resource/transactions.ts'
import { isHere } from '../../storage/moved-organizers.ts'

/** A message that is ours to send, and where to. */
export interface Delivery extends Receiver {
  readonly notification: number
  readonly action: string
  readonly body: string
  /** How often it has been tried. */
  readonly attempts: number
  /** The header of the request that it is because of, where that came with one. */
  readonly traceparent: string | null
  readonly target: string
  /** The secrets that are valid, the newest first. */
  readonly secrets: readonly string[]
}

/** What came of sending a message. */
export interface Outcome {
  /** Of the answer; 0 for none. */
  readonly code: number
  readonly body: string
  readonly error: string | null
  /** Seconds that the receiver asks for. */
  readonly retryAfter: number | null
  /** Where it was sent to, as it may be shown. */
  readonly target: string
  /** Milliseconds. */
  readonly duration: number
}

/** One more message of a receiver, if there is one, and when to look again. */
interface Claim {
  readonly delivery: Delivery | null
  /** Whether there is another one at once. */
  readonly more: boolean
  /** Where there is none: when the next one will be due, or null where none is waiting. */
  readonly next: string | null
}

/** Seconds after which another server takes over what one has claimed: longer than any attempt lasts. */
const claimedFor = 60

const later = (moment: string, seconds: number): string => instantAt(microsecondsOf(moment) + seconds * 1e6)

const ofReceiver = ({ organizer, webhook: id }: Receiver): Sql =>
  sql`organizer = ${organizer} AND webhook = ${id}`

/** Forgets what was still to be sent to a webhook. */
export async function dropDeliveries(tx: Tx, receiver: Receiver): Promise<void> {
  await tx.run(sql`DELETE FROM webhook_delivery WHERE ${ofReceiver(receiver)}`)
}

/** Takes the message of a receiver that has been due for longest, so that nobody else sends it. */
export async function claimDelivery(tx: Tx, receiver: Receiver): Promise<Claim> {
  const { organizer, webhook: id } = receiver
  const row = await findRow(tx, webhook, { organizer, event: 0 }, { id })
  if (!row?.enabled) {
    await dropDeliveries(tx, receiver)
    return { delivery: null, more: false, next: null }
  }
  // Only what is due: where another server has just claimed one of them, that one is looked at again and left out.
  const [first, second] = await tx.all<
    Pick<Delivery, 'notification' | 'action' | 'body' | 'attempts' | 'traceparent'>
  >(
    sql`SELECT notification, action, body, attempts, traceparent FROM webhook_delivery
        WHERE ${ofReceiver(receiver)} AND due <= ${tx.now} ORDER BY due, notification LIMIT 2${tx.forUpdate}`,
  )
  if (!first) {
    const next = await tx.get<{ due: string | null }>(
      sql`SELECT min(due) AS due FROM webhook_delivery WHERE ${ofReceiver(receiver)}`,
    )
    return { delivery: null, more: false, next: next?.due ?? null }
  }
  await tx.run(
    sql`UPDATE webhook_delivery SET due = ${later(tx.now, claimedFor)}, claimed = 1
        WHERE ${ofReceiver(receiver)} AND notification = ${first.notification}`,
  )
  const isFormerValid = row.former_until !== null && microsecondsOf(row.former_until) > microsecondsOf(tx.now)
  return {
    delivery: {
      ...receiver,
      ...first,
      target: row.target_url,
      secrets: [row.signing_secret, ...(isFormerValid ? [String(row.former_secret)] : [])],
    },
    more: second !== undefined,
    next: null,
  }
}

/** The one who disables webhooks whose receivers are gone, as the audit trail knows it: nobody did it. */
const goneRule: Actor = {
  kind: 'command',
  id: 0,
  name: 'webhooks',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

/** Writes down what came of an attempt; what becomes of the message. */
export async function settleDelivery(tx: Tx, delivery: Delivery, outcome: Outcome): Promise<DeliveryVerdict> {
  const { organizer, webhook: id, notification } = delivery
  const attempt = tx.nextId()
  const verdict = judge(outcome.code, delivery.attempts + 1, outcome.retryAfter)
  const next = verdict.kind === 'again' ? later(tx.now, verdict.delay) : null
  const own = sql`${ofReceiver(delivery)} AND notification = ${notification}`
  await tx.run(
    sql`INSERT INTO webhook_attempt (organizer, id, webhook, "datetime", notification_id, action_type, target_url,
          is_retry, return_code, success, duration, error, payload, response_body, next_attempt)
        VALUES (${organizer}, ${attempt}, ${id}, ${tx.now}, ${notification}, ${delivery.action}, ${outcome.target},
          ${delivery.attempts > 0 ? 1 : 0}, ${outcome.code}, ${verdict.kind === 'delivered' ? 1 : 0},
          ${outcome.duration}, ${outcome.error}, ${delivery.body}, ${outcome.body}, ${next})`,
  )
  if (verdict.kind === 'again')
    await tx.run(
      sql`UPDATE webhook_delivery SET due = ${next}, attempts = ${delivery.attempts + 1}, claimed = 0 WHERE ${own}`,
    )
  else await tx.run(sql`DELETE FROM webhook_delivery WHERE ${own}`)
  if (verdict.kind === 'refused for good') await disableGone(tx, delivery)
  return verdict
}

/** Disables a webhook that is wanted no more, unless it was pointed elsewhere meanwhile. */
async function disableGone(tx: Tx, delivery: Delivery): Promise<void> {
  const row = await findRow(
    tx,
    webhook,
    { organizer: delivery.organizer, event: 0 },
    { id: delivery.webhook },
  )
  if (row?.target_url === delivery.target) await disableWebhook(tx, goneRule, delivery)
}

/** Disables a webhook and forgets what was still to be sent to it. */
export async function disableWebhook(tx: Tx, actor: Actor, receiver: Receiver): Promise<void> {
  const { organizer, webhook: id } = receiver
  const place = { organizer, event: 0 }
  const row = await lockRow(tx, webhook, place, { id })
  if (row?.enabled) {
    await updateRow(tx, webhook, place, { id, enabled: false })
    const data = { enabled: false }
    tx.audit(place, actor, { action: 'ticketsvc.webhook.changed', resource: webhook.name, row: id, data })
  }
  await dropDeliveries(tx, receiver)
}

/** Gives back a message whose sending was broken off, as if it had not begun. */
export async function releaseDelivery(tx: Tx, delivery: Delivery): Promise<void> {
  await tx.run(
    sql`UPDATE webhook_delivery SET due = ${tx.now}, claimed = 0
        WHERE ${ofReceiver(delivery)} AND notification = ${delivery.notification} AND claimed = 1`,
  )
}

/** Gives back what a server that was killed had claimed, where only one server can use the data: at its start. */
export async function releaseAll(tx: Tx): Promise<void> {
  if (tx.engine === 'sqlite')
    await tx.run(sql`UPDATE webhook_delivery SET due = ${tx.now}, claimed = 0 WHERE claimed = 1`)
}

/** Who has messages waiting, and when the next is due. */
export const waitingReceivers = ({
  database,
}: Transactions): Promise<(Receiver & { readonly due: string })[]> =>
  database.all(
    sql`SELECT organizer, webhook, due FROM (
          SELECT w.organizer AS organizer, w.id AS webhook,
            (SELECT min(d.due) FROM webhook_delivery d WHERE d.organizer = w.organizer AND d.webhook = w.id) AS due
          FROM webhook w WHERE ${isHere(sql`w.organizer`)}) waiting
        WHERE due IS NOT NULL ORDER BY due, organizer, webhook`,
  )

/** Days for which attempts are kept, and after which nobody wants a message any more. */
const keptDays = 30
const staleDays = 4
const day = 86_400

const atOnce = 500

/** Forgets old attempts, and messages that a receiver could not take for days; how many of both. */
export async function forgetOld(transactions: Transactions): Promise<{ attempts: number; messages: number }> {
  const inBits = async (remove: (tx: Tx) => Promise<number>): Promise<number> => {
    let all = 0
    for (let count = atOnce; count === atOnce; all += count) count = await transactions.write(remove)
    return all
  }
  return {
    attempts: await inBits((tx) =>
      tx.run(
        sql`DELETE FROM webhook_attempt WHERE (organizer, id) IN
              (SELECT organizer, id FROM webhook_attempt WHERE "datetime" < ${later(tx.now, -keptDays * day)} LIMIT ${atOnce})`,
      ),
    ),
    messages: await inBits((tx) =>
      tx.run(
        sql`DELETE FROM webhook_delivery WHERE (organizer, webhook, notification) IN
              (SELECT organizer, webhook, notification FROM webhook_delivery
               WHERE created < ${later(tx.now, -staleDays * day)} LIMIT ${atOnce})`,
      ),
    ),
  }
}
