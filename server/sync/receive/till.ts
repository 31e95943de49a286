import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { lineKinds } from '../../../schema/receipt-words.ts'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { closing, type StoredClosing } from '../../../schema/resources/drawer/closing.ts'
import { drawer, type StoredDrawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { receiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { chainHash } from '../../domain/drawer/receipt-chain.ts'
import { isObject } from '../../resource/input.ts'
import { findRow, insertRow, lockRow, named, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { recordConflict } from '../../services/checkin/conflict-rows.ts'
import { closingContent } from '../../services/drawer/drawer-closing.ts'
import { mailReceipt } from '../../services/drawer/receipt-prints.ts'
import { contentOf } from '../../services/drawer/receipt-rows.ts'
import { signatureContent } from '../../services/drawer/receipt-signatures.ts'
import type { Applied, Applier, ApplyContext } from './applier.ts'
import { reportedRows } from './reported-row.ts'

const ids = { type: 'array', maxItems: 200, items: { type: 'integer', minimum: 1 } }
const lines = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    required: ['kind', 'text', 'amount', 'tax_rate', 'tax_value', 'tax_code'],
    properties: {
      kind: { type: 'string', enum: lineKinds },
      text: { type: 'string' },
      amount: { type: 'string', format: 'money' },
      tax_rate: { type: 'string', format: 'percent' },
      tax_value: { type: 'string', format: 'money' },
      tax_code: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  },
}
const orNothing = { anyOf: [{ type: 'string', format: 'money' }, { type: 'null' }] }
const payments = {
  type: 'array',
  maxItems: 50,
  items: {
    type: 'object',
    required: ['provider', 'amount', 'given', 'change'],
    properties: {
      provider: { type: 'string', maxLength: 190 },
      amount: { type: 'string', format: 'money' },
      given: orNothing,
      change: orNothing,
    },
  },
}

const readDrawer = reportedRows(drawer, { tills: ids })
const readReceipt = reportedRows(receipt, { lines, payments })
const readClosing = reportedRows(closing)
const readPrint = reportedRows(receiptPrint)
const readSignature = reportedRows(receiptSignature)

const rowIn = ({ payload }: SentFact): unknown => (isObject(payload) ? payload.row : null)

/** The receipt that a fact says; throws 400 for what is none. */
export const sentReceipt = (fact: SentFact): StoredReceipt => readReceipt(rowIn(fact))

/** Takes in that a drawer was opened, or that one more till works at it. */
const applyDrawer: Applier = async (tx, { place }, fact) => {
  const row: StoredDrawer = readDrawer(rowIn(fact))
  const known = await lockRow(tx, drawer, place, { id: row.id })
  if (known?.till === row.till && known.site === row.site) {
    const tills = [...new Set([...known.tills, ...row.tills])]
    if (tills.length > known.tills.length) await updateRow(tx, drawer, place, { id: row.id, tills })
    return { status: 'applied' }
  }
  const taken = await isTaken(tx, drawer, place.organizer, row.id)
  const id = taken ? tx.nextId() : row.id
  const closed = await findRow(tx, closing, place, { drawer: row.id, till: row.till })
  const end = closed ? ({ state: 'closed', closed: closed.closed } as const) : {}
  await insertRow(tx, drawer, place, { ...row, ...end, id })
  return { status: 'applied', ...(taken ? { rejoin: true } : {}) }
}

/** Takes in what a till has taken or given. A number that comes twice is kept twice, and a person gets to see it. */
const applyReceipt: Applier = async (tx, context, fact) => {
  const row = sentReceipt(fact)
  const { place } = context
  if (isForged(row, contentOf(row))) return wrongHash
  const { till, site, number, hash } = row
  const same = { till, site, number }
  if (await findRow(tx, receipt, place, { ...same, hash })) return { status: 'applied' }
  const other = await findRow(tx, receipt, place, same)
  const taken = await isTaken(tx, receipt, place.organizer, row.id)
  await insertRow(tx, receipt, place, { ...row, id: taken ? tx.nextId() : row.id })
  const answer: Applied = { status: 'applied', ...(taken ? { rejoin: true } : {}) }
  const { order: code, total } = row
  return other ? twice(tx, context, fact, { kind: 'receipt_twice', data: { ...same, code, total } }) : answer
}

/** Takes in that a drawer was counted and closed. */
const applyClosing: Applier = async (tx, context, fact) => {
  const row: StoredClosing = readClosing(rowIn(fact))
  const { place } = context
  if (isForged(row, closingContent(row))) return wrongHash
  const { till, site, number, hash } = row
  const same = { till, site, number }
  if (await findRow(tx, closing, place, { ...same, hash })) return { status: 'applied' }
  const other = await findRow(tx, closing, place, same)
  const taken = await isTaken(tx, closing, place.organizer, row.id)
  await insertRow(tx, closing, place, { ...row, id: taken ? tx.nextId() : row.id })
  const open = await lockRow(tx, drawer, place, { id: row.drawer, till, state: 'open' })
  if (open) await updateRow(tx, drawer, place, { id: open.id, state: 'closed', closed: row.closed })
  if (other) return twice(tx, context, fact, { kind: 'closing_twice', data: same })
  return { status: 'applied', ...(taken ? { rejoin: true } : {}) }
}

/** Takes in that a receipt was given out, and mails it where that is wanted. */
const applyReceiptPrint: Applier = async (tx, { place }, fact) => {
  const row = readPrint(rowIn(fact))
  const { till, site, receipt: of, copy, way } = row
  if (await findRow(tx, receiptPrint, place, { till, site, receipt: of, copy, way }))
    return { status: 'applied' }
  const taken = await isTaken(tx, receiptPrint, place.organizer, row.id)
  const id = taken ? tx.nextId() : row.id
  await insertRow(tx, receiptPrint, place, { ...row, id })
  const { mail } = isObject(fact.payload) ? fact.payload : {}
  if (isObject(mail) && typeof mail.email === 'string')
    await mailReceipt(tx, place, { id }, { email: mail.email.slice(0, 254), locale: String(mail.locale) })
  return { status: 'applied', ...(taken ? { rejoin: true } : {}) }
}

/** Takes in what became of having a receipt signed. */
const applyReceiptSignature: Applier = async (tx, { place }, fact) => {
  const row = readSignature(rowIn(fact))
  if (isForged(row, signatureContent(row))) return wrongHash
  const { till, site, number, hash } = row
  if (await findRow(tx, receiptSignature, place, { till, site, number, hash })) return { status: 'applied' }
  const taken = await isTaken(tx, receiptSignature, place.organizer, row.id)
  await insertRow(tx, receiptSignature, place, { ...row, id: taken ? tx.nextId() : row.id })
  return { status: 'applied', ...(taken ? { rejoin: true } : {}) }
}

/** How what a till reports is applied. */
export const tillAppliers = {
  ...{ drawer: applyDrawer, receipt: applyReceipt, closing: applyClosing },
  receipt_print: applyReceiptPrint,
  receipt_signature: applyReceiptSignature,
}

interface Hashed {
  readonly previous_hash: string
  readonly hash: string
  readonly hash_version: number
}

/** Whether something does not say what was hashed; what a newer program has hashed is believed. */
function isForged({ hash_version, previous_hash, hash }: Hashed, content: object): boolean {
  const expected = chainHash(hash_version, previous_hash, content)
  return expected !== null && expected !== hash
}

const wrongHash: Applied = {
  status: 'rejected',
  reason: 'wrong_hash',
  detail: 'It does not say what it said when it was written.',
}

/** Whether an id is that of another row, in whichever event. */
const isTaken = async (tx: Tx, resource: Resource, organizer: number, id: number): Promise<boolean> =>
  (await tx.get(
    sql`SELECT id FROM ${named(tableOf(resource))} WHERE organizer = ${organizer} AND id = ${id}`,
  )) !== undefined

/** Keeps for a person to look at that a till has given one number twice, as it does when its disk was put back. */
async function twice(
  tx: Tx,
  { place, at }: ApplyContext,
  { nonce, device }: SentFact,
  { kind, data }: { readonly kind: 'receipt_twice' | 'closing_twice'; readonly data: JsonObject },
): Promise<Applied> {
  const conflict = await recordConflict(tx, place, {
    ...{ key: nonce, kind, severity: 'critical', position: null, list: null },
    ...{ checkin: null, other_checkin: null, device, other_device: null, datetime: at, other_datetime: null },
    data,
  })
  return { status: 'conflict', rejoin: true, conflicts: [conflict] }
}
