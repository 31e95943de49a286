import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { drawer, type StoredDrawer } from '../../../schema/resources/drawer/drawer.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import { payloadOf } from '../../resource/facts.ts'
import { findRow, insertRow, named, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { indexOrders } from '../../services/orders/order-search-text.ts'
import type { CardTransaction } from '../../services/payments/gift-card-transactions.ts'
import { repeatChange } from '../../services/payments/offline-gift-cards.ts'
import { lacksParent } from '../../services/quotas/lease-rows.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { StorageError } from '../../storage/database.ts'
import { type CellChanges, type NamePayload, repeatName, unreportedFacts } from './own-names.ts'
import type { ReplicaCell } from './replica-rows.ts'

/**
 * What may be taken over of a row from upstream without undoing what was decided here: a check-in that was annulled
 * stays so, what was sold of a lease is never less than it was, and a device that was revoked stays so: these only ever
 * go one way. The access of a hub's own devices is given at the hub: what is upstream is from before as long as these
 * are `unreported`.
 */
export function changesToAdopt(
  resource: string,
  before: Cells,
  changes: CellChanges,
  unreported: ReadonlySet<number>,
): Record<string, ReplicaCell> {
  const next: Record<string, ReplicaCell> = { ...changes }
  // With another nonce it is another check-in, which somebody else made under the same id.
  const isSame = next.nonce === undefined
  if (resource === checkin.name && isSame && before.error_reason === 'annulled' && 'error_reason' in next) {
    delete next.successful
    delete next.error_reason
    delete next.error_explanation
  }
  if (resource === quotaLease.name && typeof next.used === 'number' && next.used < Number(before.used))
    delete next.used
  if (resource === drawer.name) {
    // A drawer is closed once, and tills only ever join it.
    if (before.state === 'closed') for (const column of ['state', 'closed']) delete next[column]
    if (String(next.tills ?? '').length < String(before.tills).length) delete next.tills
  }
  if (resource === device.name) {
    if (before.revoked === 1) delete next.revoked
    const isUnreported = unreported.has(Number(before.id))
    for (const column of ownAccess)
      if (isUnreported || (next[column] === null && keys.includes(column))) delete next[column]
  }
  return next
}

/**
 * What lets a device in. Whoever has none of it upstream was set up here, or has a one-time token that only we know.
 */
const keys: readonly string[] = ['token_hash', 'initialization_token', 'initialized']

/** What a device is recognised by. */
const ownAccess: readonly string[] = [...keys, 'site', 'site_end', 'former_sites']

/**
 * The devices that something was reported of which the upstream server did not know yet when it was asked at
 * `requested`.
 */
export async function unreportedDevices(tx: Queryable, requested: string): Promise<ReadonlySet<number>> {
  const facts = await unreportedFacts<{ row?: { id: number } }>(tx, sql`kind = 'device'`, requested)
  return new Set(facts.map(({ row }) => Number(row?.id)))
}

interface AnswersPayload {
  readonly position: number
  readonly answers: readonly StoredAnswer[]
  readonly removed: readonly number[]
}

/** Answers as they are once those given here are added to those of the upstream server. */
const withOwn = (upstream: readonly StoredAnswer[], own: AnswersPayload): StoredAnswer[] => {
  const given = new Set([...own.answers.map((one) => one.question), ...own.removed])
  return [...upstream.filter((one) => !given.has(one.question)), ...own.answers]
}

/** The same for answers given here that the upstream server did not know yet when it was asked at `requested`. */
export async function answersToKeep(
  tx: Queryable,
  position: number,
  changes: CellChanges,
  requested: string,
): Promise<Record<string, ReplicaCell>> {
  const given = await unreportedFacts<AnswersPayload>(tx, sql`kind = 'answers'`, requested)
  const own = given.filter((one) => one.position === position)
  if (own.length === 0) return { ...changes }
  const upstream: StoredAnswer[] = JSON.parse(String(changes.answers ?? '[]'))
  return { ...changes, answers: JSON.stringify(own.reduce(withOwn, upstream)) }
}

/** A fact as the outbox holds it. */
export interface OutboxFact {
  readonly organizer: number
  readonly event: number
  readonly kind: string
  /** The device whose doing it was; null for nobody's. */
  readonly device: number | null
  readonly payload: string
}

/**
 * Sees to it that a fresh copy holds what was decided here: rows that are missing are put back, annulments and answers
 * are repeated. How many facts could not be: what they are about is not there any more, or something else has taken
 * what they need. They stay in the outbox in any case.
 */
export async function restoreFacts(tx: Tx, facts: readonly OutboxFact[]): Promise<number> {
  let left = 0
  for (const fact of facts)
    try {
      await restore(tx, fact)
    } catch (cause) {
      if (!isOfTheFact(cause)) throw cause
      left += 1
    }
  return left
}

/** Whether a fact cannot be read or does not fit, which is no reason to be without a copy, as what ails the disk is. */
const isOfTheFact = (cause: unknown): boolean =>
  cause instanceof TypeError ||
  (cause instanceof StorageError && (cause.problem === 'unique' || cause.problem === 'foreign')) ||
  (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_CONSTRAINT'))

/** What facts hold, as far as it is looked at; those of others are as they were sent. */
interface Payload extends AnswersPayload, NamePayload {
  readonly row: JsonObject
  readonly order: JsonObject
  readonly positions?: readonly JsonObject[]
  readonly fees?: readonly JsonObject[]
  readonly payments?: readonly JsonObject[]
  readonly checkin: number
  readonly nonce?: string | null
  readonly explanation?: string | null
}

/** What is one row of the resource of that name, and stays as it was reported. */
const singleRows: readonly string[] = ['checkin', 'receipt', 'receipt_print', 'receipt_signature']

async function restore(
  tx: Tx,
  { organizer, event, kind, device: doer, payload: text }: OutboxFact,
): Promise<void> {
  const place: Place = { organizer, event }
  const payload = payloadOf(text) as JsonObject & Payload
  const single = singleRows.includes(kind) && resourceByName.get(kind)
  if (single) return putBack(tx, single, place, [payload.row])
  switch (kind) {
    case 'annulment':
      return repeatAnnulment(tx, place, doer, payload)
    case 'answers':
      return repeatAnswers(tx, place, payload)
    case 'attendee_name':
      return repeatName(tx, place, payload)
    case 'order': {
      await putBack(tx, order, place, [payload.order])
      await putBack(tx, orderPosition, place, payload.positions ?? [])
      await putBack(tx, orderFee, place, payload.fees ?? [])
      await putBack(tx, orderPayment, place, payload.payments ?? [])
      return indexOrders(tx, place, [Number(payload.order.id)])
    }
    case 'device':
      return putBack(tx, device, { organizer, event: 0 }, [payload.row])
    case 'lease':
      if (await lacksParent(tx, organizer, payload.row.parent)) return
      return putBack(tx, quotaLease, place, [payload.row])
    case 'print':
      return putBack(tx, printLog, place, [payload.row])
    case 'drawer':
      return putDrawerBack(tx, place, payload.row)
    case 'closing': {
      await putBack(tx, closing, place, [payload.row])
      const { drawer: id, closed } = payload.row
      return putDrawerBack(tx, place, { id, state: 'closed', closed })
    }
    case 'gift_card':
      return repeatChange(tx, organizer, { row: payload.row as CardTransaction })
  }
}

/**
 * By the nonce, as the upstream server does: under the id there may be a check-in of somebody else, and the one meant
 * under another.
 */
async function repeatAnnulment(
  tx: Tx,
  { organizer, event }: Place,
  doer: number | null,
  { checkin: id, nonce = null, explanation = null }: Payload,
): Promise<void> {
  const which = nonce === null ? sql`id = ${id} AND nonce IS NULL` : sql`nonce = ${nonce}`
  const of = doer === null ? sql`device IS NULL` : sql`device = ${doer}`
  await tx.run(
    sql`UPDATE checkin SET successful = 0, error_reason = 'annulled', error_explanation = ${explanation}
        WHERE organizer = ${organizer} AND event + 0 = ${event} AND ${which} AND ${of} AND successful = 1`,
  )
}

/** A drawer as it is by now here: opened, joined by more tills, or closed. */
async function putDrawerBack(tx: Tx, place: Place, row: JsonObject): Promise<void> {
  const id = Number(row.id)
  const known = await findRow(tx, drawer, place, { id })
  if (!known && 'tills' in row) return putBack(tx, drawer, place, [row])
  if (!known) return
  const { tills, state, closed } = row as Partial<StoredDrawer>
  if (state === 'closed' && known.state !== 'closed')
    await updateRow(tx, drawer, place, { id, state, closed: closed ?? null })
  if (tills && tills.length > known.tills.length) await updateRow(tx, drawer, place, { id, tills })
}

/** Inserts rows that are missing. */
async function putBack(tx: Tx, resource: Resource, place: Place, rows: readonly JsonObject[]): Promise<void> {
  if (rows.length === 0) return
  const known = await tx.all<{ id: number }>(
    sql`SELECT id FROM ${named(tableOf(resource))}
        WHERE organizer = ${place.organizer} AND id IN (${join(rows.map((row) => Number(row.id)))})`,
  )
  const here = new Set(known.map((row) => row.id))
  for (const row of rows) if (!here.has(Number(row.id))) await insertRow(tx, resource, place, row)
}

async function repeatAnswers(tx: Tx, { organizer }: Place, own: AnswersPayload): Promise<void> {
  const row = await tx.get<{ answers: string }>(
    sql`SELECT answers FROM order_position WHERE organizer = ${organizer} AND id = ${own.position}`,
  )
  if (!row) return
  const answers = JSON.stringify(withOwn(JSON.parse(row.answers), own))
  if (answers !== row.answers)
    await tx.run(
      sql`UPDATE order_position SET answers = ${answers} WHERE organizer = ${organizer} AND id = ${own.position}`,
    )
}
