import sql, { join, type Sql } from 'sql-template-tag'
import { marksOf } from '../../schema/fields.ts'
import { type Resource, tableOf } from '../../schema/resource.ts'
import { denied, type FieldErrors, invalid } from '../errors.ts'
import type { Queryable } from '../storage/database.ts'
import type { RowData } from './codec.ts'
import { findRows, lockRow, named, removeRow, storedFields, updateRow, within } from './store.ts'
import type { Place, Tx } from './transactions.ts'

/** All resources by name, in dependency order. */
export type ResourceCatalogue = ReadonlyMap<string, Resource>

const idsIn = (value: unknown): number[] =>
  Array.isArray(value)
    ? value.filter((id) => typeof id === 'number')
    : typeof value === 'number'
      ? [value]
      : []

/** A resource in an organizer or event. */
interface ResourcePlace {
  readonly resource: Resource
  readonly place: Place
}

/** Messages about ids of rows that are not in the same event or organizer, under the field that holds them. */
export async function referenceErrors(
  db: Queryable,
  catalogue: ResourceCatalogue,
  { resource, place }: ResourcePlace,
  row: RowData,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  for (const [name, field] of Object.entries(storedFields(resource))) {
    const target = catalogue.get(marksOf(field).to ?? '')
    const ids = idsIn(row[name])
    if (!target || ids.length === 0) continue
    const found = await db.all<{ id: number }>(
      sql`SELECT id FROM ${named(tableOf(target))} WHERE ${within(target, place)} AND id IN (${join(ids)})`,
    )
    const known = new Set(found.map((hit) => hit.id))
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0) errors[name] = unknown.map((id) => `Invalid pk "${id}" - object does not exist.`)
  }
  return errors
}

/** Refuses ids of rows that are not in the same event or organizer: 400 on the field that holds them. */
export async function checkReferences(
  db: Queryable,
  catalogue: ResourceCatalogue,
  at: ResourcePlace,
  row: RowData,
): Promise<void> {
  const errors = await referenceErrors(db, catalogue, at, row)
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

interface Pointer {
  readonly from: Resource
  readonly field: string
  readonly many: boolean
  readonly onDelete: 'refuse' | 'clear' | 'cascade'
}

const pointersTo = (catalogue: ResourceCatalogue, target: Resource): Pointer[] =>
  [...catalogue.values()].flatMap((from) =>
    Object.entries(storedFields(from)).flatMap(([name, field]) => {
      const { kind, to, onDelete = 'refuse' } = marksOf(field)
      return to === target.name ? [{ from, field: name, many: kind === 'refs', onDelete }] : []
    }),
  )

const pointsAt = (pointer: Pointer, id: number): Sql => sql`${named(pointer.field)} = ${id}`

/** Gets every row that a deletion changed or took with it. */
type Note = (resource: Resource, row: number, done: 'changed' | 'deleted') => void

/**
 * Deletes a row as its declaration asks: refused with 403 while it is in use, else what points at it is cleared, taken
 * off lists or deleted with it.
 */
export async function deleteWithReferences(
  tx: Tx,
  catalogue: ResourceCatalogue,
  { resource, place, id }: ResourcePlace & { readonly id: number },
  note: Note = () => {},
): Promise<void> {
  const pointers = pointersTo(catalogue, resource)
  for (const pointer of pointers) {
    if (pointer.many || pointer.onDelete !== 'refuse') continue
    const use = await tx.get(
      sql`SELECT id FROM ${named(tableOf(pointer.from))} WHERE ${within(pointer.from, place)} AND ${pointsAt(pointer, id)} LIMIT 1`,
    )
    if (use) throw denied(`This ${resource.name.replaceAll('_', ' ')} is in use and cannot be deleted.`)
  }
  for (const pointer of pointers) {
    if (pointer.many) await takeOffLists(tx, pointer, { place, id }, note)
    else if (pointer.onDelete === 'clear') {
      for (const row of await findRows(tx, pointer.from, place, { where: pointsAt(pointer, id) })) {
        await updateRow(tx, pointer.from, place, { id: Number(row.id), [pointer.field]: null })
        note(pointer.from, Number(row.id), 'changed')
      }
    } else if (pointer.onDelete === 'cascade') {
      for (const row of await findRows(tx, pointer.from, place, { where: pointsAt(pointer, id) }))
        await deleteWithReferences(tx, catalogue, { resource: pointer.from, place, id: Number(row.id) }, note)
    }
  }
  await removeRow(tx, resource, place, id)
  note(resource, id, 'deleted')
}

async function takeOffLists(
  tx: Tx,
  pointer: Pointer,
  { place, id }: { readonly place: Place; readonly id: number },
  note: Note,
): Promise<void> {
  for (const found of await findRows(tx, pointer.from, place)) {
    if (!idsIn(found[pointer.field]).includes(id)) continue
    // Another deletion may be taking something off the same list: it is read again once it is ours.
    const row = await lockRow(tx, pointer.from, place, { id: Number(found.id) })
    const ids = idsIn(row?.[pointer.field])
    if (!row || !ids.includes(id)) continue
    await updateRow(tx, pointer.from, place, {
      id: Number(row.id),
      [pointer.field]: ids.filter((other) => other !== id),
    })
    note(pointer.from, Number(row.id), 'changed')
  }
}
