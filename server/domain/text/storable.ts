const deepest = 50

/** Whether a value holds what no database can keep: a NUL, half a surrogate pair, or more than fifty levels. */
export function isUnstorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  if (Array.isArray(value)) return value.some((part) => isUnstorable(part, depth + 1))
  return Object.entries(value).some(
    ([name, part]) => isUnstorable(name, depth + 1) || isUnstorable(part, depth + 1),
  )
}
