import type { StoredRow } from '../../../schema/resource.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { check } from '../../resource/input.ts'
import { answersSchema } from './answers.ts'
import { reportedRows } from './reported-row.ts'

/** A check-in with everything that is stored of it. */
export type ReportedCheckin = StoredRow<typeof checkin>

/** What a fact about a check-in says. */
interface CheckinPayload {
  readonly row: ReportedCheckin
  /** The code of the ticket that it was decided for. */
  readonly secret: string | null
  /** Nothing but the signature of the code was known where it was decided. */
  readonly isBySignature: boolean
  /** Answers given with it where there was no ticket to keep them at. */
  readonly answers: readonly StoredAnswer[]
}

const readRow = reportedRows(checkin)

const schema = {
  type: 'object',
  required: ['row'],
  properties: {
    row: {
      type: 'object',
      // What is not said would be a success.
      required: ['successful'],
      properties: { successful: { type: 'boolean' } },
    },
    secret: { type: ['string', 'null'], maxLength: 1024 },
    by_signature: { type: 'boolean' },
    answers: answersSchema,
  },
} as const

interface Sent {
  readonly row: unknown
  readonly secret?: string | null
  readonly by_signature?: boolean
  readonly answers?: readonly StoredAnswer[]
}

/** Reads what a fact says about a check-in; throws 400 where it makes no sense. */
export function readCheckin({ payload }: SentFact): CheckinPayload {
  check(schema, payload)
  const { row, secret, by_signature, answers } = payload as Sent
  return {
    row: readRow(row),
    secret: secret ?? null,
    isBySignature: by_signature === true,
    answers: answers ?? [],
  }
}
