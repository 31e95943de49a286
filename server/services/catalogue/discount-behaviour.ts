import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { discount } from '../../../schema/resources/catalogue/discount.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { DiscountFacts } from '../../domain/pricing/discounts.ts'
import { contradictory, denied, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { hundredths } from '../../resource/codec.ts'
import { countRows, findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { withChannels, withSentChannels } from '../events/sales-channels.ts'
import { isReversed } from '../input/time-order.ts'

/** A stored discount as pricing looks at it. */
function discountFacts(row: StoredRow<typeof discount>): DiscountFacts {
  return {
    ...row,
    condition_min_value: hundredths(row.condition_min_value),
    benefit_discount_matching_percent: hundredths(row.benefit_discount_matching_percent),
  }
}

/** The discounts of an event that are not switched off, in the order in which they are tried. */
export const discountsOf = async (db: Queryable, place: Place): Promise<DiscountFacts[]> =>
  (await findRows(db, discount, place, { where: sql`active = 1`, order: sql`"position", id` })).map(
    discountFacts,
  )

/** What discounts must keep to. */
export const discountBehaviour: Behaviour<typeof discount> = {
  async prepare(tx, scope, change) {
    const { row: next, errors } = await withSentChannels(tx, scope.place, change)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const problems = discountProblems(discountFacts(next))
    if (isReversed(next, 'available_from', 'available_until'))
      problems.push('A discount cannot end before it starts.')
    if (problems.length > 0) throw contradictory(...problems)
    return next
  },
  present: (db, { organizer }, rows) => withChannels(db, organizer.id, rows),
  async beforeDelete(tx, scope, row) {
    if ((await countRows(tx, orderPosition, scope.place, sql`discount = ${row.id}`)) > 0)
      throw denied('This discount was used in orders and cannot be deleted.')
  },
}

function discountProblems(facts: DiscountFacts): string[] {
  const { condition_min_count: count, condition_min_value: value } = facts
  if (value < 0) return ['The minimum value must not be negative.']
  if (count > 0 && value > 0) return ['Set either a minimum number of matching products or a minimum value.']
  if (count === 0 && value === 0) return ['Set a minimum number of matching products or a minimum value.']
  const problems: string[] = []
  if (value > 0 && facts.benefit_only_apply_to_cheapest_n_matches !== null)
    problems.push('A number of cheapest products can only be discounted with a minimum number of products.')
  if (value > 0 && facts.subevent_mode === 'distinct')
    problems.push('A discount for different dates can only have a minimum number of products.')
  return problems
}
