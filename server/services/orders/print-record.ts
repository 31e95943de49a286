import { printInput } from '../../../schema/bodies/order-actions.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import type { Actor } from '../../resource/actor.ts'
import type { RowData } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { recordOrder, saveOrder } from './order-changes.ts'
import type { LockedPosition } from './position-lock.ts'

/** Reads the body of a request that tells of something printed; throws 400 with messages by field. */
export const readPrint = (body: unknown): RowData =>
  readBody(printInput, body, { partial: false, locale: 'en' })

/** Keeps that something was printed for a ticket, at a time that was told or now; its id. */
export async function recordPrint(
  tx: Tx,
  actor: Actor,
  place: Place,
  { order, position }: LockedPosition,
  told: RowData,
): Promise<number> {
  const id = tx.nextId()
  const made = { id, position: position.id, device: actor.device?.id ?? null, created: tx.now }
  const row = { ...told, ...made, datetime: told.datetime ?? tx.now }
  await insertRow(tx, printLog, place, row)
  tx.fact(place, actor.device?.id ?? null, { kind: 'print', payload: { row, secret: position.secret } })
  await saveOrder(tx, place, order.id, {})
  const { type, successful } = told
  const data = { position: position.id, type, successful }
  recordOrder(tx, { actor, place }, { order: order.id, action: 'print', data })
  return id
}
