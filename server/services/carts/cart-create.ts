import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { type CartRefusal, type CartWish, grantWishes } from '../../domain/quotas/carts.ts'
import type { ProductLine } from '../../domain/quotas/quotas.ts'
import type { SeatState } from '../../domain/quotas/seats.ts'
import type { RefusalBody } from '../../errors.ts'
import { insertRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { auditAction } from '../../resource/writing.ts'
import { type Attempt, attempt } from '../input/attempts.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { LeasesUsedUp } from '../quotas/lease-sales.ts'
import { loadCartCatalogue } from './cart-catalogue.ts'
import { type CartDraft, checkCart, ignoresQuotas } from './cart-check.ts'
import { findSeats, lockCartVouchers } from './cart-holds.ts'
import type { CartInput } from './cart-input.ts'
import { type CreatedCart, cartRows, defaultId } from './cart-rows.ts'
import { type CartQuotas, stockForCarts } from './cart-stock.ts'

/** What is asked of a node that may not sell enough without asking. */
interface CartOptions {
  /** Whether somebody can still be asked for more; then LeasesUsedUp is thrown where that would help. */
  readonly mayAsk: boolean
}

/**
 * Puts what was asked for into carts, each by itself and in its order: what was stored, or why not. Quotas, vouchers and
 * seats stay locked until the commit, always in this order.
 */
export async function createCarts(
  tx: Tx,
  at: OrderScope,
  asked: readonly Attempt<CartInput>[],
  { mayAsk }: CartOptions,
): Promise<Attempt<CreatedCart>[]> {
  const inputs = asked.flatMap((one) => (one.ok ? [one.value] : []))
  const catalogue = await loadCartCatalogue(tx, at.place, inputs)
  const checked = asked.map(
    (one): Attempt<CartDraft> => (one.ok ? attempt(() => checkCart(catalogue, at, one.value, tx.now)) : one),
  )
  const drafts = checked.flatMap((one) => (one.ok ? [one.value] : []))
  const quotas = await stockForCarts(tx, at.place, drafts.flatMap(linesFromQuotas))
  const uses = await lockCartVouchers(tx, at, drafts)
  const seats = await findSeats(tx, at, drafts)
  const wishes = drafts.map((draft, index) => wishOf(draft, seats[index] ?? null))
  const refusals = grantWishes(wishes, { ...quotas, uses })
  if (mayAsk) askForMore(quotas, wishes, refusals)
  const ids = defaultId(tx)
  let next = 0
  const results = checked.map((one): Attempt<CreatedCart> => {
    if (!one.ok) return one
    const index = next
    next += 1
    const refusal = refusals[index]
    if (refusal) return { ok: false, errors: bodyOf(refusal, quotas) }
    const seat = seats[index]
    return { ok: true, value: cartRows(tx, at, one.value, { idOf: ids, seat: seat?.ok ? seat.value : null }) }
  })
  const made = results.flatMap((one) => (one.ok ? [one.value] : []))
  for (const { row } of made)
    tx.audit(at.place, at.actor, {
      action: auditAction(cartPosition, {}, 'added'),
      resource: cartPosition.name,
      row: row.id,
      data: { cart_id: row.cart_id, item: row.item, variation: row.variation, expires: row.expires },
    })
  await insertRows(
    tx,
    cartPosition,
    at.place,
    made.flatMap(({ row, addons, bundled }) => [row, ...addons, ...bundled]),
  )
  return results
}

/** What of a cart position has to come from quotas. What comes with it is not covered by its voucher. */
const linesFromQuotas = ({ product, voucher, addons, bundled }: CartDraft): ProductLine[] => [
  ...(voucher && ignoresQuotas(voucher) ? [] : [product]),
  ...[...addons, ...bundled].map((line) => line.product),
]

const wishOf = (draft: CartDraft, seat: Attempt<SeatState> | null): CartWish => ({
  lines: linesFromQuotas(draft),
  voucher: draft.voucher?.id ?? null,
  seat: seat === null ? null : seat.ok ? seat.value.id : 0,
  seatProblem: seat === null || seat.ok ? null : String(seat.errors),
})

/** Where this node may not sell enough without asking, says what to ask for. */
function askForMore(
  quotas: CartQuotas,
  wishes: readonly CartWish[],
  refusals: readonly (CartRefusal | null)[],
): void {
  const short = refusals.find((one) => one?.kind === 'quota' && one.shortage.kind === 'used up')
  const needs = quotas.needs(wishes.flatMap(({ lines }) => lines))
  if (short && needs && needs.length > 0) throw new LeasesUsedUp(bodyOf(short, quotas), needs)
}

/** What a refusal says in its body. */
function bodyOf(refusal: CartRefusal, quotas: CartQuotas): NonNullable<RefusalBody> {
  switch (refusal.kind) {
    case 'quota':
      return refusal.shortage.kind === 'none'
        ? { non_field_errors: [quotas.explain(refusal.shortage)] }
        : [quotas.explain(refusal.shortage)]
    case 'voucher':
      return { voucher: ['This voucher has been used as often as it can be.'] }
    case 'seat':
      return { seat: [refusal.message ?? 'This seat is asked for twice.'] }
  }
}
