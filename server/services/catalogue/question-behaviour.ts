import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { contradictory, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { countRows, findRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { identifierFor } from '../codes/identifiers.ts'
import { insertOptions, readOptions } from './question-options.ts'
import { withOptions } from './questions.ts'

/** Kinds of answers that another question can depend on. */
const branching: ReadonlySet<unknown> = new Set(['B', 'C', 'M'])

/** Kinds of answers that nobody can give at an entrance. */
const notAtDoor: ReadonlySet<unknown> = new Set(['TEL'])

/** What questions must keep to, and the options shown with them. */
export const questionBehaviour: Behaviour<typeof question> = {
  prepare: prepareQuestion,
  async afterWrite(tx, scope, { next: row, before, body }) {
    if (!before && Object.hasOwn(body, 'options')) await insertOptions(tx, scope, row.id, body.options)
  },
  present: (db, scope, rows) => withOptions(db, scope.place, rows),
}

async function prepareQuestion(
  tx: Tx,
  scope: Scope,
  { next: given, before, body }: RowChange<typeof question>,
): Promise<StoredRow<typeof question>> {
  if (before && Object.hasOwn(body, 'options'))
    throw contradictory('Updating options via PATCH/PUT is not supported. Please use the nested endpoint.')
  const next = { ...given, dependency_values: dependencyValues(given, body) }
  const parent =
    next.dependency_question === null
      ? undefined
      : await findRow(tx, question, scope.place, { id: next.dependency_question })
  const errors = await questionErrors(tx, scope.place, { next, before, parent })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const identifier = await identifierFor(tx, question, scope.place, { next, before })
  if (!before && Object.hasOwn(body, 'options')) await checkOptions(tx, scope, next, body.options)
  return { ...next, identifier }
}

/** The values a question depends on; a single one that is sent under its old name goes before a list. */
function dependencyValues(next: StoredRow<typeof question>, body: JsonObject): string[] {
  const { dependency_value: old } = body
  if (typeof old === 'string') return old === '' ? [] : [old]
  return old === null ? [] : next.dependency_values
}

interface Linked {
  readonly next: StoredRow<typeof question>
  readonly before: StoredRow<typeof question> | undefined
  /** What it depends on. */
  readonly parent: StoredRow<typeof question> | undefined
}

/** What is wrong with a question: by its field, and else of all of it. */
async function questionErrors(tx: Tx, place: Place, linked: Linked): Promise<FieldErrors> {
  const { next, before, parent } = linked
  const isAsked =
    before !== undefined &&
    (await countRows(tx, question, place, sql`dependency_question = ${before.id}`)) > 0
  const errors: FieldErrors = {}
  if (isAsked && !branching.has(next.type))
    errors.type = ['Other questions depend on this one, so its answers must be yes or no, or choices.']
  if (parent && parent.id === before?.id) errors.dependency_question = ['A question cannot depend on itself.']
  else if (parent && !branching.has(parent.type))
    errors.dependency_question = ['A question can depend on yes-or-no and choice questions only.']
  if (Object.keys(errors).length > 0) return errors
  const problems = await linkProblems(tx, place, linked, isAsked)
  return problems.length > 0 ? { non_field_errors: problems } : {}
}

async function linkProblems(
  tx: Tx,
  place: Place,
  { next, before, parent }: Linked,
  isAsked: boolean,
): Promise<string[]> {
  const problems: string[] = []
  if (next.ask_during_checkin && notAtDoor.has(next.type))
    problems.push('This type of question cannot be asked during check-in.')
  if (next.ask_during_checkin && isAsked)
    problems.push('Other questions depend on this one, so it cannot be asked during check-in.')
  if (next.dependency_question === null) return problems
  if (next.ask_during_checkin) problems.push('Dependencies are not supported during check-in.')
  if (parent?.ask_during_checkin)
    problems.push('A question cannot depend on a question that is asked during check-in.')
  if (before && (await dependsOn(tx, place, parent, before.id)))
    problems.push('The questions would depend on each other in a circle.')
  return problems
}

/** Whether a question, or one that it depends on, is a certain one. */
async function dependsOn(
  tx: Tx,
  place: Place,
  from: StoredRow<typeof question> | undefined,
  id: number,
): Promise<boolean> {
  const seen = new Set<unknown>()
  let current = from
  while (current && !seen.has(current.id)) {
    if (current.id === id) return true
    seen.add(current.id)
    const next = current.dependency_question
    current = next === null ? undefined : await findRow(tx, question, place, { id: next })
  }
  return false
}

async function checkOptions(
  tx: Tx,
  scope: Scope,
  next: StoredRow<typeof question>,
  sent: unknown,
): Promise<void> {
  const { rows, errors } = await readOptions(tx, scope, sent)
  const refuse = (options: FieldErrors['options']): never => {
    throw invalid({ options })
  }
  if (errors) refuse(errors)
  if (rows.length > 0 && next.type !== 'C' && next.type !== 'M')
    refuse(['Only choice questions have options.'])
}
