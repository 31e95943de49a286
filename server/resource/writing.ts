import type { Resource } from '../../schema/resource.ts'
import { invalid } from '../errors.ts'
import type { Behaviour, Scope } from './api.ts'
import type { RowData } from './codec.ts'
import { findRow } from './store.ts'
import type { Tx } from './transactions.ts'

/** The audit trail's word for what was done to a row. */
export const auditAction = (
  resource: Resource,
  behaviour: Behaviour,
  done: 'added' | 'changed' | 'deleted',
): string =>
  behaviour.action?.(done) ??
  `ticketsvc.${resource.scope === 'event' ? 'event.' : ''}${resource.name}.${done}`

/** Values of a row that differ from what is stored. */
export const differences = <T extends object>(before: T, next: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => JSON.stringify(before[name as keyof T]) !== JSON.stringify(value),
    ),
  ) as Partial<T>

const mutable = new WeakMap<Resource, Resource['fields']>()

/** The fields that a change may set; the same object each time, so that its schema is compiled once. */
export function mutableFields(resource: Resource): Resource['fields'] {
  if (!resource.immutable) return resource.fields
  const kept = Object.entries(resource.fields).filter(([name]) => !resource.immutable?.includes(name))
  const known = mutable.get(resource) ?? Object.fromEntries(kept)
  mutable.set(resource, known)
  return known
}

/** Refuses a value that another row of the place has in a field where every row has its own. */
export async function checkUnique(
  tx: Tx,
  resource: Resource,
  scope: Scope,
  { next, before }: { readonly next: RowData; readonly before: RowData | undefined },
) {
  for (const name of resource.unique ?? []) {
    const value = next[name]
    if (value === before?.[name] || (typeof value !== 'string' && typeof value !== 'number')) continue
    const other = await findRow(tx, resource, scope.place, { [name]: value })
    if (other && other.id !== before?.id) throw invalid({ [name]: [`This ${name} is already in use.`] })
  }
}
