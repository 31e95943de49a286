/** What one of them answers. */
export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** What is asked of both servers. */
export interface Asked {
  readonly method: string
  /** Path and query, below the organizer. */
  readonly path: string
  readonly body?: unknown
  /** What the reference has answered, where that is known. */
  readonly theirs?: Answered
}

/** A server that can be asked; `path` begins with `/api/v1/`. */
export type Ask = (method: string, path: string, body?: unknown, authorization?: string) => Promise<Answered>

/** A file that is sent as it is. */
export interface SentFile {
  readonly fileType: string
  readonly fileName: string
  readonly base64: string
}

const isFile = (body: unknown): body is SentFile =>
  typeof body === 'object' && body !== null && 'base64' in body

/** The headers and the bytes of a body. */
function sent(body: unknown): Pick<RequestInit, 'headers' | 'body'> {
  if (body === undefined) return { headers: {} }
  if (!isFile(body)) return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return {
    headers: {
      'Content-Type': body.fileType,
      'Content-Disposition': `attachment; filename="${body.fileName}"`,
    },
    body: Buffer.from(body.base64, 'base64'),
  }
}

/** Asks the server at an address with a token, over connections that stay open. */
export function asking(url: string, token: string): Ask {
  return async (method, path, body, authorization = `Token ${token}`) => {
    const request = sent(body)
    const answer = await fetch(url + path, {
      ...request,
      method,
      headers: { Authorization: authorization, ...request.headers },
      redirect: 'manual',
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : '' }
  }
}
