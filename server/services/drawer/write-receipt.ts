import sql from 'sql-template-tag'
import type { ReceiptType } from '../../../schema/receipt-words.ts'
import { drawer, type StoredDrawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { hashVersion } from '../../domain/drawer/receipt-chain.ts'
import { type ReceiptLine, type ReceiptPayment, taxesOf, totalAmount } from '../../domain/drawer/receipts.ts'
import { impossible } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { amountOf } from '../../resource/codec.ts'
import { insertRow, lockRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventById } from '../events/events.ts'
import { cashierAt } from './cashier.ts'
import { contentOf, shownLine, shownPayment, shownTax } from './receipt-rows.ts'
import { nextLink } from './till-count.ts'

/** What a receipt is to say. */
export interface ReceiptDraft {
  readonly type: ReceiptType
  readonly sold_event?: string | null
  readonly order?: string | null
  readonly currency: string
  readonly training?: boolean
  /** When what it is about began, where that was earlier. */
  readonly started?: string
  readonly lines: readonly ReceiptLine[]
  readonly payments: readonly ReceiptPayment[]
  readonly reverses?: number | null
  readonly reason?: string
}

/** A drawer that is open, with the place where it is; nobody closes it until the transaction ends. */
export interface OpenDrawer {
  readonly place: Place
  readonly row: StoredDrawer
}

/** Which open drawer a device works at, and where. */
export async function ownDrawerId(db: Queryable, organizer: number, device: number) {
  const open = await db.all<{ id: number; event: number; tills: string }>(
    sql`SELECT id, event, "tills" FROM drawer WHERE organizer = ${organizer} AND "state" = 'open' ORDER BY id`,
  )
  const own = open.find(({ tills }) => (JSON.parse(tills) as number[]).includes(device))
  return own && { id: own.id, place: { organizer, event: own.event } }
}

/** The open drawer that a device works at; null for a device without one, which is no till. */
export async function drawerOf(tx: Tx, organizer: number, device: number): Promise<OpenDrawer | null> {
  const own = await ownDrawerId(tx, organizer, device)
  const row = own && (await lockRow(tx, drawer, own.place, { id: own.id }))
  return own && row?.state === 'open' ? { place: own.place, row } : null
}

/** Writes the next receipt of a till: what it says is stored, numbered, chained and reported at once. */
export async function writeReceipt(
  tx: Tx,
  actor: Actor,
  { place, row: at }: OpenDrawer,
  draft: ReceiptDraft,
): Promise<StoredReceipt> {
  const till = actor.device?.id ?? at.till
  if (draft.currency !== at.currency)
    throw impossible(`This drawer holds ${at.currency}. Close it, and open one in ${draft.currency}.`)
  const { sold_event = null, order = null, started = tx.now, reverses = null, reason = '' } = draft
  const said = {
    ...{ id: tx.nextId(), type: draft.type, drawer: at.id, till, site: tx.site, sold_event, order },
    ...(await cashierAt(tx, actor)),
    ...{ started, ended: tx.now, training: at.training || (draft.training ?? false) },
    ...{ currency: draft.currency, total: amountOf(totalAmount(draft.lines.map(({ amount }) => amount))) },
    lines: draft.lines.map(shownLine),
    payments: draft.payments.map(shownPayment),
    taxes: taxesOf(draft.lines).map(shownTax),
    ...{ reverses, reason, signing: await signingAt(tx, place) },
  }
  const link = await nextLink(tx, place, { till, kind: 'receipt' }, (number) =>
    contentOf({ ...said, ...unlinked, number }),
  )
  const row: StoredReceipt = { ...said, ...link }
  await insertRow(tx, receipt, place, row)
  tx.fact(place, till, { kind: 'receipt', payload: { row } })
  return row
}

const unlinked = { previous_hash: '', hash: '', hash_version: hashVersion }

/** By what the receipts of an event are to be signed. */
async function signingAt(tx: Tx, { organizer, event }: Place): Promise<string> {
  const settings = (await eventById(tx, organizer, event))?.settings
  return settings === undefined || settings.till_signing === 'none' ? '' : settings.till_signing
}

/** The newest receipt of a sale of an order, which a refund takes back. */
export async function receiptForOrder(tx: Tx, organizer: number, event: string, order: string) {
  return tx.get<{ id: number }>(
    sql`SELECT id FROM receipt WHERE organizer = ${organizer} AND "order" = ${order} AND "sold_event" = ${event}
          AND "type" = 'sale' ORDER BY "ended" DESC, id DESC LIMIT 1`,
  )
}
