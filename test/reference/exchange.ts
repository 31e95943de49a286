/** What is asked of both servers. */
export interface Asked {
  readonly method: string
  /** Path and query, below the organizer. */
  readonly path: string
  readonly body?: unknown
}

/** What one of them answers. */
export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** A server that can be asked; `path` begins with `/api/v1/`. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>

/** Asks the server at an address with a token, over connections that stay open. */
export function asking(url: string, token: string): Ask {
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Token ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : '' }
  }
}
