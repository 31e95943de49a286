import type { Problem } from '../api/requests.ts'

const known = [
  'unknown',
  'used',
  'revoked',
  'refused',
  'stranger',
  'unreachable',
  'timeout',
  'no_address',
  'no_code',
  'incomplete',
  'newer',
] as const

/** Why a station was not admitted: what the server gave as the reason, or what became of the request itself. */
export interface PairingProblem {
  readonly kind: (typeof known)[number] | 'belongs' | 'silent' | 'other'
  /** The server's own words, or empty. */
  readonly detail: string
}

/** What stands in the way of a pairing. */
export function pairingProblem({ kind, status, detail, reason }: Problem): PairingProblem {
  const reported = known.find((one) => one === reason)
  if (reported) return { kind: reported, detail }
  if (status === 409) return { kind: 'belongs', detail }
  return { kind: kind === 'unreachable' ? 'silent' : 'other', detail }
}
