import type { Ajv, ErrorObject } from 'ajv'
import type { Bound } from '../../schema/fields.ts'

/** Teaches a validator the bounds that fields declare: how much JSON holds, and which names an object may have. */
export function addBounds(ajv: Ajv): void {
  ajv.addKeyword({ keyword: 'x-bound', validate: isBounded })
  // The usual one complains of every name by itself, however many there are.
  ajv.removeKeyword('propertyNames')
  ajv.addKeyword({ keyword: 'propertyNames', type: 'object', validate: hasKnownNames })
}

/** Whether JSON holds no more than it is declared to. */
function isBounded({ most, weights = {} }: Bound, value: unknown): boolean {
  if (weighs(value, weights, most) <= most) return true
  const message = Object.keys(weights).length > 0 ? tooHeavy : `holds more than ${most} values`
  isBounded.errors = [{ keyword: 'x-bound', message, params: { most } }]
  return false
}
isBounded.errors = [] as Partial<ErrorObject>[]

/** Whether all names in an object are among those that are declared. */
const hasKnownNames = ({ enum: names }: { readonly enum: readonly string[] }, value: object): boolean =>
  Object.keys(value).every((name) => names.includes(name))

const tooHeavy =
  'asks for too much at every scan; use fewer conditions, or several check-in lists with some of them each'

/** What JSON weighs; what is beyond the most is not looked at any more. */
function weighs(value: unknown, weights: Readonly<Record<string, number>>, most: number): number {
  if (typeof value !== 'object' || value === null) return weightOf(value, weights)
  let sum = 1
  const isList = Array.isArray(value)
  for (const [key, inner] of Object.entries(value)) {
    if (!isList) sum += weightOf(key, weights)
    sum += weighs(inner, weights, most - sum)
    if (sum > most) break
  }
  return sum
}

const weightOf = (word: unknown, weights: Readonly<Record<string, number>>): number =>
  typeof word === 'string' && Object.hasOwn(weights, word) ? (weights[word] ?? 1) : 1
