import { microsecondsOf } from '../../../schema/instants.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { evaluate, readNode } from './evaluation.ts'
import type { TicketFacts } from './facts.ts'
import { describeMoment, explainComparison, type Failure, type Labels } from './failures.ts'
import { isTruthy } from './values.ts'
import type { RuleFacts } from './variables.ts'
import { byWeight, type Weight } from './weights.ts'

/**
 * Why the rules of a list refuse, in words for staff and visitor; never throws and never empty. Of all ways to satisfy
 * the rules it names the one whose hardest condition is the easiest to change by the visitor (earlier entries before
 * the time of day before the product bought), and of equally hard ones that with the fewest conditions.
 */
export function explainRules(rules: unknown, facts: RuleFacts, locale: string, labels?: Labels): string {
  const unknown = serverTranslator(locale)('rule.unknown')
  try {
    const tree = reduce(rules, (node) => judge(node, facts, locale, labels))
    const failures = fewest(tree, hardestOnEasiestWay(tree)) ?? []
    return [...new Set(failures.map(({ text }) => text))].join(', ') || unknown
  } catch {
    return unknown
  }
}

/** From when or until when a ticket is valid, whichever is the reason; `null` when it is valid at that time. */
export function explainValidity(
  { valid_from, valid_until }: Pick<TicketFacts, 'valid_from' | 'valid_until'>,
  at: string,
  timezone: string,
  locale: string,
): string | null {
  const t = serverTranslator(locale)
  const moment = (limit: string) => describeMoment(limit, at, timezone, locale)
  if (valid_from !== null && microsecondsOf(valid_from) > microsecondsOf(at))
    return t('rule.not-yet-valid', { moment: moment(valid_from) })
  if (valid_until !== null && microsecondsOf(valid_until) < microsecondsOf(at))
    return t('rule.no-longer-valid', { moment: moment(valid_until) })
  return null
}

/** Rules with every comparison replaced by its result: nothing where it holds, else why it does not. */
type Tree =
  | { readonly join: 'and' | 'or'; readonly parts: readonly Tree[] }
  | { readonly join: 'none'; readonly failure: Failure | undefined }

function reduce(node: unknown, judgeLeaf: (node: unknown) => Failure | undefined): Tree {
  if (node !== null && typeof node === 'object' && !Array.isArray(node)) {
    const { operator, operands } = readNode(node)
    if (operator === 'and' || operator === 'or') {
      return { join: operator, parts: operands.map((operand) => reduce(operand, judgeLeaf)) }
    }
  }
  return { join: 'none', failure: judgeLeaf(node) }
}

function judge(node: unknown, facts: RuleFacts, locale: string, labels?: Labels): Failure | undefined {
  return isTruthy(evaluate(node, facts)) ? undefined : explainComparison(node, facts, locale, labels)
}

const satisfied: Weight = [0, 0]
const impossible: Weight = [Number.POSITIVE_INFINITY, 0]

/** The weight of the hardest condition on the easiest way: the minimum over `or` of the maximum over `and`. */
function hardestOnEasiestWay(tree: Tree): Weight {
  if (tree.join === 'none') return tree.failure?.weight ?? satisfied
  const weights = tree.parts.map(hardestOnEasiestWay).toSorted(byWeight)
  return tree.join === 'and' ? (weights.at(-1) ?? satisfied) : (weights[0] ?? impossible)
}

/** The shortest list of conditions that would satisfy the rules without any harder than the limit, if there is one. */
function fewest(tree: Tree, limit: Weight): readonly Failure[] | undefined {
  if (tree.join === 'none') {
    if (tree.failure === undefined) return []
    return byWeight(tree.failure.weight, limit) <= 0 ? [tree.failure] : undefined
  }
  const ways = tree.parts.map((part) => fewest(part, limit))
  const possible = ways.filter((way) => way !== undefined)
  if (tree.join === 'and') return possible.length === ways.length ? possible.flat() : undefined
  return possible.toSorted((a, b) => a.length - b.length)[0]
}
