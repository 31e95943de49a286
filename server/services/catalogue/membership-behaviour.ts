import sql, { type Sql } from 'sql-template-tag'
import { membershipType } from '../../../schema/resources/catalogue/membership-type.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import type { membership } from '../../../schema/resources/orders/membership.ts'
import { withScheme } from '../../domain/text/names.ts'
import { contradictory, denied, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { findRow, lockRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { organizerSettings } from '../events/organizer-settings.ts'
import { isReversed } from '../input/time-order.ts'

/** What kinds of membership must keep to: one that was used stays. */
export const membershipTypeBehaviour: Behaviour<typeof membershipType> = {
  async beforeDelete(tx, scope, row) {
    if (await isNamed(tx, scope.organizer.id, row.id))
      throw denied('This membership type is in use, so it cannot be deleted.')
  },
}

/** Whether a product of any event requires or grants a kind of membership. */
async function isNamed(tx: Tx, organizer: number, type: number): Promise<boolean> {
  const here = (table: Sql) =>
    sql`SELECT id, require_membership_types FROM ${table} WHERE organizer = ${organizer}`
  const granted = await tx.get(
    sql`SELECT id FROM item WHERE organizer = ${organizer} AND grant_membership_type = ${type} LIMIT 1`,
  )
  if (granted) return true
  for (const table of [sql`item`, sql`variation`]) {
    const rows = await tx.all<{ require_membership_types: string }>(
      sql`${here(table)} AND require_membership_types <> '[]'`,
    )
    const lists = rows.map((row): unknown[] => JSON.parse(row.require_membership_types))
    if (lists.some((ids) => ids.includes(type))) return true
  }
  return false
}

/** What memberships must keep to: they belong to a customer, and end after they start. */
export const membershipBehaviour: Behaviour<typeof membership> = {
  async prepare(tx, scope, { next, before }) {
    const errors: FieldErrors = {}
    const place = { organizer: scope.organizer.id, event: 0 }
    if (!before && !(await findRow(tx, customer, place, { identifier: next.customer })))
      errors.customer = [`Object with identifier=${next.customer} does not exist.`]
    if (Object.keys(errors).length > 0) throw invalid(errors)
    // Two memberships may be given at once; a kind of membership that is being deleted is gone before or after both.
    await lockRow(tx, membershipType, place, { id: next.membership_type })
    if (isReversed(next, 'date_start', 'date_end'))
      throw contradictory('A membership cannot end before it starts.')
    const { name_scheme } = await organizerSettings(tx, place.organizer)
    const parts = next.attendee_name_parts
    return { ...next, attendee_name_parts: withScheme(parts, String(name_scheme)) }
  },
}
