import {
  type Availability,
  type AvailabilityView,
  availability,
  leastOf,
} from '../../domain/quotas/quota-availability.ts'
import { counts, type ProductLine } from '../../domain/quotas/quotas.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { quotasOf, quotaUsage } from './quota-usage.ts'

/** At which moment (27 characters, UTC) and how products are looked at. */
interface ProductView extends AvailabilityView {
  readonly now: string
}

/**
 * What can still be sold of some products at a moment, in their order: the least that one of their
 * quotas has. A product without any quota has no limit here, though it cannot be sold. The number of statements does not
 * depend on that of the products.
 */
export async function productAvailability(
  db: Queryable,
  place: Place,
  lines: readonly ProductLine[],
  { now, ...view }: ProductView,
): Promise<Availability[]> {
  const quotas = (await quotasOf(db, place)).filter((one) => lines.some((line) => counts(one, line)))
  const usage = await quotaUsage(db, place, quotas, now)
  return lines.map((line) =>
    leastOf(
      quotas
        .filter((one) => counts(one, line))
        .map((one) => availability(one, usage.get(one.id) ?? { paid: 0, pending: 0 }, view)),
    ),
  )
}
