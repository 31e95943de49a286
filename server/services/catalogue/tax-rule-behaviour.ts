import { countryCodes } from '../../../schema/countries.ts'
import type { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'

/** What tax rules must keep to. */
export const taxRuleBehaviour: Behaviour<typeof taxRule> = {
  async prepare(_tx, _scope, { next }) {
    const errors: FieldErrors = {}
    if (next.home_country === '') {
      if (next.eu_reverse_charge)
        errors.home_country = ['Reverse charge can only be used once your own country is known.']
    } else if (!countryCodes.has(next.home_country))
      errors.home_country = ['This is not the code of a country.']
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return next
  },
}
