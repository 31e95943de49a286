import type { JsonObject } from '../../../schema/fields.ts'
import { type Query, repeated } from '../../resource/query.ts'

const childrenOf = (paths: readonly string[], name: string): string[] =>
  paths.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []))

const inner = (value: unknown, keep: (row: JsonObject) => JsonObject): unknown => {
  if (Array.isArray(value)) return value.map((one) => inner(one, keep))
  return typeof value === 'object' && value !== null ? keep(value as JsonObject) : value
}

function including(row: JsonObject, paths: readonly string[]): JsonObject {
  if (paths.length === 0) return row
  const kept = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (paths.includes(name)) return [[name, value]]
    const below = childrenOf(paths, name)
    return below.length > 0 ? [[name, inner(value, (child) => including(child, below))]] : []
  })
  return Object.fromEntries(kept)
}

function excluding(row: JsonObject, paths: readonly string[]): JsonObject {
  if (paths.length === 0) return row
  const kept = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (paths.includes(name)) return []
    const below = childrenOf(paths, name)
    return [[name, below.length > 0 ? inner(value, (child) => excluding(child, below)) : value]]
  })
  return Object.fromEntries(kept)
}

/** Only the fields that a query's `include` names, if any, without those that its `exclude` names; `a.b` is inside a. */
export const chosenFields = (query: Query, rows: readonly JsonObject[]): JsonObject[] =>
  rows.map((row) => excluding(including(row, repeated(query, 'include')), repeated(query, 'exclude')))
