import { sentFactSchema } from '../../../schema/bodies/sync.ts'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import { isUnstorable } from '../../domain/text/storable.ts'
import { ajv } from '../../resource/input.ts'

const isFact = ajv.compile<SentFact>(sentFactSchema)

/** More than any order or answer needs. */
const largestPayload = 1024 * 1024

/** A fact as it was sent, or why it is none. */
export function readFact(given: unknown): SentFact | FactResult {
  const nonce = nonceOf(given)
  const refuse = (detail: string): FactResult => ({ nonce, status: 'rejected', reason: 'malformed', detail })
  if (isUnstorable(given)) return refuse('It holds characters or levels that cannot be stored.')
  if (!isFact(given)) {
    const [first] = isFact.errors ?? []
    return refuse(`${first?.instancePath || 'The fact'} ${first?.message ?? 'is not valid'}`)
  }
  if (JSON.stringify(given.payload).length > largestPayload) return refuse('It is too large.')
  return given
}

/** By what a sender knows the fact, however broken the rest is; text that can be stored and answered. */
function nonceOf(given: unknown): string {
  const nonce = typeof given === 'object' && given !== null && 'nonce' in given ? given.nonce : ''
  return typeof nonce === 'string' ? nonce.toWellFormed().slice(0, 100) : ''
}
