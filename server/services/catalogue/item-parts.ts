import type { JsonObject, RowOf } from '../../../schema/fields.ts'
import type { Resource, StoredRow } from '../../../schema/resource.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { readEntries } from '../../resource/input.ts'
import { referenceErrors } from '../../resource/references.ts'
import { insertRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { withSentChannels } from '../events/sales-channels.ts'
import { addonErrors } from './addon-behaviour.ts'
import { bundleProblem } from './bundle-behaviour.ts'
import { variationErrors } from './variation-behaviour.ts'

/** The parts that an item may be created with, by the name they have in its body. */
const partNames = ['variations', 'addons', 'bundles'] as const

type PartName = (typeof partNames)[number]

/** What a kind of part is: how it is read, what speaks against each of them, and how it is stored. */
interface PartKind {
  readonly errors: (tx: Tx, scope: Scope, sent: unknown, category: number | null) => Promise<PartErrors>
  readonly insert: (tx: Tx, scope: Scope, sent: unknown, item: number) => Promise<void>
}

type PartErrors = readonly FieldErrors[] | readonly string[]

interface Neighbours<Part> {
  /** The parts of the same kind that were sent before this one. */
  readonly earlier: readonly Part[]
  /** The category of the item that the parts are of. */
  readonly category: number | null
}

/** An entry of a list that was read. */
const entryOf = (sent: unknown, index: number): JsonObject => (Array.isArray(sent) ? sent[index] : {})

/** A part with what it says in words of other fields, and what is wrong with those. */
interface SettledPart<Part> {
  readonly row: Part
  readonly errors: FieldErrors
}

function partKind<R extends Resource>(
  resource: R,
  problemsOf: (
    tx: Tx,
    place: Place,
    part: RowOf<R['fields']>,
    neighbours: Neighbours<RowOf<R['fields']>>,
  ) => Promise<FieldErrors>,
  settle: (
    tx: Tx,
    place: Place,
    part: RowOf<R['fields']>,
    body: JsonObject,
  ) => Promise<SettledPart<RowOf<R['fields']>>> = async (_tx, _place, row) => ({ row, errors: {} }),
): PartKind {
  const fields: R['fields'] = resource.fields
  const read = (scope: Scope, sent: unknown) => readEntries(fields, sent, scope.event?.locale ?? 'en')
  return {
    async errors(tx, scope, sent, category) {
      const { rows, errors: unreadable } = read(scope, sent)
      if (unreadable) return unreadable
      const errors: FieldErrors[] = []
      for (const [index, part] of rows.entries()) {
        const dangling = await referenceErrors(tx, resourceByName, { resource, place: scope.place }, part)
        const neighbours = { earlier: rows.slice(0, index), category }
        const unsettled = {
          ...dangling,
          ...(await settle(tx, scope.place, part, entryOf(sent, index))).errors,
        }
        errors.push(
          Object.keys(unsettled).length > 0 ? unsettled : await problemsOf(tx, scope.place, part, neighbours),
        )
      }
      return errors
    },
    async insert(tx, scope, sent, item) {
      const { rows } = read(scope, sent)
      const parts: StoredRow<R>[] = []
      for (const [index, part] of rows.entries()) {
        const { row } = await settle(tx, scope.place, part, entryOf(sent, index))
        parts.push({ ...blankRow(resource), ...row, id: tx.nextId(), item })
      }
      await insertRows(tx, resource, scope.place, parts)
    },
  }
}

const kinds: Readonly<Record<PartName, PartKind>> = {
  variations: partKind(variation, variationErrors, (tx, place, next, body) =>
    withSentChannels(tx, place, { next, before: undefined, body }),
  ),
  addons: partKind(itemAddon, async (_tx, _place, part, { earlier, category }) =>
    addonErrors(part, earlier, category),
  ),
  bundles: partKind(itemBundle, async (tx, place, part) => {
    const problem = await bundleProblem(tx, place, part, null)
    return problem ? { non_field_errors: [problem] } : {}
  }),
}

/** The names of the parts that a body speaks of. */
export const partsIn = (body: JsonObject): PartName[] => partNames.filter((name) => Object.hasOwn(body, name))

/** Refuses an item whose parts are not what they should be; their errors are aligned with what was sent. */
export async function checkParts(
  tx: Tx,
  scope: Scope,
  item: { readonly category: number | null },
  body: JsonObject,
): Promise<void> {
  const errors: FieldErrors = {}
  for (const name of partsIn(body)) {
    const found = await kinds[name].errors(tx, scope, body[name], item.category)
    if (found.some((error) => Object.keys(error).length > 0)) errors[name] = found
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Stores the parts that a new item was sent with. */
export async function insertParts(tx: Tx, scope: Scope, item: number, body: JsonObject): Promise<void> {
  for (const name of partsIn(body)) await kinds[name].insert(tx, scope, body[name], item)
}
