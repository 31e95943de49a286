/** The id that a row of a model has elsewhere; undefined when it has none there. */
type OtherId = (model: string, id: number) => number | undefined

/** The rules of a list with the ids that the same rows have in another event; rows unknown there keep their id. */
export function withOtherIds(rules: unknown, otherId: OtherId): unknown {
  if (Array.isArray(rules)) return rules.map((rule) => withOtherIds(rule, otherId))
  if (rules === null || typeof rules !== 'object') return rules
  return Object.fromEntries(
    Object.entries(rules).map(([operator, value]) => {
      if (operator !== 'lookup' || !Array.isArray(value)) return [operator, withOtherIds(value, otherId)]
      const [model, id, ...rest] = value
      if (typeof model !== 'string' || (typeof id !== 'string' && typeof id !== 'number'))
        return [operator, value]
      // Scanning apps compare ids as texts, so they are written as they were.
      const other = otherId(model, Number(id)) ?? id
      return [operator, [model, typeof id === 'string' ? String(other) : other, ...rest]]
    }),
  )
}
