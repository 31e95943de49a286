import { marksOf } from '../../../schema/fields.ts'
import { readInstant } from '../../../schema/instants.ts'
import { type Checkin, checkin } from '../../../schema/resources/checkin.ts'
import type { StoredAnswer } from '../../../schema/resources/order-position.ts'
import type { SentFact } from '../../../schema/sync.ts'
import type { RowData } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { check } from '../../resource/input.ts'
import { storedFields } from '../../resource/store.ts'
import { answersSchema } from './answers.ts'

/** A check-in with everything that is stored of it. */
export interface ToldCheckin extends Checkin {
  readonly nonce: string | null
  readonly forced: boolean
  readonly force_sent: boolean
  readonly raw_barcode: string | null
  readonly ordinal: number | null
}

/** What a fact about a check-in says. */
export interface CheckinPayload {
  readonly row: ToldCheckin
  /** The code of the ticket that it was decided for. */
  readonly secret: string | null
  /** Nothing but the signature of the code was known where it was decided. */
  readonly isBySignature: boolean
  /** Answers given with it where there was no ticket to keep them at. */
  readonly answers: readonly StoredAnswer[]
}

const fields = storedFields(checkin)

const schema = {
  type: 'object',
  required: ['row'],
  properties: {
    row: {
      type: 'object',
      required: ['id', 'list', 'type', 'datetime', 'created', 'successful'],
      properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field }])),
    },
    secret: { type: ['string', 'null'], maxLength: 1024 },
    by_signature: { type: 'boolean' },
    answers: answersSchema,
  },
} as const

interface Sent {
  readonly row: RowData
  readonly secret?: string | null
  readonly by_signature?: boolean
  readonly answers?: readonly StoredAnswer[]
}

/** Moments in the form they are stored in, whichever way they were written. */
const settledMoments = (row: RowData): RowData =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const field = fields[name]
      const isMoment = field !== undefined && marksOf(field).kind === 'datetime'
      return [name, isMoment && typeof value === 'string' ? (readInstant(value) ?? value) : value]
    }),
  )

const isObject = (value: unknown): value is RowData => typeof value === 'object' && value !== null

/** Reads what a fact says about a check-in; throws 400 where it makes no sense. */
export function readCheckin(fact: SentFact): CheckinPayload {
  const sent = fact.payload
  const payload = isObject(sent) && isObject(sent.row) ? { ...sent, row: settledMoments(sent.row) } : sent
  check(schema, payload)
  const { row, secret, by_signature, answers } = payload as Sent
  const known = Object.fromEntries(Object.entries(row).filter(([name]) => name in fields))
  return {
    row: { ...blankRow(checkin), ...known } as unknown as ToldCheckin,
    secret: secret ?? null,
    isBySignature: by_signature === true,
    answers: answers ?? [],
  }
}
