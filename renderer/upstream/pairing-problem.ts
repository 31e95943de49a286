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

/** Why a station was not let in: what the server gave as the reason, or what became of the request itself. */
export interface Obstacle {
  readonly kind: (typeof known)[number] | 'belongs' | 'silent' | 'other'
  /** The server's own words, or empty. */
  readonly detail: string
}

/** What stands in the way of a pairing. */
export function obstacleOf({ kind, status, detail, reason }: Problem): Obstacle {
  const told = known.find((one) => one === reason)
  if (told) return { kind: told, detail }
  if (status === 409) return { kind: 'belongs', detail }
  return { kind: kind === 'unreachable' ? 'silent' : 'other', detail }
}
