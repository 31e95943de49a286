import { answerInput, attendeeInput, positionInput } from '../../../schema/bodies/order-create.ts'
import type { Fields } from '../../../schema/fields.ts'
import { addressProblems } from '../../domain/text/addresses.ts'
import { hasKnownPart, partsFromName, withScheme } from '../../domain/text/names.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { hundredths, type RowData } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { attempt, goodRows, refuseIfAny } from '../input/attempts.ts'
import type { EventScope } from './order-draft.ts'

/** An answer as a request gives it. */
export interface AnswerInput {
  readonly question: number
  readonly answer: unknown
  readonly options: readonly number[]
}

/** What a request says of the person and the times of a position; fields that were not sent are missing. */
export type AttendeeInput = Partial<{
  readonly attendee_name_parts: Readonly<Record<string, string>>
  readonly attendee_email: string | null
  readonly company: string | null
  readonly street: string | null
  readonly zipcode: string | null
  readonly city: string | null
  readonly country: string | null
  readonly state: string | null
  readonly secret: string | null
  readonly valid_from: string | null
  readonly valid_until: string | null
}> & { readonly answers?: readonly AnswerInput[] }

/** A position as a request gives it, of the right shape; the price is in hundredths. */
export interface PositionInput extends AttendeeInput {
  readonly positionid: number | null
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly price: number | null
  readonly addon_to: number | null
  /** The name of the seat in its plan. */
  readonly seat: string | null
  /** The code of a voucher. */
  readonly voucher: string | null
  readonly is_bundled: boolean
  readonly answers: readonly AnswerInput[]
}

/** A body in which blank texts that cannot be blank are null, as forms send them. */
export const withoutBlanks = (body: unknown, names: readonly string[]): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          names.includes(name) && value === '' ? null : value,
        ]),
      )
    : body

/** Throws 400 on a field with parts of a name of which no scheme makes one. */
export function refuseUnknownParts(field: string, parts: Readonly<Record<string, string>>): void {
  if (!hasKnownPart(parts))
    throw invalid({ [field]: ['None of these is a part of a name. Send full_name, for example.'] })
}

/** The parts of a name that was given whole or in parts; throws 400 when it was given both ways or in unknown parts. */
export function readName(
  row: RowData,
  field: 'name' | 'attendee_name',
  scheme: string,
): Record<string, string> | undefined {
  const whole = row[field]
  const parts = row[`${field}_parts`] as Record<string, string> | null | undefined
  if (whole && parts && Object.keys(parts).length > 0)
    throw invalid({ [field]: [`Give either ${field} or ${field}_parts, not both.`] })
  if (whole) return partsFromName(String(whole))
  if (parts) {
    refuseUnknownParts(`${field}_parts`, parts)
    return withScheme(parts, scheme)
  }
  return whole === undefined && parts === undefined ? undefined : {}
}

/** Reads the fields of a position that are about its person and times, and those of `fields` beside them. */
export function readAttendee(fields: Fields, body: unknown, partial: boolean, at: EventScope): RowData {
  const { locale, nameScheme } = at.event
  const row = readBody(fields, withoutBlanks(body, ['attendee_email', 'seat', 'voucher']), {
    partial,
    locale,
  })
  const errors: FieldErrors = addressProblems(row.country as string | null, row.state as string | null)
  if (row.valid_from && row.valid_until && String(row.valid_until) < String(row.valid_from))
    errors.valid_until = ['The end has to be after the beginning.']
  refuseIfAny(errors)
  const parts = readName(row, 'attendee_name', nameScheme)
  if (row.answers !== undefined) row.answers = readAnswers(row.answers as unknown[], at)
  const { attendee_name: _, attendee_name_parts: __, ...rest } = row
  return parts === undefined ? rest : { ...rest, attendee_name_parts: parts }
}

function readAnswers(bodies: readonly unknown[], at: EventScope): AnswerInput[] {
  const attempts = bodies.map((body) =>
    attempt(
      () =>
        readBody(answerInput, body, { partial: false, locale: at.event.locale }) as unknown as AnswerInput,
    ),
  )
  return goodRows('answers', attempts)
}

/** Reads a position of an order that is created or added to; throws 400 with messages by field. */
export function readPosition(body: unknown, at: EventScope): PositionInput {
  const row = readAttendee(positionInput, body, false, at)
  return {
    ...row,
    price: row.price === null ? null : hundredths(String(row.price)),
  } as unknown as PositionInput
}

/** The names of the fields that are about a position's person and times. */
export const attendeeFields: readonly string[] = Object.keys(attendeeInput)
