import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { isServerTextKey, serverTranslator, type TranslateServer } from '../../../schema/texts/server.ts'
import { localDate, localDateTime } from '../text/time.ts'
import { evaluate, readNode } from './evaluation.ts'
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
  readonly t: TranslateServer
}

/** Why a comparison that does not hold refuses. One that has no variable on its left cannot be explained. */
export function explainComparison(node: unknown, facts: RuleFacts, locale: string, labels?: Labels): Failure {
  const t = serverTranslator(locale)
  const { operator, operands } =
    node !== null && typeof node === 'object' ? readNode(node) : { operator: '', operands: [] }
  const subject = subjectOf(operands[0])
  const comparison = { operator, subject, operands, facts, locale, t }
  switch (subject) {
    case 'now':
      return explainTime(comparison)
    case 'product':
      return wrongThing('product', t, labels?.('product', facts.product))
    case 'variation':
      return wrongThing('product', t, labels?.('variation', facts.variation ?? 0))
    case 'gate':
      return wrongThing('gate', t, labels?.('gate', facts.gate ?? 0))
    case 'entry_status': {
      const isPresenceWanted = (operator === '==') === (operands[1] === 'present')
      return { weight: [rigidity.presence, 0], text: t(isPresenceWanted ? 'rule.present' : 'rule.absent') }
    }
    case 'now_isoweekday':
      return explainWeekday(comparison)
    default:
      return explainCounter(comparison)
  }
}

function explainTime({ operator, operands, facts, locale, t }: Comparison): Failure {
  if (operator !== 'isBefore' && operator !== 'isAfter') return unexplained(t)
  const tolerance = toleranceOf(evaluate(operands[2], facts)) * 60e6
  const limit = momentOf(evaluate(operands[1], facts)) + (operator === 'isBefore' ? tolerance : -tolerance)
  const moment = describeMoment(instantAt(limit), facts.now, facts.times.timezone, locale)
  return {
    weight: [rigidity.time, Math.abs(momentOf(facts.now) - limit) / 1e6],
    text: t(operator === 'isBefore' ? 'rule.before' : 'rule.after', { moment }),
  }
}

function explainWeekday(comparison: Comparison): Failure {
  const { operator, t } = comparison
  const { actual, limit, weight } = measure(comparison)
  const key = `rule.weekday.${operator === '==' ? limit : actual}` as const
  if (!isServerTextKey(key)) return unexplained(t)
  const weekday = t(key)
  return { weight, text: t(operator === '==' ? 'rule.only-on-weekday' : 'rule.not-on-weekday', { weekday }) }
}

const sentences: Readonly<Record<string, 'rule.maximum' | 'rule.minimum' | 'rule.is-not' | 'rule.is'>> = {
  '<': 'rule.maximum',
  '<=': 'rule.maximum',
  '>': 'rule.minimum',
  '>=': 'rule.minimum',
  '==': 'rule.is-not',
  '!=': 'rule.is',
}

function explainCounter(comparison: Comparison): Failure {
  const { operator, subject, t } = comparison
  const sentence = sentences[operator]
  const name = `counter.${subject}` as const
  if (sentence === undefined || !isServerTextKey(name)) return unexplained(t)
  const { limit, weight } = measure(comparison)
  const number = Number.isNaN(limit) ? '?' : String(limit)
  const value = subject.startsWith('minutes_') ? t('rule.minutes', { value: number }) : number
  const counter = t(name, { moment: /_(since|before)$/.test(subject) ? momentAskedFor(comparison) : '' })
  const text = t(sentence, { counter, value })
  return { weight, text: text.charAt(0).toUpperCase() + text.slice(1) }
}

/** The moment that a counter with an argument is about, such as the number of entries since a moment. */
function momentAskedFor({ operands, facts, locale }: Comparison): string {
  const argument = readNode(Object(operands[0])).operands[0]
  return describeMoment(String(evaluate(argument, facts)), facts.now, facts.times.timezone, locale)
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

function wrongThing(kind: 'product' | 'gate', t: TranslateServer, name?: string): Failure {
  const text = name === undefined ? t(`rule.wrong.${kind}`) : t(`rule.wrong.${kind}.named`, { name })
  return { weight: [rigidity[kind], 0], text }
}

function unexplained(t: TranslateServer): Failure {
  return { weight: [rigidity.unknown, 0], text: t('rule.unknown') }
}

/**
 * A moment as staff read it on the clock of the venue: only the time within twelve hours of `now`, else with the day.
 * Where the zone is not known to this machine it is written in UTC, because an explanation must not fail.
 */
export function describeMoment(moment: string, now: string, timezone: string, locale: string): string {
  try {
    const near = Math.abs(microsecondsOf(moment) - microsecondsOf(now)) < 12 * 3600e6
    const time = localDateTime(moment, timezone).slice(11, 16)
    const [year = '', month = '', day = ''] = localDate(moment, timezone).split('-')
    return near ? time : `${serverTranslator(locale)('rule.day', { year, month, day })} ${time}`
  } catch {
    return moment
  }
}
