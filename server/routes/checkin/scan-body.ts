import { readInstant } from '../../../schema/instants.ts'
import { invalid } from '../../errors.ts'
import { check } from '../../resource/input.ts'
import type { RedeemInput } from '../../services/checkin/redeem-input.ts'

type Body = Readonly<Record<string, unknown>>

const flags = ['force', 'ignore_unpaid', 'questions_supported', 'canceled_supported', 'use_order_locale']
const words: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
])

/** A scanning request's body, checked; flags may be written as words. Throws 400 with messages by field. */
export function readPlain(body: unknown, schema: object): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid({ non_field_errors: ['Invalid data. Expected an object.'] })
  const sent: Record<string, unknown> = { ...body }
  for (const name of flags) if (words.has(sent[name])) sent[name] = words.get(sent[name])
  if (sent.type !== undefined && sent.type !== 'entry' && sent.type !== 'exit')
    throw invalid(['The type of a check-in is either "entry" or "exit".'])
  check(schema, sent)
  return sent
}

/** A moment of a body in stored form, null when it is not given; 400 when it is none. */
export function instantIn(body: Body, name: string): string | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  const instant = readInstant(String(value))
  if (instant === undefined)
    throw invalid({ [name]: ['Datetime has wrong format. Use ISO 8601, such as 2026-12-31T18:00:00Z.'] })
  return instant
}

/** What a scanning request asks for, with the defaults of its endpoint. Throws 400 with messages by field. */
export function readScan(
  sent: unknown,
  schema: object,
  given: Pick<RedeemInput, 'canceled_supported'> & {
    readonly code?: string
    readonly position?: number | null
  },
): RedeemInput & { readonly lists: readonly number[] } {
  const body = readPlain(sent, schema)
  const flag = (name: string, fallback: boolean): boolean => (body[name] as boolean | undefined) ?? fallback
  return {
    code: given.code ?? String(body.secret),
    position: given.position ?? null,
    lists: (body.lists as number[] | undefined) ?? [],
    type: body.type === 'exit' ? 'exit' : 'entry',
    at: instantIn(body, 'datetime'),
    force: flag('force', false),
    ignore_unpaid: flag('ignore_unpaid', false),
    questions_supported: flag('questions_supported', true),
    canceled_supported: flag('canceled_supported', given.canceled_supported),
    nonce: (body.nonce as string | null | undefined) || null,
    answers: (body.answers as Record<string, unknown> | null | undefined) ?? {},
    source_type: (body.source_type as string | undefined) ?? 'barcode',
    use_order_locale: flag('use_order_locale', false),
  }
}
