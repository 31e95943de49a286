import sql, { join } from 'sql-template-tag'
import type { Fields, JsonObject } from '../../../schema/fields.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { itemOverride, variationOverride } from '../../../schema/resources/events/subevent.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { readEntries } from '../../resource/input.ts'
import { findRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'

const kinds = [
  { name: 'item_price_overrides', key: 'item', of: item, fields: itemOverride },
  { name: 'variation_price_overrides', key: 'variation', of: variation, fields: variationOverride },
] as const

/**
 * The lists of prices and availabilities that a body sets for one date, read and checked: every item or variation is
 * of the event and named once. Errors are aligned with what was sent.
 */
export async function readOverrides(tx: Tx, scope: Scope, body: JsonObject): Promise<JsonObject> {
  const values: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const { name, key, of, fields } of kinds) {
    if (!Object.hasOwn(body, name)) continue
    const entries = readEntries(fields as Fields, body[name], scope.event?.locale ?? 'en')
    const ids = entries.rows.map((row) => Number(row[key]))
    const found =
      ids.length === 0 ? [] : await findRows(tx, of, scope.place, { where: sql`id IN (${join(ids)})` })
    const known = new Set(found.map((row) => row.id))
    const problems =
      entries.errors ?? ids.map((id, index) => idErrors(key, id, known, ids.indexOf(id) < index))
    if (problems.some((problem) => Object.keys(problem).length > 0)) errors[name] = problems
    values[name] = entries.rows
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return values
}

function idErrors(key: string, id: number, known: ReadonlySet<unknown>, isRepeated: boolean): FieldErrors {
  if (!known.has(id)) return { [key]: [`Invalid pk "${id}" - object does not exist.`] }
  return isRepeated ? { [key]: ['This is in the list twice.'] } : {}
}
