import { sentFactSchema } from '../../../schema/bodies/sync.ts'
import { kibibyte } from '../../../schema/body-limits.ts'
import { type FactResult, largestFact, largestOrderFact, type SentFact } from '../../../schema/sync.ts'
import { isUnstorable } from '../../domain/text/storable.ts'
import { ajv } from '../../resource/input.ts'

const isFact = ajv.compile<SentFact>(sentFactSchema)

/** How many characters a text has at most, but in an order: those of its answers are as long as they were sold. */
const longestText = 64 * kibibyte

const isLong = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length > longestText
    : typeof value === 'object' && value !== null && Object.values(value).some(isLong)

const tooLarge: Omit<FactResult, 'nonce'> = {
  status: 'rejected',
  reason: 'too_large',
  detail: 'It is larger than what is stored of such a thing. Ask the person in charge.',
}

/** A fact as it was sent, or why it is none. */
export function readFact(given: unknown): SentFact | FactResult {
  const nonce = nonceOf(given)
  const refuse = (detail: string): FactResult => ({ nonce, status: 'rejected', reason: 'malformed', detail })
  if (isUnstorable(given)) return refuse('It holds characters or levels that cannot be stored.')
  if (!isFact(given)) {
    const [first] = isFact.errors ?? []
    return refuse(`${first?.instancePath || 'The fact'} ${first?.message ?? 'is not valid'}`)
  }
  const most = given.kind === 'order' ? largestOrderFact : largestFact
  const isLarge = Buffer.byteLength(JSON.stringify(given)) > most
  if (isLarge || (given.kind !== 'order' && isLong(given))) return { nonce, ...tooLarge }
  return given
}

/** By what a sender knows the fact, however broken the rest is; text that can be stored and answered. */
function nonceOf(given: unknown): string {
  const nonce = typeof given === 'object' && given !== null && 'nonce' in given ? given.nonce : ''
  return typeof nonce === 'string' ? nonce.toWellFormed().slice(0, 100) : ''
}
