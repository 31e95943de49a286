import { tableOf } from '../../../schema/resource.ts'
import { resources } from '../../../schema/resources/index.ts'
import type { Run } from '../run.ts'
import { type Held, textOf } from './reading.ts'

/** Columns that a node below is never told, or only of itself. */
const own: Readonly<Record<string, readonly string[]>> = {
  device: ['token_hash', 'initialization_token', 'last_site_seq', 'former_sites'],
  event: ['cloned_from'],
  event_key: ['private_key'],
  // Each node notes when it has seen an order change itself.
  order: ['last_modified'],
}

/** Whether each node holds the same rows as central, of everything that it follows. */
export function checkReplicas(run: Run, central: Held, others: readonly Held[]): void {
  const keptBelow = quarantinedIn(others)
  for (const resource of resources.filter((one) => one.replicate)) {
    const { name } = resource
    const table = tableOf(resource)
    const columns = central
      .all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
      .map((column) => column.name)
      .filter((column) => !own[name]?.includes(column))
      .map((column) => `"${column}"`)
      .join(', ')
    const rowsOf = (held: Held): Map<string, string> =>
      new Map(
        held
          .all<{ id: number }>(`SELECT ${columns} FROM ${table} ORDER BY id`)
          .map((row) => [String(row.id), textOf(row)]),
      )
    const expected = rowsOf(central)
    for (const held of others) {
      const found = rowsOf(held)
      if (name === 'refused_ticket')
        for (const [id, row] of found)
          if (!expected.has(id) && keptBelow.has(JSON.parse(row).fact)) found.delete(id)
      const difference = differenceOf(expected, found)
      if (difference !== null)
        run.record.wrongs.push(`${held.name} differs from central in ${name}: ${difference}`)
    }
  }
}

/**
 * Nonces of facts that hubs keep in quarantine. What a hub keeps of a revoked device nobody at the top is told of: its
 * own doors know of the tickets, and no others.
 */
const quarantinedIn = (others: readonly Held[]): ReadonlySet<string> =>
  new Set(
    others.flatMap((held) =>
      held.all<{ nonce: string }>('SELECT nonce FROM quarantine').map(({ nonce }) => nonce),
    ),
  )

/** The first difference, shortly. */
function differenceOf(
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): string | null {
  for (const [id, row] of expected) {
    const other = found.get(id)
    if (other === undefined) return `it lacks ${briefly(row)}`
    if (other === row) continue
    const [ours, theirs] = [JSON.parse(row), JSON.parse(other)]
    const columns = Object.keys(ours).filter((column) => ours[column] !== theirs[column])
    return `${id}: ${columns.map((column) => `${column} is ${theirs[column]}, not ${ours[column]}`).join(', ')}`
  }
  for (const [id, row] of found) if (!expected.has(id)) return `only it has ${briefly(row)}`
  return null
}

const briefly = (row: string): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(row)).filter(([, value]) => value !== null && value !== 0 && value !== ''),
    ),
  ).slice(0, 300)
