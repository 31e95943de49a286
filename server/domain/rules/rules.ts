import { evaluate } from './evaluation.ts'
import { isTruthy } from './values.ts'
import { type RuleFacts, variables } from './variables.ts'

/**
 * Whether the rules of a list let somebody in. No rules at all let everybody in; rules that cannot be evaluated let
 * nobody in, so that a mistake in them is noticed at the door and not afterwards. Never throws.
 */
export function evaluateRules(rules: unknown, facts: RuleFacts): boolean {
  if (!isTruthy(rules)) return true
  try {
    return isTruthy(evaluate(rules, facts))
  } catch {
    return false
  }
}

/**
 * What is wrong with the rules of a list, one message per violation; empty when they may be saved. The language is
 * kept this small because scanning apps evaluate the same rules on their own. Literals are not looked at.
 */
export function validateRules(rules: unknown): string[] {
  return violations(rules, { depth: 0, compared: false })
}

const conditions: ReadonlySet<string> = new Set([
  'and',
  'or',
  '<',
  '<=',
  '>',
  '>=',
  '==',
  '!=',
  'inList',
  'isBefore',
  'isAfter',
])

const operands: ReadonlySet<string> = new Set([
  'buildTime',
  'objectList',
  'lookup',
  'var',
  'entries_since',
  'entries_before',
  'entries_days_since',
  'entries_days_before',
])

/** Deep enough for every rule a person can read, and shallow enough for every interpreter's stack. */
const deepest = 50

/** Where a node stands: how deep, and whether within a comparison, where `and` and `or` make no sense. */
interface Place {
  readonly depth: number
  readonly compared: boolean
}

function violations(node: unknown, { depth, compared }: Place): string[] {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return []
  const [entry, ...others] = Object.entries(node)
  if (entry === undefined) return []
  if (others.length > 0)
    return [`Rules must not contain objects with more than one key: ${Object.keys(node).join(', ')}.`]
  if (depth > deepest) return ['Rules are nested too deeply.']
  const [operator, value] = entry
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!conditions.has(operator) && !operands.has(operator))
    return [`The operator "${operator}" is not allowed.`]
  if (depth === 0 && !conditions.has(operator))
    return [`The operator "${operator}" is not allowed on the first level.`]
  if (operator === 'var') return variableViolations(values[0])
  const joins = operator === 'and' || operator === 'or'
  if (joins && compared) return ['"and" and "or" are not allowed below a comparison.']
  return values.flatMap((inner) => violations(inner, { depth: depth + 1, compared: compared || !joins }))
}

function variableViolations(name: unknown): string[] {
  const known = typeof name === 'string' && variables.has(name)
  return known ? [] : [`The variable ${JSON.stringify(name) ?? 'without a name'} is not allowed.`]
}

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

/** What rules name by its id, each as often as it stands there: the kind, such as `product`, and the id. */
export function namedInRules(rules: unknown): readonly (readonly [kind: string, id: number])[] {
  const named: (readonly [string, number])[] = []
  withOtherIds(rules, (kind, id) => {
    named.push([kind, id])
    return undefined
  })
  return named
}
