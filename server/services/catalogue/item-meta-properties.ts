import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemMetaProperty } from '../../../schema/resources/catalogue/item-meta-property.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { itemMetaProblems, type MetaData } from '../../domain/text/meta-data.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { findRow, findRows, insertRow, lockRow, removeRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { objectKnows } from '../input/json-filters.ts'

/**
 * What properties of products must keep to. The event shows their names and defaults, and products keep what they say
 * when a property is renamed, and lose it with it.
 */
export const itemMetaPropertyBehaviour: Behaviour<typeof itemMetaProperty> = {
  async prepare(tx, { place }, { next }) {
    // The names of an event are changed by one at a time, here or with the event.
    await lockRow(tx, event, place, { id: place.event })
    const allowed = next.allowed_values as readonly string[] | null
    if (allowed && next.default !== '' && !allowed.includes(next.default))
      throw invalid({ default: ['The default must be one of the values that are allowed.'] })
    return next
  },
  async afterWrite(tx, { place }, { next: row, before }) {
    if (before && before.name !== row.name) await renameValues(tx, place, before.name, row.name)
    await tellEvent(tx, place, before ? before.name : null, row)
  },
  async beforeDelete(tx, { place }, row) {
    await lockRow(tx, event, place, { id: place.event })
    await renameValues(tx, place, row.name, null)
    await tellEvent(tx, place, row.name, null)
  },
}

/** Has the event show a property as it is now, in the place of what it was called. */
async function tellEvent(
  tx: Tx,
  place: Place,
  was: string | null,
  row: StoredRow<typeof itemMetaProperty> | null,
): Promise<void> {
  const own = await findRow(tx, event, place, { id: place.event })
  const before = own?.item_meta_properties as MetaData
  const shown = { ...before }
  if (was !== null && was !== row?.name) delete shown[was]
  if (row) shown[row.name] = row.default
  if (JSON.stringify(shown) !== JSON.stringify(before))
    await updateRow(tx, event, place, { id: place.event, item_meta_properties: shown })
}

async function renameValues(tx: Tx, place: Place, from: string, to: string | null): Promise<void> {
  for (const row of await findRows(tx, item, place, { where: objectKnows(sql`meta_data`, from) })) {
    const { [from]: value, ...rest } = row.meta_data
    if (value === undefined) continue
    const meta_data = to === null ? rest : { ...rest, [to]: value }
    await updateRow(tx, item, place, { id: row.id, meta_data })
  }
}

/** Makes, changes and removes the properties of an event, so that they are those that the event was sent with. */
export async function followItemMeta(tx: Tx, place: Place, wanted: MetaData): Promise<void> {
  const known = await findRows(tx, itemMetaProperty, place)
  for (const row of known) {
    const { name } = row
    if (!Object.hasOwn(wanted, name)) {
      await renameValues(tx, place, name, null)
      await removeRow(tx, itemMetaProperty, place, row.id)
    } else if (row.default !== wanted[name])
      await updateRow(tx, itemMetaProperty, place, { id: row.id, default: wanted[name] })
  }
  const names = new Set(known.map(({ name }) => name))
  for (const [name, usual] of Object.entries(wanted))
    if (!names.has(name))
      await insertRow(tx, itemMetaProperty, place, {
        ...blankRow(itemMetaProperty),
        ...{ id: tx.nextId(), name, default: usual },
      })
}

const namePattern = /^[A-Za-z0-9_]{1,50}$/

/** Messages about the names of properties that an event is sent with. */
export function itemMetaNameErrors(properties: MetaData): FieldErrors {
  const wrong = Object.keys(properties).filter((name) => !namePattern.test(name))
  return wrong.length === 0
    ? {}
    : { item_meta_properties: wrong.map((name) => `"${name}" cannot be the name of a property.`) }
}

/** Messages about what is said of a product that is about to be stored, compared with what was said before. */
export async function itemMetaErrors(
  tx: Tx,
  place: Place,
  next: StoredRow<typeof item>,
  before: StoredRow<typeof item> | undefined,
): Promise<FieldErrors> {
  const values = next.meta_data as MetaData
  const old = before?.meta_data as MetaData | undefined
  if (old && JSON.stringify(old) === JSON.stringify(values)) return {}
  const properties = await findRows(tx, itemMetaProperty, place)
  const problems = itemMetaProblems(values, old ?? {}, properties)
  return problems.length > 0 ? { meta_data: problems } : {}
}
