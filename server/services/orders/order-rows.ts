import type { StoredRow } from '../../../schema/resource.ts'
import type { order } from '../../../schema/resources/orders/order.ts'
import type { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import type { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { paymentDeadline } from '../../domain/orders/order-moves.ts'
import { referencesIn, withoutReferences } from '../../domain/orders/order-references.ts'
import { lastPayment } from '../../domain/orders/payments.ts'
import type { EventFacts } from '../../resource/api.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { SearchText } from '../../storage/search.ts'
import { freshOrderSecret } from '../codes/order-codes.ts'
import type { FeeDraft, OrderDraft, OrderScope, PaymentDraft } from '../pricing/order-draft.ts'
import { searchText } from './order-search-text.ts'
import { type PositionRow, type PositionTerms, positionRow, taxColumns } from './position-rows.ts'

/** An order as it is stored. */
export type OrderRow = StoredRow<typeof order>

/** A fee as it is stored. */
type FeeRow = StoredRow<typeof orderFee>

/** A payment as it is stored. */
type PaymentRow = StoredRow<typeof orderPayment>

/** The rows of an order that is about to be stored, in their JSON form, and what its positions are found by. */
export interface OrderRows {
  readonly order: OrderRow
  readonly positions: readonly PositionRow[]
  readonly fees: readonly FeeRow[]
  readonly payments: readonly PaymentRow[]
  readonly texts: readonly SearchText[]
}

const usualTerm = 14

/** Until when an order placed at a moment may be paid, by the event's settings. */
export function expiryFrom(now: string, { settings, timezone }: EventFacts): string {
  const days = settings.payment_term_days
  return paymentDeadline(now, typeof days === 'number' && days >= 0 ? days : usualTerm, timezone)
}

/** What an order costs: its positions and its fees, in hundredths. */
export const totalOf = ({ positions, fees = [] }: Pick<OrderDraft, 'positions' | 'fees'>): number =>
  positions.reduce((sum, { price }) => sum + price, 0) + fees.reduce((sum, { value }) => sum + value, 0)

/** All rows of an order with a code. */
export function orderRows(
  tx: Tx,
  { place, event }: OrderScope,
  draft: OrderDraft,
  { code, terms }: { readonly code: string; readonly terms: PositionTerms },
): OrderRows {
  const id = tx.nextId()
  const ids = new Map(draft.positions.map(({ positionid }) => [positionid, tx.nextId()]))
  const idOf = (positionid: number | null | undefined): number | null => ids.get(positionid ?? 0) ?? null
  const positions = draft.positions.map((position) => {
    const keys = { id: Number(idOf(position.positionid)), order: id, parent: idOf(position.addon_to) }
    return positionRow(tx, position, keys, terms)
  })
  const byId = new Map(positions.map((row) => [row.id, row]))
  return {
    order: orderRow(tx, event, draft, { id, code }),
    positions,
    fees: (draft.fees ?? []).map((fee) => feeRow(fee, tx.nextId(), id, terms.step)),
    payments: (draft.payments ?? []).map((payment, index) =>
      paymentRow(tx, payment, { id: tx.nextId(), order: id, localId: index + 1 }),
    ),
    texts: positions.map((row) => ({
      position: row.id,
      ...place,
      ...wordsOf(draft, code, row, byId.get(row.addon_to ?? 0)),
      note: withoutReferences(draft.comment ?? ''),
    })),
  }
}

const wordsOf = (
  draft: OrderDraft,
  code: string,
  row: PositionRow,
  parent: PositionRow | undefined,
): ReturnType<typeof searchText> => {
  const { invoice_address: address, email } = draft
  return searchText({
    name: row.attendee_name,
    email: row.attendee_email,
    company: row.company,
    parentName: parent?.attendee_name ?? null,
    parentEmail: parent?.attendee_email ?? null,
    code,
    orderEmail: email ?? null,
    invoiceName: address?.name ?? null,
    invoiceCompany: address?.company ?? null,
    reference: referencesIn(draft.comment ?? ''),
  })
}

function orderRow(
  tx: Tx,
  event: EventFacts,
  draft: OrderDraft,
  { id, code }: Pick<OrderRow, 'id' | 'code'>,
): OrderRow {
  const placed = draft.datetime ?? tx.now
  const payments = (draft.payments ?? []).map((one) => ({ ...one, payment_date: one.payment_date ?? null }))
  return {
    id,
    code,
    status: draft.status,
    testmode: draft.testmode ?? false,
    secret: freshOrderSecret(tx),
    email: draft.email ?? null,
    phone: draft.phone ?? null,
    customer: draft.customer ?? null,
    locale: draft.locale ?? event.locale,
    sales_channel: draft.sales_channel ?? 'web',
    datetime: placed,
    expires: draft.expires ?? expiryFrom(placed, event),
    ...lastPayment(payments, event.timezone),
    total: amountOf(totalOf(draft)),
    comment: draft.comment ?? '',
    custom_followup_at: draft.custom_followup_at ?? null,
    checkin_attention: draft.checkin_attention ?? false,
    checkin_text: draft.checkin_text ?? null,
    invoice_address: draft.invoice_address ? { last_modified: tx.now, ...draft.invoice_address } : null,
    require_approval: draft.require_approval ?? false,
    valid_if_pending: draft.valid_if_pending ?? false,
    last_modified: tx.now,
    cancellation_date: draft.status === 'c' ? tx.now : null,
  }
}

/** The row of a fee in its JSON form. */
export const feeRow = (draft: FeeDraft, id: number, order: number, step: number): FeeRow => ({
  id,
  order_id: order,
  fee_type: draft.fee_type,
  value: amountOf(draft.value),
  description: draft.description ?? '',
  internal_type: draft.internal_type ?? '',
  ...taxColumns(draft.value, draft.tax_rate ?? 0, draft.tax_rule ?? null, step),
  canceled: false,
})

/** Where a payment belongs, and its number there. */
interface PaymentKeys {
  readonly id: number
  readonly order: number
  readonly localId: number
}

/** The row of a payment in its JSON form. */
export const paymentRow = (tx: Tx, draft: PaymentDraft, { id, order, localId }: PaymentKeys): PaymentRow => ({
  id,
  order_id: order,
  local_id: localId,
  state: draft.state,
  amount: amountOf(draft.amount),
  created: tx.now,
  payment_date: draft.payment_date ?? null,
  provider: draft.provider,
  details: draft.details ?? {},
})
