import sql, { join, raw } from 'sql-template-tag'
import { isDay, readAnyInstant } from '../../../schema/instants.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Exporter, Level, Parameter, Wishes } from '../format/exporter.ts'
import { formatsOf } from '../format/formats.ts'

/** What an exporter is asked about: one event, or those of an organizer that the caller may see. */
export interface Reach {
  readonly level: Level
  readonly organizer: number
  /** Ids. */
  readonly events: readonly number[]
  /** The one that it is asked about, where it is one. */
  readonly event: EventFacts | null
}

/** A parameter as the interface describes it. */
interface ShownParameter {
  readonly name: string
  readonly required: boolean
  readonly choices?: readonly string[]
}

/** An exporter as the interface shows it. */
export const shownExporter = (exporter: Exporter, reach: Reach) => ({
  identifier: exporter.identifier,
  verbose_name: exporter.name,
  input_parameters: [
    ...(reach.level === 'organizer' && !exporter.withoutEvents
      ? [
          { name: 'events', required: true },
          { name: 'all_events', required: false },
        ]
      : []),
    ...parametersFor(exporter, reach).map((one) => shownParameter(one, reach)),
  ],
})

/** The parameters that make sense for what is asked about: days of dates only where there are dates. */
function parametersFor(exporter: Exporter, { level, event }: Reach): Parameter[] {
  const formats = formatsOf(exporter)
  const format: Parameter = { name: '_format', required: true, kind: 'word', words: [...formats.keys()] }
  const dated = level === 'organizer' || event?.hasSubevents === true
  return [
    ...(formats.size > 0 ? [format] : []),
    ...exporter.parameters.filter((one) => !(one.kind === 'day' && one.dates) || dated),
  ]
}

const wordsIn = (parameter: Parameter & { kind: 'word' }, { event }: Reach): readonly string[] =>
  parameter.wordsOf && event ? parameter.wordsOf(event) : parameter.words

function shownParameter(parameter: Parameter, reach: Reach): ShownParameter {
  const { name, required = false } = parameter
  switch (parameter.kind) {
    case 'word':
      return { name, required, choices: wordsIn(parameter, reach) }
    case 'words':
      return { name, required, choices: parameter.words }
    case 'flag':
    case 'day':
    case 'row':
    case 'rows':
      return { name, required }
  }
}

class Wrong extends Error {}

/** What was asked for, checked and completed; 400 with messages by parameter. What is not known is ignored. */
export async function readWishes(
  db: Queryable,
  exporter: Exporter,
  reach: Reach,
  body: Readonly<Record<string, unknown>>,
): Promise<Wishes> {
  const wishes: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const parameter of parametersFor(exporter, reach)) {
    const sent = Object.hasOwn(body, parameter.name) ? body[parameter.name] : undefined
    try {
      const isMissing = sent === undefined || sent === null
      if (isMissing && parameter.required) throw new Wrong('This field is required.')
      wishes[parameter.name] = isMissing ? unsaid(parameter) : await readOne(db, parameter, reach, sent)
    } catch (cause) {
      if (!(cause instanceof Wrong)) throw cause
      errors[parameter.name] = [cause.message]
    }
  }
  const from = wishes.date_from
  const to = wishes.date_to
  if (typeof from === 'string' && typeof to === 'string' && to < from)
    errors.date_to = ['This day is before the first one.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return wishes
}

function unsaid(parameter: Parameter): unknown {
  switch (parameter.kind) {
    case 'flag':
      return false
    case 'word':
      return parameter.words[0] ?? ''
    case 'words':
      return parameter.usual
    case 'rows':
      return []
    case 'day':
    case 'row':
      return null
  }
}

const yes: readonly unknown[] = [true, 'true', 'True', 1, '1', 'on']
const no: readonly unknown[] = [false, 'false', 'False', 0, '0', '']

async function readOne(db: Queryable, parameter: Parameter, reach: Reach, sent: unknown): Promise<unknown> {
  switch (parameter.kind) {
    case 'flag':
      if (!yes.includes(sent) && !no.includes(sent)) throw new Wrong('Must be a valid boolean.')
      return yes.includes(sent)
    case 'word':
      return readWord(wordsIn(parameter, reach), sent)
    case 'words':
      return readList(sent).map((one) => readWord(parameter.words, one))
    case 'day':
      return readDay(parameter, sent)
    case 'row':
      return (await readRows(db, parameter.table, reach, [sent]))[0]
    case 'rows':
      return readRows(db, parameter.table, reach, readList(sent))
  }
}

function readList(sent: unknown): readonly unknown[] {
  if (!Array.isArray(sent)) throw new Wrong('Expected a list of items.')
  if (sent.length > 1000) throw new Wrong('Ensure this field has no more than 1000 items.')
  return sent
}

function readWord(words: readonly string[], sent: unknown): string {
  const found = words.find((word) => word === sent)
  if (found === undefined) throw new Wrong(`${shortened(sent)} is not a valid choice.`)
  return found
}

const shortened = (sent: unknown): string => JSON.stringify(sent)?.slice(0, 100) ?? ''

function readDay(parameter: Parameter & { kind: 'day' }, sent: unknown): string | null {
  if (sent === '' && !parameter.required) return null
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(sent)) ?? []
  if (year !== undefined && isDay(Number(year), Number(month), Number(day))) return String(sent)
  const instant = parameter.moment && typeof sent === 'string' ? readAnyInstant(sent) : undefined
  if (instant === undefined) throw new Wrong('Date has wrong format. Use YYYY-MM-DD.')
  return instant
}

async function readRows(
  db: Queryable,
  table: 'checkin_list' | 'question',
  { organizer, events }: Reach,
  sent: readonly unknown[],
): Promise<number[]> {
  const ids = sent.map((one) => {
    const id = typeof one === 'string' && /^\d{1,16}$/.test(one) ? Number(one) : one
    if (!Number.isSafeInteger(id)) throw new Wrong('Incorrect type. Expected pk value.')
    return Number(id)
  })
  if (ids.length === 0) return []
  const found = await db.all<{ id: number }>(
    sql`SELECT id FROM ${raw(table)} WHERE organizer = ${organizer} AND event IN (${join([0, ...events])})
        AND id IN (${join(ids)})`,
  )
  const missing = ids.find((id) => !found.some((row) => row.id === id))
  if (missing !== undefined) throw new Wrong(`Invalid pk "${missing}" - object does not exist.`)
  return ids
}
