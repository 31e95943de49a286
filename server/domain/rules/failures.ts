import { instantAt } from '../../../schema/instants.ts'
import { evaluate, readNode } from './evaluation.ts'
import { describeMoment, type ExplanationTexts, explanationTexts, fillIn } from './explanation-texts.ts'
import { numberOf, toleranceOf } from './values.ts'
import { momentOf, type RuleFacts } from './variables.ts'
import { rigidity, type Weight, weightOfNumber } from './weights.ts'

/** Names for ids in explanations; `undefined` where there is none. */
export type Labels = (kind: 'product' | 'variation' | 'gate', id: number) => string | undefined

/** A condition that does not hold: how hard it is to change, and what it says. */
export interface Failure {
  readonly weight: Weight
  readonly text: string
}

/** A comparison that does not hold. */
interface Comparison {
  readonly operator: string
  /** The variable or counter on its left, `''` where there is none. */
  readonly subject: string
  readonly operands: readonly unknown[]
  readonly facts: RuleFacts
  readonly locale: string
  readonly texts: ExplanationTexts
}

/** Why a comparison that does not hold refuses. One that has no variable on its left cannot be explained. */
export function explainComparison(node: unknown, facts: RuleFacts, locale: string, labels?: Labels): Failure {
  const texts = explanationTexts(locale)
  const { operator, operands } =
    node !== null && typeof node === 'object' ? readNode(node) : { operator: '', operands: [] }
  const subject = subjectOf(operands[0])
  const comparison = { operator, subject, operands, facts, locale, texts }
  switch (subject) {
    case 'now':
      return explainTime(comparison)
    case 'product':
      return fixed(rigidity.product, texts.product, texts.namedProduct, labels?.('product', facts.product))
    case 'variation':
      return fixed(
        rigidity.product,
        texts.product,
        texts.namedProduct,
        labels?.('variation', facts.variation ?? 0),
      )
    case 'gate':
      return fixed(rigidity.gate, texts.gate, texts.namedGate, labels?.('gate', facts.gate ?? 0))
    case 'entry_status':
      return fixed(
        rigidity.presence,
        (operator === '==') === (operands[1] === 'present') ? texts.present : texts.absent,
      )
    case 'now_isoweekday':
      return explainWeekday(comparison)
    default:
      return explainCounter(comparison)
  }
}

function explainTime({ operator, operands, facts, locale, texts }: Comparison): Failure {
  if (operator !== 'isBefore' && operator !== 'isAfter') return unexplained(texts)
  const tolerance = toleranceOf(evaluate(operands[2], facts)) * 60e6
  const limit = momentOf(evaluate(operands[1], facts)) + (operator === 'isBefore' ? tolerance : -tolerance)
  const moment = describeMoment(instantAt(limit), facts.now, facts.times.timezone, locale)
  return {
    weight: [rigidity.time, Math.abs(momentOf(facts.now) - limit) / 1e6],
    text: fillIn(operator === 'isBefore' ? texts.before : texts.after, { moment }),
  }
}

function explainWeekday(comparison: Comparison): Failure {
  const { operator, texts } = comparison
  const { actual, limit, weight } = measure(comparison)
  const day = operator === '==' ? limit : actual
  const weekday = texts.weekdays[day - 1]
  if (weekday === undefined) return unexplained(texts)
  return { weight, text: fillIn(operator === '==' ? texts.onlyOnWeekday : texts.notOnWeekday, { weekday }) }
}

const sentences: Readonly<Record<string, 'maximum' | 'minimum' | 'isNot' | 'is'>> = {
  '<': 'maximum',
  '<=': 'maximum',
  '>': 'minimum',
  '>=': 'minimum',
  '==': 'isNot',
  '!=': 'is',
}

function explainCounter(comparison: Comparison): Failure {
  const { operator, subject, texts } = comparison
  const sentence = sentences[operator]
  const name = texts.counters[subject]
  if (sentence === undefined || name === undefined) return unexplained(texts)
  const { limit, weight } = measure(comparison)
  const number = Number.isNaN(limit) ? '?' : String(limit)
  const value = subject.startsWith('minutes_') ? fillIn(texts.minutes, { value: number }) : number
  const counter = name.includes('{moment}') ? nameMoment(name, comparison) : name
  return { weight, text: fillIn(texts[sentence], { counter, value }) }
}

/** The name of a counter with an argument, such as the number of entries since a moment. */
function nameMoment(name: string, { operands, facts, locale }: Comparison): string {
  const argument = readNode(Object(operands[0])).operands[0]
  const moment = describeMoment(String(evaluate(argument, facts)), facts.now, facts.times.timezone, locale)
  return name.replace('{moment}', moment)
}

/** Both sides of a comparison as numbers, `NaN` for what is none, and how far they are from holding. */
function measure({ operator, subject, operands, facts }: Comparison) {
  const actual = numberOf(evaluate(operands[0], facts))
  const limit = numberOf(evaluate(operands[1], facts))
  return { actual, limit, weight: weightOfNumber(subject, operator, actual, limit) }
}

/** The variable that an operand reads, or the counter that it calls. */
function subjectOf(operand: unknown): string {
  if (operand === null || typeof operand !== 'object' || Array.isArray(operand)) return ''
  const { operator, operands } = readNode(operand)
  return operator === 'var' ? String(operands[0]) : operator
}

function fixed(hardness: number, text: string, namedText = text, name?: string): Failure {
  return { weight: [hardness, 0], text: name === undefined ? text : fillIn(namedText, { name }) }
}

function unexplained(texts: ExplanationTexts): Failure {
  return { weight: [rigidity.unknown, 0], text: texts.unknown }
}
