import sql, { join } from 'sql-template-tag'
import { voucher as voucherResource } from '../../../schema/resources/carts/voucher.ts'
import {
  usesLeft,
  type VoucherFacts,
  type VoucherProblem,
  voucherProblem,
} from '../../domain/pricing/vouchers.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import { invalid } from '../../errors.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { storedCode } from '../codes/voucher-codes.ts'
import { lockVouchers, voucherFacts } from '../vouchers/voucher-redeem.ts'
import type { PositionInput } from './position-input.ts'

const refuse = (text: string) => invalid({ voucher: [text] })

const texts: Readonly<Record<VoucherProblem, string>> = {
  product: 'This voucher is not for this product.',
  seat: 'This voucher is for another seat.',
  subevent: 'This voucher is for another date.',
  expired: 'This voucher is not valid any more.',
}

/** The vouchers of an event that some positions name, by their stored codes. */
export async function findVouchers(
  tx: Tx,
  place: Place,
  positions: readonly PositionInput[],
): Promise<ReadonlyMap<string, VoucherFacts>> {
  const codes = positions.flatMap(({ voucher }) => (voucher ? [storedCode(voucher)] : []))
  if (codes.length === 0) return new Map()
  const rows = await findRows(tx, voucherResource, place, {
    where: sql`code IN (${join([...new Set(codes)])})`,
  })
  return new Map(rows.map((row) => [row.code, voucherFacts(row)]))
}

/** The voucher that a position is bought with, or null; throws 400 on `voucher` where it cannot be used for that. */
export function voucherFor(
  vouchers: ReadonlyMap<string, VoucherFacts>,
  quotas: readonly QuotaFacts[],
  { item, variation, subevent, seat, voucher: code, addon_to }: PositionInput,
  tx: Pick<Tx, 'now' | 'site'>,
): VoucherFacts | null {
  if (!code) return null
  if (tx.site !== 0) throw refuse('Vouchers are redeemed at the central server, not here.')
  if (addon_to !== null) throw refuse('Vouchers are not for add-on products.')
  const voucher = vouchers.get(storedCode(code))
  if (!voucher) throw refuse('This voucher code is not known in this event.')
  const named = quotas.find(({ id }) => id === voucher.quota) ?? null
  const problem = voucherProblem(voucher, { item, variation, subevent, seat }, named, tx.now)
  if (problem) throw refuse(texts[problem])
  return voucher
}

/**
 * Keeps some vouchers from others until the commit, one entry for each use, and says as which they are found then; null
 * for a use too many. What unexpired carts hold is promised to them, apart from the carts that become the order.
 */
export async function takeUses(
  tx: Tx,
  place: Place,
  wanted: readonly (VoucherFacts | null)[],
  carts: readonly { readonly id: number }[],
): Promise<(VoucherFacts | null)[]> {
  const ids = wanted.flatMap((one) => (one ? [one.id] : []))
  if (ids.length === 0) return wanted.map(() => null)
  const locked = await lockVouchers(tx, place, ids)
  const held = await tx.all<{ id: number; voucher: number }>(
    sql`SELECT id, voucher FROM cart_position WHERE organizer = ${place.organizer} AND event = ${place.event}
          AND voucher IN (${join(ids)}) AND expires >= ${tx.now}`,
  )
  const own = new Set(carts.map(({ id }) => id))
  const left = new Map(
    [...locked].map(([id, voucher]) => [
      id,
      usesLeft(voucher, held.filter((cart) => cart.voucher === id && !own.has(cart.id)).length),
    ]),
  )
  return wanted.map((one) => {
    const rest = left.get(one?.id ?? 0) ?? 0
    if (!one || rest < 1) return null
    left.set(one.id, rest - 1)
    return locked.get(one.id) ?? null
  })
}
