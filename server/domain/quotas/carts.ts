import { type ProductLine, type QuotaFacts, type Shortage, takeTogether } from './quotas.ts'

/** What one cart position needs, with everything that comes with it. */
export interface CartWish {
  /** What has to come from quotas; what a voucher takes from elsewhere is not among it. */
  readonly lines: readonly ProductLine[]
  /** The voucher of which it takes one use, or null. */
  readonly voucher: number | null
  /** The seat that it takes, or null. */
  readonly seat: number | null
  /** Why the seat cannot be had, whatever else is wished for; null when it can. */
  readonly seatProblem: string | null
}

/** What there is to be given. */
export interface CartStock {
  readonly quotas: readonly QuotaFacts[]
  /** By the id of the quota; null for any number. */
  readonly left: ReadonlyMap<number, number | null>
  /** How often each voucher can still be used. */
  readonly uses: ReadonlyMap<number, number>
}

/** Why a cart position cannot be had. */
export type CartRefusal =
  | { readonly kind: 'quota'; readonly shortage: Shortage }
  | { readonly kind: 'voucher' }
  /** Without a message, somebody else of the same request has the seat. */
  | { readonly kind: 'seat'; readonly message: string | null }

/** Gives to wishes in their order what there is: why each of them cannot be had, or null. Those that cannot take nothing. */
export function grantWishes(wishes: readonly CartWish[], stock: CartStock): (CartRefusal | null)[] {
  const left = new Map(stock.left)
  const uses = new Map(stock.uses)
  const seats = new Set<number>()
  return wishes.map(({ lines, voucher, seat, seatProblem }) => {
    const rest = new Map(left)
    const shortage = takeTogether(stock.quotas, rest, lines)
    if (shortage) return { kind: 'quota', shortage }
    const usesLeft = voucher === null ? 1 : (uses.get(voucher) ?? 0)
    if (usesLeft < 1) return { kind: 'voucher' }
    if (seat !== null && (seatProblem !== null || seats.has(seat)))
      return { kind: 'seat', message: seatProblem }
    for (const [quota, number] of rest) left.set(quota, number)
    if (voucher !== null) uses.set(voucher, usesLeft - 1)
    if (seat !== null) seats.add(seat)
    return null
  })
}
