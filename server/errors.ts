/** What a refusal says in its body. */
export type RefusalBody = Readonly<Record<string, unknown>> | readonly unknown[] | null

/** An answer other than success that the caller can understand and act on. */
export class Refusal extends Error {
  readonly status: number
  readonly body: RefusalBody
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: RefusalBody, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body))
    this.name = 'Refusal'
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Messages by field, as a refused body is answered. */
export type FieldErrors = Record<string, unknown>

/** 400 with messages by field, or a list of plain texts, or an object with a detail. */
export const invalid = (body: FieldErrors | readonly unknown[]): Refusal => new Refusal(400, body)

/** 400 for what concerns several fields together. */
export const contradictory = (...messages: readonly string[]): Refusal =>
  invalid({ non_field_errors: messages })

/** 400 from an action, with one sentence. */
export const impossible = (detail: string): Refusal => new Refusal(400, { detail })

/** 401: no credential, or one that is not valid. */
export const unauthenticated = (detail: string): Refusal =>
  new Refusal(401, { detail }, { 'WWW-Authenticate': 'Token' })

/** 403: not allowed, or not there: the two look the same. */
export const denied = (detail = 'You do not have permission to perform this action.'): Refusal =>
  new Refusal(403, { detail })

/** 404: no such object in a place the caller may look at. */
export const notFound = (detail = 'Not found.'): Refusal => new Refusal(404, { detail })

/** 405: the resource has no such operation. */
export const notAllowed = (method: string): Refusal =>
  new Refusal(405, { detail: `Method "${method}" not allowed.` })

/** 503: the organizer was moved to another server. Stations keep what they have to report, and ask again. */
export const movedAway = (place: string): Refusal =>
  new Refusal(
    503,
    {
      detail: `This organizer was moved to ${place} and is not served here any more. Go on there; stations keep everything until they reach it.`,
    },
    { 'Retry-After': '5' },
  )

/** 409: somebody else is changing the same thing; try again in a few seconds. */
export const busy = (detail = 'The data is being changed by someone else. Please try again.'): Refusal =>
  new Refusal(409, { detail }, { 'Retry-After': '5' })
