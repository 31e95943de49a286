import sql from 'sql-template-tag'
import { changedOrderInput } from '../../../schema/bodies/order-create.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import { order as orderResource } from '../../../schema/resources/orders/order.ts'
import { denied, invalid } from '../../errors.ts'
import { readBody } from '../../resource/input.ts'
import { deleteWithReferences } from '../../resource/references.ts'
import { cellOf, storedFields } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { forgetPositions } from '../../storage/search.ts'
import { type CodeOf, revokeSigned } from '../codes/code-lists.ts'
import { attempt } from '../input/attempts.ts'
import { forgetFiles } from '../input/uploads.ts'
import { takeBackMemberships } from '../orders/granted-memberships.ts'
import { recordOrder, saveOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { indexOrders } from '../orders/order-search-text.ts'
import { readAddress } from '../pricing/invoice-address.ts'
import type { AddressDraft, OrderScope } from '../pricing/order-draft.ts'
import { withoutBlanks } from '../pricing/position-input.ts'
import { releaseVouchers, voucherUses } from './order-vouchers.ts'

/** The audit trail's word for a change of each field. */
const actions: Readonly<Record<string, string>> = {
  email: 'contact.changed',
  phone: 'contact.changed',
  invoice_address: 'modified',
  expires: 'expirychanged',
  locale: 'locale.changed',
  comment: 'comment',
  custom_followup_at: 'custom_followup_at',
  checkin_attention: 'checkin_attention',
  checkin_text: 'checkin_text',
  valid_if_pending: 'valid_if_pending',
}

/** Fields by whose words positions are found. */
const searched = ['email', 'invoice_address', 'comment']

/** The fields of an order that a request changes. */
type OrderUpdate = Omit<Partial<RowOf<typeof changedOrderInput>>, 'invoice_address'> & {
  readonly invoice_address?: AddressDraft | null
}

/** Reads the body of a request that changes an order; throws 400 with messages by field. */
export function readOrderUpdate(body: unknown, at: OrderScope): OrderUpdate {
  const { locale, locales } = at.event
  const sent = readBody(changedOrderInput, withoutBlanks(body, ['email']), { partial: true, locale })
  const { invoice_address: given, ...row } = sent
  if (row.locale !== undefined && !locales.includes(row.locale))
    throw invalid({ locale: ['This is not one of the languages of the event.'] })
  if (given === undefined) return row
  if (given === null) return { ...row, invoice_address: null }
  const address = attempt(() => readAddress(given, at))
  if (!address.ok) throw invalid({ invoice_address: address.errors })
  return { ...row, invoice_address: address.value }
}

/** What of a change differs from what is stored. */
function differences(order: OrderCells, sent: OrderUpdate): OrderUpdate {
  const fields = storedFields(orderResource)
  const { last_modified } = JSON.parse(order.invoice_address ?? 'null') ?? {}
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => {
      const field = fields[name]
      const alike = name === 'invoice_address' && value ? { last_modified, ...Object(value) } : value
      return field !== undefined && cellOf(field, alike) !== order[name]
    }),
  )
}

/** An address whose number for VAT is another than before: nobody has looked at that one yet. */
function unproven(order: OrderCells, address: AddressDraft): AddressDraft {
  const before: AddressDraft | null = JSON.parse(order.invoice_address ?? 'null')
  return before && before.vat_id !== address.vat_id ? { ...address, vat_id_validated: false } : address
}

/** Changes an order as a whole; what is the same as before leaves no trace. */
export async function updateOrder(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  sent: OrderUpdate,
): Promise<void> {
  const { place } = at
  const changes = differences(order, sent)
  const names = Object.keys(changes)
  if (names.length === 0) return
  const { invoice_address: address, ...plain } = changes
  const invoice_address = address && { last_modified: tx.now, ...unproven(order, address) }
  await saveOrder(tx, place, order.id, invoice_address === undefined ? plain : { ...plain, invoice_address })
  for (const action of new Set(names.flatMap((name) => actions[name] ?? []))) {
    const fields = names.filter((name) => actions[name] === action)
    recordOrder(tx, at, { order: order.id, action: action, data: { fields } })
  }
  if (names.some((name) => searched.includes(name))) await indexOrders(tx, place, [order.id])
}

/** Deletes an order of the test mode with everything that hangs on it; others stay for ever (403). */
export async function deleteOrder(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const { place } = at
  if (order.testmode !== 1) throw denied('Only orders of the test mode can be deleted.')
  const positions = await tx.all<CodeOf>(
    sql`SELECT id, secret FROM order_position WHERE organizer = ${place.organizer} AND order_id = ${order.id}`,
  )
  await revokeSigned(tx, place, positions)
  if (order.status !== 'c') await releaseVouchers(tx, at, order, await voucherUses(tx, place, order.id))
  const tickets = positions.map(({ id }) => id)
  await forgetFiles(tx, place.organizer, tickets)
  await forgetPositions(tx, tickets)
  await takeBackMemberships(tx, place, tickets)
  // What goes with an order leaves no trace of its own: that of the order says enough.
  await deleteWithReferences(tx, resourceByName, { resource: orderResource, place, id: order.id })
  recordOrder(tx, at, { order: order.id, action: 'deleted', data: { code: order.code } })
}
