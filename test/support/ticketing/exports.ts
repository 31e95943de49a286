import assert from 'node:assert/strict'
import { assertDescribed } from '../servers/described.ts'
import type { TestServer } from '../servers/servers.ts'

/** What came of an export. */
interface Exported {
  readonly status: number
  readonly bytes: Buffer
  readonly text: string
  readonly headers: Headers
  /** The path at which it is. */
  readonly path: string
  /** What was answered while it was not there yet. */
  readonly meanwhile: readonly Readonly<Record<string, unknown>>[]
}

/** Asks for an export; the path at which it will be. */
export async function startExport(
  server: TestServer,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await server.call('POST', `${path}run/`, body, headers)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  const { download } = answer.body as { download: string }
  assert.ok(download.startsWith(`${server.url}${path}download/`), download)
  return download.slice(server.url.length)
}

/** Waits for an export that was asked for, asking again and again. */
export async function endOfExport(
  server: TestServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exported> {
  const meanwhile: Readonly<Record<string, unknown>>[] = []
  for (;;) {
    const answer = await fetch(server.url + path, { headers: { Authorization: 'Token all', ...headers } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { status } = answer
    const type = answer.headers.get('content-type')
    if (status !== 200)
      assertDescribed({ method: 'GET', path, status, type, body: JSON.parse(bytes.toString()) })
    if (answer.status !== 409)
      return {
        status: answer.status,
        bytes,
        text: bytes.toString(),
        headers: answer.headers,
        path,
        meanwhile,
      }
    assert.equal(answer.headers.get('retry-after'), '1')
    meanwhile.push(JSON.parse(bytes.toString()))
  }
}

/** Asks for an export and waits for its file. */
export async function exported(server: TestServer, path: string, body: unknown): Promise<Exported> {
  const result = await endOfExport(server, await startExport(server, path, body))
  assert.equal(result.status, 200, result.text)
  return result
}
