import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import { contradictory, type FieldErrors } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { type Entries, readEntries } from '../../resource/input.ts'
import { findRow, insertRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { freshIdentifier, identifierFor, isIdentifierTaken } from '../codes/identifiers.ts'

/** What the options of a question must keep to. */
export const questionOptionBehaviour: Behaviour<typeof questionOption> = {
  async prepare(tx, scope, { next, before }) {
    const owner = await findRow(tx, question, scope.place, { id: next.question })
    if (!before && owner?.type !== 'C' && owner?.type !== 'M')
      throw contradictory('Only choice questions have options.')
    return { ...next, identifier: await identifierFor(tx, questionOption, scope.place, { next, before }) }
  },
}

/** Reads the options that a new question was sent with; identifiers must be free and differ from each other. */
export async function readOptions(
  tx: Tx,
  scope: Scope,
  sent: unknown,
): Promise<Entries<typeof questionOption.fields>> {
  const entries = readEntries(questionOption.fields, sent, scope.event?.locale ?? 'en')
  if (entries.errors) return entries
  const seen = new Set<string>()
  const errors: FieldErrors[] = []
  for (const { identifier } of entries.rows) {
    const key = (identifier ?? '').toLowerCase()
    const clash =
      key !== '' &&
      (seen.has(key) ||
        (await isIdentifierTaken(tx, questionOption, scope.place, { identifier: key, except: 0 })))
    seen.add(key)
    errors.push(clash ? { identifier: ['This identifier is already in use.'] } : {})
  }
  return { ...entries, errors: errors.some((error) => 'identifier' in error) ? errors : undefined }
}

/** Stores the options that a new question was sent with, in the order in which they came. */
export async function insertOptions(tx: Tx, scope: Scope, owner: number, sent: unknown): Promise<void> {
  const { rows } = readEntries(questionOption.fields, sent, scope.event?.locale ?? 'en')
  const options = rows.map((row) => ({
    ...blankRow(questionOption),
    ...row,
    active: true,
    id: tx.nextId(),
    question: owner,
    identifier: row.identifier || freshIdentifier(tx),
  }))
  await insertRows(tx, questionOption, scope.place, options)
}
