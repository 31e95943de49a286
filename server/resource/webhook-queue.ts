import sql, { join } from 'sql-template-tag'
import { webhook } from '../../schema/resources/notifications/webhook.ts'
import { asPretixAction, subscriptionOf } from '../../schema/webhook-actions.ts'
import { type Cell, insertion } from './insertion.ts'
import { findRows, updateRow } from './store.ts'
import type { AuditEntry, Place, Receiver, Tx } from './transactions.ts'

/** An entry of the audit trail with the id and the place that it has. */
export interface NotedEntry {
  readonly id: number
  readonly place: Place
  readonly entry: AuditEntry
}

interface Subscriber {
  readonly id: number
  readonly allEvents: boolean
  readonly events: ReadonlySet<string>
  readonly actions: ReadonlySet<string>
}

interface Subscribers {
  readonly slug: string
  readonly webhooks: readonly Subscriber[]
}

interface WebhookEntry extends NotedEntry {
  readonly subscription: string
}

const intoDeliveries = insertion(
  10,
  (rows) =>
    sql`INSERT INTO webhook_delivery (organizer, webhook, notification, action, body, created, attempts, due, claimed,
          traceparent)
        VALUES ${rows}`,
)

/**
 * Queues for the webhooks of an organizer what was noted in the audit trail, in the transaction that noted it; those
 * that there is something to send to. Below another node nothing is sent: facts that are reported upstream are noted
 * there. What it was done for goes with it.
 */
export async function queueDeliveries(
  tx: Tx,
  noted: readonly NotedEntry[],
  traceparent?: string,
): Promise<readonly Receiver[]> {
  if (tx.site !== 0) return []
  const entries = noted.flatMap((one): WebhookEntry[] => {
    const subscription = subscriptionOf(one.entry.action)
    return subscription === null ? [] : [{ ...one, subscription }]
  })
  const receivers: Receiver[] = []
  for (const organizer of new Set(entries.map(({ place }) => place.organizer))) {
    const own = entries.filter(({ place }) => place.organizer === organizer)
    const subscribers = await subscribersOf(tx, organizer)
    if (subscribers.webhooks.length > 0)
      receivers.push(...(await queueOwn(tx, organizer, subscribers, { entries: own, traceparent })))
  }
  return receivers
}

/** The enabled webhooks of an organizer: remembered, so that a scan for somebody who has none costs nothing. */
const subscribersOf = (tx: Tx, organizer: number): Promise<Subscribers> =>
  tx.remembered(`webhooks ${organizer}`, async () => {
    const rows = await tx.all<{ id: number; all_events: number; limit_events: string; action_types: string }>(
      sql`SELECT id, all_events, limit_events, action_types FROM webhook
          WHERE organizer = ${organizer} AND enabled = 1 ORDER BY id`,
    )
    if (rows.length === 0) return { slug: '', webhooks: [] }
    const own = await tx.get<{ slug: string }>(sql`SELECT slug FROM organizer WHERE id = ${organizer}`)
    const webhooks = rows.map((row) => ({
      id: row.id,
      allEvents: row.all_events === 1,
      events: new Set<string>(JSON.parse(row.limit_events)),
      actions: new Set<string>(JSON.parse(row.action_types)),
    }))
    return { slug: String(own?.slug), webhooks }
  })

async function queueOwn(
  tx: Tx,
  organizer: number,
  { slug, webhooks }: Subscribers,
  {
    entries,
    traceparent = null,
  }: { entries: readonly WebhookEntry[]; traceparent?: string | null | undefined },
): Promise<Receiver[]> {
  const wanted = entries.filter((one) => webhooks.some((to) => actionFor(to, one) !== null))
  const events = await slugsOf(tx, organizer, wanted)
  const matches = wanted.flatMap((one) => {
    const event = events.get(one) ?? null
    const to = webhooks.flatMap((webhook) => {
      const action = actionFor(webhook, one)
      const isMeant = webhook.allEvents || (event !== null && webhook.events.has(event))
      return action !== null && isMeant ? [{ id: webhook.id, action }] : []
    })
    return to.length > 0 ? [{ one, event, to }] : []
  })
  const about = await ordersOf(
    tx,
    organizer,
    matches.map(({ one }) => one),
  )
  const rows = matches.flatMap(({ one, event, to }) => {
    const message = { notification_id: one.id, organizer: slug, event, ...detailsOf(one, about) }
    return to.map(({ id, action }): Cell[] => {
      const body = JSON.stringify({ ...message, action })
      return [organizer, id, one.id, action, body, tx.now, 0, tx.now, 0, traceparent]
    })
  })
  await intoDeliveries(tx, rows)
  for (const { entry } of entries)
    if (entry.action === 'ticketsvc.event.deleted') await forgetSlug(tx, organizer, dataOf(entry).slug)
  return [...new Set(matches.flatMap(({ to }) => to.map(({ id }) => id)))].map((id) => ({
    organizer,
    webhook: id,
  }))
}

/** An action in the words that a webhook has subscribed to it with; null where it has not. */
function actionFor({ actions }: Subscriber, { entry, subscription }: WebhookEntry): string | null {
  if (actions.has(subscription)) return entry.action
  return actions.has(asPretixAction(subscription)) ? asPretixAction(entry.action) : null
}

const dataOf = ({ data }: AuditEntry): Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}

/** Of which event each entry is; one that was deleted is known by what was noted. */
async function slugsOf(
  tx: Tx,
  organizer: number,
  entries: readonly WebhookEntry[],
): Promise<Map<WebhookEntry, string>> {
  const slugs = new Map<WebhookEntry, string>()
  for (const one of entries) {
    const event = one.place.event || (one.entry.resource === 'event' ? one.entry.row : 0)
    if (event === 0) continue
    const found = await tx.remembered(`slug ${organizer} ${event}`, () =>
      tx.get<{ slug: string }>(sql`SELECT slug FROM event WHERE organizer = ${organizer} AND id = ${event}`),
    )
    const slug = found?.slug ?? dataOf(one.entry).slug
    if (typeof slug === 'string') slugs.set(one, slug)
  }
  return slugs
}

interface About {
  readonly codes: ReadonlyMap<number, string>
  readonly positions: ReadonlyMap<number, number>
}

/** The codes of the orders that some entries are about, and the numbers of the positions in them. */
async function ordersOf(tx: Tx, organizer: number, entries: readonly WebhookEntry[]): Promise<About> {
  const orders = new Set(entries.flatMap(({ entry }) => (entry.resource === 'order' ? [entry.row] : [])))
  const positions = new Set(
    entries.flatMap(({ entry }) => {
      const { position, positionid } = dataOf(entry)
      return isScan(entry) && typeof position === 'number' && positionid === undefined ? [position] : []
    }),
  )
  const codes =
    orders.size === 0
      ? []
      : await tx.all<{ id: number; code: string }>(
          sql`SELECT id, code FROM orders WHERE organizer = ${organizer} AND id IN (${join([...orders])})`,
        )
  const numbers =
    positions.size === 0
      ? []
      : await tx.all<{ id: number; positionid: number }>(
          sql`SELECT id, positionid FROM order_position
              WHERE organizer = ${organizer} AND id IN (${join([...positions])})`,
        )
  return {
    codes: new Map(codes.map(({ id, code }) => [id, code])),
    positions: new Map(numbers.map(({ id, positionid }) => [id, positionid])),
  }
}

const isScan = ({ action }: AuditEntry): boolean => action.startsWith('ticketsvc.event.checkin')

/** What a message says beside who, where and what: just enough to ask for the rest. */
function detailsOf({ entry }: WebhookEntry, { codes, positions }: About): Record<string, unknown> {
  if (entry.resource === 'subevent') return { subevent: entry.row }
  if (entry.resource === 'conflict') return { conflict: entry.row }
  const code = entry.resource === 'order' ? { code: codes.get(entry.row) ?? null } : {}
  if (!isScan(entry)) return code
  const { position, positionid, list, type, first_checkin } = dataOf(entry)
  return {
    code: null,
    ...code,
    orderposition_id: position ?? null,
    orderposition_positionid: positionid ?? positions.get(Number(position)) ?? null,
    checkin_list: list,
    type,
    first_checkin: first_checkin === true,
  }
}

/** Takes an event that is gone off the lists once the last has heard of it: another one with its name is not meant. */
async function forgetSlug(tx: Tx, organizer: number, slug: unknown): Promise<void> {
  const place = { organizer, event: 0 }
  for (const row of await findRows(tx, webhook, place)) {
    const events = row.limit_events as readonly string[]
    if (typeof slug === 'string' && events.includes(slug))
      await updateRow(tx, webhook, place, {
        id: row.id,
        limit_events: events.filter((one) => one !== slug),
      })
  }
}
