import { printInput } from '../../../schema/bodies/order-actions.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import type { Scope } from '../../resource/api.ts'
import { readBody } from '../../resource/input.ts'
import { insertRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { recordOrder, saveOrder } from './order-changes.ts'
import type { LockedPosition } from './position-lock.ts'

/** Reads the body of a request that reports something printed; throws 400 with messages by field. */
export const readPrint = (body: unknown): RowOf<typeof printInput> =>
  readBody(printInput, body, { partial: false, locale: 'en' })

/** Keeps that something was printed for a ticket, at the reported time or now; its id. */
export async function recordPrint(
  tx: Tx,
  at: Pick<Scope, 'actor' | 'place'>,
  { order, position }: LockedPosition,
  print: RowOf<typeof printInput>,
): Promise<number> {
  const { actor, place } = at
  const id = tx.nextId()
  const made = { id, position: position.id, device: actor.device?.id ?? null, created: tx.now }
  const row = { ...print, ...made, datetime: print.datetime ?? tx.now }
  await insertRow(tx, printLog, place, row)
  tx.fact(place, actor.device?.id ?? null, { kind: 'print', payload: { row, secret: position.secret } })
  await saveOrder(tx, place, order.id, {})
  const { type, successful } = print
  const data = { position: position.id, type, successful }
  recordOrder(tx, at, { order: order.id, action: 'print', data })
  return id
}
