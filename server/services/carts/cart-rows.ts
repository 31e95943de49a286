import type { StoredRow } from '../../../schema/resource.ts'
import { cartPosition, cartSuffix } from '../../../schema/resources/carts/cart-position.ts'
import { laterBy } from '../../domain/quotas/leases.ts'
import type { SeatState } from '../../domain/quotas/seats.ts'
import { fullName } from '../../domain/text/names.ts'
import { blankRow } from '../../resource/defaults.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shownSeat } from '../catalogue/seats.ts'
import { randomWord } from '../codes/secrets.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { CartDraft, CartLine } from './cart-check.ts'

/** A cart position as it is stored. */
export type CartRow = StoredRow<typeof cartPosition>

/** A cart position that was stored, with what came with it, as stored rows. */
export interface CreatedCart {
  readonly row: CartRow
  readonly addons: readonly CartRow[]
  readonly bundled: readonly CartRow[]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The id of a cart that nobody gave one. */
const freshCartId = (tx: Tx): string => randomWord(tx.randomBytes, letters, 48) + cartSuffix

/** Gives one and the same new id to all carts of a request that have none. */
export function defaultId(tx: Tx): () => string {
  let id: string | undefined
  return () => {
    id ??= freshCartId(tx)
    return id
  }
}

/** The rows of a cart position and of what comes with it, which has the same id and the same end. */
export function cartRows(
  tx: Tx,
  at: OrderScope,
  draft: CartDraft,
  { idOf, seat }: { readonly idOf: () => string; readonly seat: SeatState | null },
): CreatedCart {
  const { input, voucher } = draft
  const minutes = at.event.settings.reservation_time
  const shared = {
    cart_id: input.cart_id ?? idOf(),
    datetime: tx.now,
    expires: input.expires ?? laterBy(tx.now, minutes * 60_000),
  }
  const row = {
    ...lineRow(tx, at, draft),
    ...shared,
    voucher: voucher?.id ?? null,
    seat: seat && shownSeat(seat),
    seat_id: seat?.id ?? null,
  }
  const nested = (lines: readonly CartLine[], is_bundled: boolean): CartRow[] =>
    lines.map((line) => ({ ...lineRow(tx, at, line), ...shared, addon_to: row.id, is_bundled }))
  return { row, addons: nested(draft.addons, false), bundled: nested(draft.bundled, true) }
}

const lineRow = (tx: Tx, { actor, event }: OrderScope, { input, product, answers }: CartLine): CartRow => ({
  ...blankRow(cartPosition),
  id: tx.nextId(),
  ...product,
  price: input.price,
  includes_tax: input.includes_tax,
  attendee_name: fullName(input.attendee_name_parts, event.nameScheme),
  attendee_name_parts: { ...input.attendee_name_parts },
  attendee_email: input.attendee_email,
  answers: [...answers],
  device: actor.device?.id ?? null,
})
