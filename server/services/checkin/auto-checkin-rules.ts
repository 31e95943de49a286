import { paymentProviderIds } from '../../../schema/payment-providers.ts'
import type { autoCheckinRule } from '../../../schema/resources/checkin/auto-checkin-rule.ts'
import { contradictory, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { channelErrors } from '../events/sales-channels.ts'

const known: ReadonlySet<string> = new Set(paymentProviderIds)

/** What rules of automatic check-in must keep to. */
export const autoCheckinRuleBehaviour: Behaviour<typeof autoCheckinRule> = {
  async prepare(tx, { place }, { next }) {
    const errors = await channelErrors(tx, place, 'limit_sales_channels', next.limit_sales_channels)
    const unknown = next.limit_payment_methods.filter((one) => !known.has(one))
    if (unknown.length > 0)
      errors.limit_payment_methods = unknown.map((one) => `"${one}" is not a valid choice.`)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    if (next.mode === 'placed' && !next.all_payment_methods)
      throw contradictory('all_payment_methods should be used for mode=placed')
    return next
  },
}
