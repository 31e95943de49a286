import type { Fields } from '../../../schema/fields.ts'
import type { Resource } from '../../../schema/resource.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { type Entries, readEntries } from '../../resource/input.ts'
import { referenceErrors } from '../../resource/references.ts'
import { insertRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { addonErrors } from './addon-behaviour.ts'
import { bundleProblem } from './bundle-behaviour.ts'
import { variationErrors } from './variation-behaviour.ts'

/** The parts that an item may be created with, by the name they have in its body. */
const parts = { variations: variation, addons: itemAddon, bundles: itemBundle } as const

type PartName = keyof typeof parts

const partNames = Object.keys(parts) as readonly PartName[]

/** The names of the parts that a body speaks of. */
export const partsIn = (body: RowData): PartName[] => partNames.filter((name) => Object.hasOwn(body, name))

const read = (scope: Scope, body: RowData, name: PartName): Entries<Fields> =>
  readEntries<Fields>(parts[name].fields, body[name], scope.event?.locale ?? 'en')

/** Refuses an item whose parts are not what they should be; their errors are aligned with what was sent. */
export async function checkParts(tx: Tx, scope: Scope, item: RowData, body: RowData): Promise<void> {
  const errors: FieldErrors = {}
  for (const name of partsIn(body)) {
    const { rows, errors: unreadable } = read(scope, body, name)
    const found = unreadable ?? (await partErrors(tx, scope, name, rows, item))
    if (found.some((error) => Object.keys(error).length > 0)) errors[name] = found
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

async function partErrors(
  tx: Tx,
  scope: Scope,
  name: PartName,
  rows: readonly RowData[],
  item: RowData,
): Promise<FieldErrors[]> {
  const errors: FieldErrors[] = []
  for (const [index, row] of rows.entries()) {
    const dangling = await referenceErrors(tx, resourceByName, parts[name], scope.place, row)
    if (Object.keys(dangling).length > 0) errors.push(dangling)
    else if (name === 'variations') errors.push(await variationErrors(tx, scope.place, row))
    else if (name === 'addons') errors.push(addonErrors(row, rows.slice(0, index), item.category))
    else {
      const problem = await bundleProblem(tx, scope.place, row, null)
      errors.push(problem ? { non_field_errors: [problem] } : {})
    }
  }
  return errors
}

/** Stores the parts that a new item was sent with. */
export async function insertParts(tx: Tx, scope: Scope, item: number, body: RowData): Promise<void> {
  for (const name of partsIn(body)) {
    const resource: Resource = parts[name]
    const rows = read(scope, body, name).rows.map((row) => ({
      ...blankRow(resource),
      ...row,
      id: tx.nextId(),
      item,
    }))
    await insertRows(tx, resource, scope.place, rows)
  }
}
