/** How a program is answered. */
export interface ProgramAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | null
  readonly headers: Readonly<Record<string, string>>
}

/** Headers of answers that nobody may keep. */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** A refusal in the form of the protocol (RFC 6749, 5.2). */
export const refusal = (status: number, error: string, description: string): ProgramAnswer => ({
  status,
  body: { error, error_description: description },
  headers: status === 401 ? { ...noStore, 'WWW-Authenticate': 'Basic realm="Gatehouse"' } : noStore,
})

/** 401: no application that we know, or not with this secret. */
export const badClient = (): ProgramAnswer =>
  refusal(401, 'invalid_client', 'The client id or the client secret is not right.')

/** 400: what was shown is worth nothing here; which of the reasons it is, the answer does not say. */
export const badGrant = (): ProgramAnswer =>
  refusal(
    400,
    'invalid_grant',
    'The code or refresh token is not valid any more, or belongs to another client.',
  )

/** A part of the header as it was before it was written like a field of a form (RFC 6749, 2.3.1); many do not do so. */
function unwritten(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The client id and secret of a header, or null where there is none that can be read. */
export function basicOf(authorization: string): [id: string, secret: string] | null {
  const basic = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1]
  if (basic === undefined) return null
  const text = Buffer.from(basic, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? null : [unwritten(text.slice(0, colon)), unwritten(text.slice(colon + 1))]
}

/** The client id and secret of a request: in the header, or else in the form. */
export const credentialsOf = (
  form: URLSearchParams,
  authorization: string,
): [id: string, secret: string | null] =>
  basicOf(authorization) ?? [form.get('client_id') ?? '', form.get('client_secret')]

/** A parameter that is sent twice means two things, and is refused before anything is made of it. */
export const repeatedParameter = (form: URLSearchParams): string | undefined =>
  [...form.keys()].find((name) => form.getAll(name).length > 1)
