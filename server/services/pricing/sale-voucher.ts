import sql from 'sql-template-tag'
import { voucher as voucherResource } from '../../../schema/resources/carts/voucher.ts'
import { appliesTo, isVoucherExpired, usesLeft, type VoucherFacts } from '../../domain/pricing/vouchers.ts'
import type { ProductLine, QuotaFacts } from '../../domain/quotas/quotas.ts'
import { Refusal } from '../../errors.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { storedCode } from '../codes/voucher-codes.ts'
import { voucherFacts } from '../vouchers/voucher-redeem.ts'

/** A voucher that a till sells with: what it is, how often it can still be used, and its quota. */
export interface TillVoucher {
  readonly facts: VoucherFacts
  readonly left: number
}

/** The voucher of an event with a code, usable or not; undefined where there is none. */
export async function voucherByCode(db: Queryable, place: Place, code: string) {
  const [row] = await findRows(db, voucherResource, place, { where: sql`code = ${storedCode(code)}` })
  return row
}

/**
 * The voucher of an event with a code, as far as this node knows it. Throws 404 where there is none, and 409 with what to
 * do where it cannot be used any more.
 */
export async function tillVoucher(
  db: Queryable,
  place: Place,
  code: string,
  now: string,
): Promise<TillVoucher> {
  const row = await voucherByCode(db, place, code)
  if (!row) throw new Refusal(404, { detail: 'This voucher code is not known in this event.' })
  const facts = voucherFacts(row)
  if (isVoucherExpired(facts, now))
    throw new Refusal(409, { detail: 'This voucher is not valid any more. Sell without it.' })
  const held = await db.all<{ id: number }>(
    sql`SELECT id FROM cart_position WHERE organizer = ${place.organizer} AND event = ${place.event}
          AND voucher = ${facts.id} AND expires >= ${now}`,
  )
  const left = usesLeft(facts, held.length)
  if (left === 0)
    throw new Refusal(409, {
      detail: 'This voucher has been used already. Sell without it, or ask a supervisor.',
    })
  return { facts, left }
}

/** Whether a product is sold with a voucher: it is for that, and for that date. */
export function isSoldWith({ facts }: TillVoucher, line: ProductLine, quotas: Iterable<QuotaFacts>): boolean {
  const named = [...quotas].find(({ id }) => id === facts.quota) ?? null
  return appliesTo(facts, line, named) && (facts.subevent === null || facts.subevent === line.subevent)
}

/** How many can be sold with a voucher: as often as it can be used, and no more than are left where it keeps none. */
export const leftWith = ({ facts, left }: TillVoucher, stock: number | null): number =>
  facts.allow_ignore_quota || facts.block_quota ? left : Math.min(left, stock ?? left)
