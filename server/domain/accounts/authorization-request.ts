/** What a program can be let do. */
const scopes = ['read', 'write', 'profile'] as const

export type OAuthScope = (typeof scopes)[number]

/** An application as far as the check of a request needs it. */
interface Applicant {
  readonly isPublic: boolean
  readonly redirectUris: readonly string[]
}

/** What a program asks for, checked. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  /** Whether the request named it, so that the exchange of the code has to as well. */
  readonly isRedirectNamed: boolean
  readonly scopes: readonly OAuthScope[]
  readonly state: string | undefined
  readonly challenge: string | undefined
  readonly isForced: boolean
}

/**
 * How a request is to be answered: with consent, with an error that the program is sent back with, or with one that only
 * the person may see, because the address to be sent back to is not known to be the program's.
 */
type CheckedRequest =
  | { readonly kind: 'asked'; readonly request: AuthorizationRequest }
  | {
      readonly kind: 'sent back'
      readonly redirectUri: string
      readonly error: string
      readonly description: string
      readonly state: string | undefined
    }
  | { readonly kind: 'stopped'; readonly why: 'redirect' | 'repeated' }

const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'approval_prompt',
  'code_challenge',
  'code_challenge_method',
]

const isScope = (word: string): word is OAuthScope => (scopes as readonly string[]).includes(word)

/** The scopes that a text names, each once, in our order; null where it names another. Reading, where none is named. */
export function scopesIn(text: string): OAuthScope[] | null {
  const words = text.split(' ').filter((word) => word !== '')
  if (!words.every(isScope)) return null
  return words.length === 0 ? ['read'] : scopes.filter((scope) => words.includes(scope))
}

/** Checks a request for authorization by RFC 6749, 7636 and 9700: exact address, no other flow than codes, S256 only. */
export function checkAuthorization(applicant: Applicant, query: URLSearchParams): CheckedRequest {
  if (known.some((name) => query.getAll(name).length > 1)) return { kind: 'stopped', why: 'repeated' }
  const named = query.get('redirect_uri')
  const redirectUri = named ?? applicant.redirectUris[0]
  if (redirectUri === undefined || !applicant.redirectUris.includes(redirectUri))
    return { kind: 'stopped', why: 'redirect' }
  const state = query.get('state') ?? undefined
  const back = (error: string, description: string): CheckedRequest => ({
    kind: 'sent back',
    redirectUri,
    error,
    description,
    state,
  })
  const type = query.get('response_type')
  if (type === null) return back('invalid_request', 'The response_type is missing.')
  if (type !== 'code') return back('unsupported_response_type', 'Only the response_type "code" is supported.')
  const wanted = scopesIn(query.get('scope') ?? '')
  if (!wanted) return back('invalid_scope', `The scopes are ${scopes.join(', ')}.`)
  const challenge = query.get('code_challenge') ?? undefined
  const method = query.get('code_challenge_method')
  if (challenge === undefined && (applicant.isPublic || method !== null))
    return back('invalid_request', 'A code_challenge is needed: this application has no secret.')
  if (challenge !== undefined && (method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)))
    return back('invalid_request', 'The code_challenge must be made with the method S256.')
  return {
    kind: 'asked',
    request: {
      redirectUri,
      isRedirectNamed: named !== null,
      scopes: wanted,
      state,
      challenge,
      isForced: query.get('approval_prompt') === 'force',
    },
  }
}
