import { isBefore } from '../../../schema/instants.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import type { SaleFromLeases } from '../../domain/quotas/lease-sales.ts'
import { invalid } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { ignoresQuotas } from '../carts/cart-check.ts'
import { takenCodes } from '../codes/order-codes.ts'
import { receiptOfPayments } from '../drawer/sale-receipts.ts'
import { channelErrors } from '../events/sales-channels.ts'
import { uploaderOf, usableFiles } from '../input/uploads.ts'
import { invoiceNewOrder } from '../invoices/order-invoices.ts'
import { checkCustomer, followMemberships } from '../orders/granted-memberships.ts'
import { createOrders } from '../orders/order-drafts.ts'
import { totalOf } from '../orders/order-rows.ts'
import { paymentsOf } from '../payments/order-payments.ts'
import { paymentProviderOf } from '../payments/payment-providers.ts'
import { loadCatalogue, type OrderCatalogue } from '../pricing/order-catalogue.ts'
import type { CreatedOrder, OrderDraft, OrderScope, PaymentDraft } from '../pricing/order-draft.ts'
import type { OrderInput } from '../pricing/order-input.ts'
import { type PriceTerms, priceFees } from '../pricing/order-pricing.ts'
import type { PositionInput } from '../pricing/position-input.ts'
import { sellFromLeases } from '../quotas/lease-sales.ts'
import { shortageText, takeFromQuotas } from '../quotas/quota-usage.ts'
import { payNewOrder } from './new-order-payments.ts'
import {
  type CheckedOrder,
  type ConsumedCart,
  checkLines,
  consumeCarts,
  lockCarts,
  priceAndSeat,
} from './order-lines.ts'
import { useVouchers } from './order-vouchers.ts'

/** Creates an order as it was asked for; throws 400 with messages aligned with the body when it cannot be. */
export async function createOrder(tx: Tx, at: OrderScope, input: OrderInput): Promise<CreatedOrder> {
  const carts = await lockCarts(tx, at.place, input.consume_carts)
  const draft = await draftOrder(tx, at, input, carts)
  if (tx.site !== 0) {
    const sold = await createOffline(tx, at, draft, carts)
    await receiptsOf(tx, at, sold, draft)
    return sold
  }
  const created = await store(tx, at, draft, carts)
  await chargePayments(tx, at, created, draft)
  await receiptsOf(tx, at, created, draft)
  await followMemberships(tx, at.place, created.id)
  await invoiceNewOrder(tx, at, created.id)
  return created
}

/** Writes the receipts of what was paid for a new order, where it was sold at a till. */
async function receiptsOf(
  tx: Tx,
  at: OrderScope,
  { id, code }: CreatedOrder,
  { payments = [], testmode = false }: OrderDraft,
): Promise<void> {
  const arrived = payments.filter(({ state }) => state === 'confirmed')
  await receiptOfPayments(tx, at, { order: { id, code, testmode }, payments: arrived })
}

async function store(
  tx: Tx,
  at: OrderScope,
  draft: OrderDraft,
  carts: readonly ConsumedCart[],
): Promise<CreatedOrder> {
  const [created] = await createOrders(tx, at, [draft])
  if (!created) throw new Error('An order that was to be created was not.')
  await useVouchers(tx, at, created.code, draft.positions)
  await consumeCarts(tx, at.place, carts)
  return created
}

/** Takes the money for an order that arrives with it. */
async function chargePayments(
  tx: Tx,
  at: OrderScope,
  { id, code }: CreatedOrder,
  draft: OrderDraft,
): Promise<void> {
  const order = { code, testmode: draft.testmode ?? false }
  const stored = await paymentsOf(tx, at.place, id)
  for (const [index, { state, provider, amount, details: sent = {} }] of (draft.payments ?? []).entries()) {
    if (state !== 'confirmed') continue
    const details = await paymentProviderOf(provider)?.charge(tx, at, { order, amount, details: sent })
    const payment = stored[index]
    if (!details || details === sent || !payment) continue
    await updateRow(tx, orderPayment, at.place, { id: payment.id, details })
  }
}

/** Creates an order on a node below another one, which takes its payment without asking that. */
async function createOffline(
  tx: Tx,
  at: OrderScope,
  draft: OrderDraft,
  carts: readonly ConsumedCart[],
): Promise<CreatedOrder> {
  const { testmode = false } = draft
  const takes: ((order: string) => Promise<void>)[] = []
  const payments: PaymentDraft[] = []
  for (const one of draft.payments ?? []) {
    const charge = { ...one, details: one.details ?? {}, testmode }
    const checked =
      one.state === 'confirmed' && (await paymentProviderOf(one.provider)?.offline?.(tx, at, charge))
    payments.push(checked ? { ...one, details: checked.details } : one)
    if (checked) takes.push(checked.take)
  }
  const created = await store(tx, at, { ...draft, payments }, carts)
  for (const take of takes) await take(created.code)
  return created
}

/** Thirteen digits, as an amount of money may have, in hundredths. */
const largestTotal = 9_999_999_999_999

async function draftOrder(
  tx: Tx,
  at: OrderScope,
  input: OrderInput,
  carts: readonly ConsumedCart[],
): Promise<OrderDraft> {
  const { facts, invoice_address } = input
  const channels = await channelErrors(tx, at.place, 'sales_channel', [facts.sales_channel ?? 'web'])
  if (Object.keys(channels).length > 0) throw invalid(channels)
  await checkCustomer(tx, at.place, facts.customer)
  refuseExpired(facts, tx.now)
  const catalogue = await catalogueFor(tx, at, input.positions)
  const terms: PriceTerms = { catalogue, address: invoice_address, step: smallestAmount(at.event.currency) }
  const lines = await checkLines(tx, at, input, catalogue)
  refuseUnknownRules(catalogue, input)
  const sale = await sell(tx, at.place, { lines, carts }, input.force)
  const positions = await priceAndSeat(tx, at, input, { terms, lines, carts })
  if (facts.code && (await takenCodes(tx, at.place.organizer, [facts.code])).size > 0)
    throw invalid({ code: ['This order code is already in use.'] })
  const fees = priceFees(terms, input.fees, positions)
  const total = totalOf({ positions, fees })
  if (Math.abs(total) > largestTotal) throw invalid(['The order costs more than can be stored.'])
  refuseOtherTotal(input.expected_total, total)
  const money = payNewOrder(input, total, tx.now)
  return { ...facts, invoice_address, positions, fees, ...money, ...(sale ? { sale } : {}) }
}

/** Refuses a sale whose price has changed since the buyer was told, before any money is taken. */
function refuseOtherTotal(expected: number | null, total: number): void {
  if (expected === null || expected === total) return
  throw invalid({
    expected_total: [
      `The order costs ${amountOf(total)} now, not ${amountOf(expected)}. Say the new price and ask again.`,
    ],
  })
}

/** Refuses orders that are expired from the start. */
function refuseExpired({ expires }: Pick<OrderInput['facts'], 'expires'>, now: string): void {
  if (expires !== undefined && isBefore(expires, now))
    throw invalid({ expires: ['An order cannot expire before it is made. Send a later date.'] })
}

/** The part of the catalogue that some positions are about. */
export async function catalogueFor(
  tx: Tx,
  { actor, place }: OrderScope,
  positions: readonly Pick<PositionInput, 'item' | 'subevent' | 'answers'>[],
): Promise<OrderCatalogue> {
  const answers = positions.flatMap((position) => position.answers)
  return loadCatalogue(tx, place, {
    items: positions.map(({ item }) => item),
    subevents: positions.flatMap(({ subevent }) => subevent ?? []),
    questions: answers.map(({ question }) => question),
    files: await usableFiles(tx, { organizer: place.organizer, uploader: uploaderOf(actor) }, answers),
  })
}

function refuseUnknownRules({ taxRules }: OrderCatalogue, { fees }: OrderInput): void {
  const errors = fees.map(({ tax_rule }) =>
    tax_rule === null || taxRules.has(tax_rule)
      ? {}
      : { tax_rule: [`Invalid pk "${tax_rule}" - object does not exist.`] },
  )
  if (errors.some((one) => Object.keys(one).length > 0)) throw invalid({ fees: errors })
}

/**
 * Takes what is sold from its quotas, or on a node below another one from what that has given it to sell. What is bought
 * by a voucher that ignores quotas, or has its own part of them, needs none.
 */
async function sell(
  tx: Tx,
  place: Place,
  { lines, carts }: Pick<CheckedOrder, 'lines' | 'carts'>,
  force: boolean,
): Promise<SaleFromLeases | null> {
  const fromQuotas = lines.filter(({ voucher }) => !voucher || !ignoresQuotas(voucher))
  const products = fromQuotas.map(({ input: { item, variation, subevent } }) => ({
    item,
    variation: variation ?? null,
    subevent: subevent ?? null,
  }))
  const given = carts.filter(({ by_voucher }) => by_voucher !== 1)
  const sale = await sellFromLeases(tx, place, products, { force, carts: given })
  if (sale || force) return sale
  const shortages = await takeFromQuotas(tx, place, products, { carts: given })
  if (shortages.every((shortage) => shortage === null)) return null
  throw invalid({
    positions: lines.map((line) => {
      const shortage = shortages[fromQuotas.indexOf(line)]
      return shortage ? { item: [shortageText(shortage)] } : {}
    }),
  })
}
