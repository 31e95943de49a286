import type { VoucherFacts } from '../../domain/pricing/vouchers.ts'
import { isSeatTaken } from '../../domain/quotas/seats.ts'
import type { Scope } from '../../resource/api.ts'
import type { Tx } from '../../resource/transactions.ts'
import { seatsByGuid } from '../catalogue/seats.ts'

/**
 * What speaks against the seat that a voucher is for, the first thing of all. Whether it is free is looked at when it is
 * chosen: a voucher that was used for its seat may still be given another comment.
 */
export async function seatProblem(
  tx: Tx,
  scope: Scope,
  next: VoucherFacts,
  before: VoucherFacts | undefined,
): Promise<string | undefined> {
  const { id, seat, subevent } = next
  if (seat === null) return undefined
  if (scope.event?.hasSubevents && subevent === null) return 'Name a date if this voucher is for a seat.'
  const found = (await seatsByGuid(tx, scope.place, subevent, [seat])).get(seat)
  if (!found) return `There is no seat "${seat}" in this event.`
  const isNew = seat !== before?.seat || subevent !== before?.subevent
  if (isNew && (found.blocked || isSeatTaken(found, { vouchers: new Set([id]) })))
    return `The seat "${seat}" is not available: it is blocked, sold or kept for somebody else.`
  if (next.quota !== null) return 'A voucher for a seat is for one product, not for a quota.'
  if (next.max_usages > 1 || next.min_usages > 1) return 'A voucher for a seat can only be used once.'
  if (next.item !== null && found.product !== next.item)
    return 'The product of this voucher is not the one that is sold for this seat.'
  return undefined
}
