import { isEqual, isLess, isLessOrEqual, isTruthy, toleranceOf } from './values.ts'
import { buildTime, countEntries, countEntryDays, momentOf, type RuleFacts, variables } from './variables.ts'

/**
 * The value of one node: JSON-logic with the words and the coercions that scanning apps already rely on. All
 * arguments are evaluated first, so that an error in any branch fails the whole rule. Throws where a node makes no
 * sense. Lists written out in a rule are values, not code.
 */
export function evaluate(node: unknown, facts: RuleFacts): unknown {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return node
  const { operator, operands } = readNode(node)
  const apply = operators.get(operator)
  if (apply === undefined) throw new RangeError(`No such operator: ${operator}`)
  const values = operands.map((operand) => evaluate(operand, facts))
  return apply(values, facts)
}

/** A node taken apart: its one key, and its value as a list of operands. Throws unless there is exactly one key. */
export function readNode(node: object): { operator: string; operands: readonly unknown[] } {
  const [entry, ...others] = Object.entries(node)
  if (entry === undefined || others.length > 0) throw new RangeError('A rule has exactly one key')
  return { operator: entry[0], operands: Array.isArray(entry[1]) ? entry[1] : [entry[1]] }
}

type Operator = (values: readonly unknown[], facts: RuleFacts) => unknown

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['and', (values) => values.every(isTruthy)],
  ['or', (values) => values.some(isTruthy)],
  ['==', (values) => inOrder(values, isEqual)],
  ['!=', (values) => !inOrder(values, isEqual)],
  ['<', (values) => inOrder(values, isLess)],
  ['<=', (values) => inOrder(values, isLessOrEqual)],
  ['>', (values) => inOrder(values.toReversed(), isLess)],
  ['>=', (values) => inOrder(values.toReversed(), isLessOrEqual)],
  ['inList', ([value, list]) => isElement(value, list)],
  ['objectList', (values) => values],
  ['lookup', ([, id]) => id],
  ['var', ([name], facts) => variables.get(String(name))?.(facts) ?? null],
  ['buildTime', ([kind, value], facts) => buildTime(kind, value, facts)],
  ['isBefore', ([a, b, tolerance]) => isBefore(a, b, tolerance)],
  ['isAfter', ([a, b, tolerance]) => isBefore(b, a, tolerance)],
  ['entries_since', ([moment], facts) => countEntries(facts, 'since', moment)],
  ['entries_before', ([moment], facts) => countEntries(facts, 'before', moment)],
  ['entries_days_since', ([moment], facts) => countEntryDays(facts, 'since', moment)],
  ['entries_days_before', ([moment], facts) => countEntryDays(facts, 'before', moment)],
])

/** Whether every value relates to the next one. Throws for fewer than two, which compare nothing. */
function inOrder(values: readonly unknown[], relation: (a: unknown, b: unknown) => boolean): boolean {
  if (values.length < 2) throw new RangeError('A comparison has two sides')
  return values.slice(1).every((value, index) => relation(values[index], value))
}

/** Ids are numbers on the server and texts in scanning apps, so both are compared as texts. */
function isElement(value: unknown, list: unknown): boolean {
  if (!Array.isArray(list)) throw new RangeError('Not a list')
  return list.some((element) => String(element) === String(value))
}

/** The tolerance always widens: with it, a little later still counts as before, and a little earlier as after. */
function isBefore(a: unknown, b: unknown, tolerance: unknown): boolean {
  return momentOf(a) < momentOf(b) + toleranceOf(tolerance) * 60e6
}
