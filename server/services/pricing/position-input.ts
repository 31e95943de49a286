import { answerInput, attendeeInput, positionInput } from '../../../schema/bodies/order-create.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { addressProblems } from '../../domain/text/addresses.ts'
import { hasKnownPart, partsFromName, withScheme } from '../../domain/text/names.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { hundredths } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { attempt, goodRows, refuseIfAny } from '../input/attempts.ts'
import type { OrderScope } from './order-draft.ts'

/** An answer as a request gives it. */
export interface AnswerInput {
  readonly question: number
  readonly answer: unknown
  readonly options: readonly number[]
}

/** What a request says of the person and the times of a position; fields that were not sent are missing. */
type AttendeeInput = Partial<{
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

/** A name as a request gives it: whole, or in parts. */
interface GivenName {
  readonly whole: string | null | undefined
  readonly parts: Readonly<Record<string, string>> | null | undefined
}

/** The parts of a name that was given whole or in parts; throws 400 when it was given both ways or in unknown parts. */
export function readName(
  { whole, parts }: GivenName,
  field: 'name' | 'attendee_name',
  scheme: string,
): Record<string, string> | undefined {
  if (whole && parts && Object.keys(parts).length > 0)
    throw invalid({ [field]: [`Give either ${field} or ${field}_parts, not both.`] })
  if (whole) return partsFromName(whole)
  if (parts) {
    refuseUnknownParts(`${field}_parts`, parts)
    return withScheme(parts, scheme)
  }
  return whole === undefined && parts === undefined ? undefined : {}
}

/** The fields of a body that was read as they were sent, with the name in parts and the answers of their shape. */
export type WithAttendee<T> = Omit<T, 'attendee_name' | 'attendee_name_parts' | 'answers'> &
  Pick<AttendeeInput, 'attendee_name_parts' | 'answers'>

/** The body of a position, in which some blank texts stand for nothing. */
export const positionBody = (body: unknown): unknown =>
  withoutBlanks(body, ['attendee_email', 'seat', 'voucher'])

/** Holds what was read of a position's attendee and times against each other; throws 400 with messages by field. */
export function withAttendee<T extends Partial<RowOf<typeof attendeeInput>>>(
  row: T,
  at: OrderScope,
): WithAttendee<T> {
  const errors: FieldErrors = addressProblems(row.country, row.state)
  if (row.valid_from && row.valid_until && row.valid_until < row.valid_from)
    errors.valid_until = ['The end has to be after the beginning.']
  refuseIfAny(errors)
  const { attendee_name: whole, attendee_name_parts: given, answers, ...rest } = row
  const parts = readName({ whole, parts: given }, 'attendee_name', at.event.nameScheme)
  return {
    ...rest,
    ...(answers === undefined ? {} : { answers: readAnswerInputs(answers, at) }),
    ...(parts === undefined ? {} : { attendee_name_parts: parts }),
  }
}

/** Reads the answers of a position; throws 400 with messages aligned with them. */
export const readAnswerInputs = (
  bodies: readonly unknown[],
  { event: { locale } }: OrderScope,
): AnswerInput[] =>
  goodRows(
    'answers',
    bodies.map((body) => attempt(() => readBody(answerInput, body, { partial: false, locale }))),
  )

/** Reads a position of an order that is created; throws 400 with messages by field. */
export function readPosition(body: unknown, at: OrderScope): PositionInput {
  const sent = readBody(positionInput, positionBody(body), { partial: false, locale: at.event.locale })
  return wholePosition(withAttendee(sent, at))
}

/** A position that was read as a whole, its price in hundredths. */
export const wholePosition = <T extends WithAttendee<RowOf<typeof positionInput>>>(row: T) => ({
  ...row,
  price: row.price === null ? null : hundredths(row.price),
  answers: row.answers ?? [],
})

/** The names of the fields that are about a position's person and times. */
export const attendeeFields: readonly string[] = Object.keys(attendeeInput)
