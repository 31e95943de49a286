import type { XStatic } from 'typebox/schema'
import { type redeemBody, redeemOneBody } from '../../../schema/bodies/redeem.ts'
import { readInstant } from '../../../schema/instants.ts'
import type { Json } from '../../../schema/json-schema.ts'
import { invalid } from '../../errors.ts'
import { check, isObject, wrongInstant } from '../../resource/input.ts'
import type { RedeemInput } from '../../services/checkin/redeem-input.ts'

const flags = ['force', 'ignore_unpaid', 'questions_supported', 'canceled_supported', 'use_order_locale']
const words: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
])

/** A scanning request's body, checked; flags may be written as words. Throws 400 with messages by field. */
export function readPlain<const S extends Json>(body: unknown, schema: S): XStatic<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid({ non_field_errors: ['Invalid data. Expected an object.'] })
  const sent: Record<string, unknown> = { ...body }
  for (const name of flags) if (words.has(sent[name])) sent[name] = words.get(sent[name])
  check(schema, sent)
  return sent
}

/** The body of a request to redeem one position: its type may also be sent empty, and complaints about it are a list. */
export function readRedeemOne(body: unknown): XStatic<typeof redeemOneBody> {
  if (!isObject(body)) return readPlain(body, redeemOneBody)
  const type = body.type || 'entry'
  if (type !== 'entry' && type !== 'exit')
    throw invalid(['The type of a check-in is either "entry" or "exit".'])
  return readPlain({ ...body, type }, redeemOneBody)
}

/** A moment of a body in stored form, null when it is not given; 400 when it is none. */
export function instantIn(body: { readonly datetime?: string | null }): string | null {
  const { datetime } = body
  if (datetime === undefined || datetime === null) return null
  const instant = readInstant(datetime)
  if (instant === undefined) throw invalid({ datetime: [wrongInstant] })
  return instant
}

/** A scanning request's body, with or without a code and lists. */
type ScanBody = Partial<XStatic<typeof redeemBody>> & XStatic<typeof redeemOneBody>

/** What a scanning request asks for, with the defaults of its endpoint. Throws 400 with messages by field. */
export const readScan = (
  body: ScanBody,
  given: Pick<RedeemInput, 'canceled_supported'> & {
    readonly code: string
    readonly position?: number | null
  },
): RedeemInput => ({
  code: given.code,
  position: given.position ?? null,
  type: body.type ?? 'entry',
  at: instantIn(body),
  force: body.force ?? false,
  ignore_unpaid: body.ignore_unpaid ?? false,
  questions_supported: body.questions_supported ?? true,
  canceled_supported: body.canceled_supported ?? given.canceled_supported,
  nonce: body.nonce || null,
  answers: { ...body.answers },
  source_type: body.source_type ?? 'barcode',
  use_order_locale: body.use_order_locale ?? false,
})
