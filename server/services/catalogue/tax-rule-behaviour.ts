import sql from 'sql-template-tag'
import { countryCodes } from '../../../schema/countries.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { denied, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { countRows, findRows, lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'

const stillDefault = 'One tax rule is always the default. Make another one the default instead.'

/** What tax rules must keep to: one of an event is its default. */
export const taxRuleBehaviour: Behaviour<typeof taxRule> = {
  async prepare(tx, scope, change) {
    // Nobody else decides meanwhile which rule of the event is its default.
    await lockRow(tx, event, { ...scope.place, event: 0 }, { id: scope.place.event })
    const { next, before, body } = change
    const isDefault = await isDefaultRule(tx, scope, change)
    const errors: FieldErrors = {}
    if (isDefault && body.default === false) errors.default = [stillDefault]
    if (next.home_country === '') {
      if (next.eu_reverse_charge)
        errors.home_country = ['Reverse charge can only be used once your own country is known.']
    } else if (!countryCodes.has(next.home_country))
      errors.home_country = ['This is not the code of a country.']
    if (Object.keys(errors).length > 0) throw invalid(errors)
    if (isDefault && !before?.default) await takeDefault(tx, scope)
    return { ...next, default: isDefault }
  },
  async beforeDelete(tx, scope, row) {
    if (row.default && (await countRows(tx, taxRule, scope.place, sql`id <> ${row.id}`)) > 0)
      throw denied(stillDefault)
  },
}

/** Whether a rule is its event's default: as it is asked for, and anyhow where no other one can be. */
async function isDefaultRule(
  tx: Tx,
  { place }: Scope,
  { before, body }: RowChange<typeof taxRule>,
): Promise<boolean> {
  if (body.default === true || before?.default) return true
  const others = before ? sql`"default" = 1 AND id <> ${before.id}` : sql`"default" = 1`
  return (await countRows(tx, taxRule, place, others)) === 0
}

async function takeDefault(tx: Tx, { place }: Scope): Promise<void> {
  for (const { id } of await findRows(tx, taxRule, place, { where: sql`"default" = 1` }))
    await updateRow(tx, taxRule, place, { id, default: false })
}
