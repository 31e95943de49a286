import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import type { Changes, SnapshotEnd, SnapshotFrame, SnapshotHead } from '../../../schema/sync.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

/** Adds a device to the server's organizer; what it signs in with is its name. */
export const addNode = (
  server: TestServer,
  number: number,
  token: string,
  values: RowData = {},
): Promise<number> =>
  server.running.transactions.write((tx) => addDevice(tx, server.organizer, number, token, values))

/** A node that asks a server as a device. */
interface AskingNode {
  get(path: string): Promise<{ status: number; body: RowData; headers: Headers }>
  post(path: string, body: unknown): Promise<{ status: number; body: RowData; headers: Headers }>
  changes(after: string, more?: string): Promise<Changes>
  snapshot(query?: string): Promise<Snapshot>
}

/** A whole snapshot, as it arrived. */
export interface Snapshot {
  readonly head: SnapshotHead
  readonly frames: readonly SnapshotFrame[]
  readonly end: SnapshotEnd | undefined
  /** All that was sent, unpacked. */
  readonly text: string
}

/** Takes a snapshot apart; a last line that is cut off is left out. */
export function readSnapshot(text: string): Snapshot {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))
  const [head, ...rest] = lines
  const last = rest.at(-1)
  const isWhole = typeof last === 'object' && last !== null && 'end' in last
  return {
    head: head as SnapshotHead,
    frames: (isWhole ? rest.slice(0, -1) : rest) as SnapshotFrame[],
    end: isWhole ? (last as SnapshotEnd) : undefined,
    text,
  }
}

/** Asks below `sync/` with a device's token. */
export function nodeOf(server: TestServer, token: string): AskingNode {
  const base = `${server.org}/sync/`
  const headers = { Authorization: `Device ${token}` }
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, base + path, body, headers)
    assert.equal(answer.headers.get('X-Gatehouse-Sync'), '1', path)
    return { ...answer, body: answer.body as RowData }
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    async changes(after, more = '') {
      const answer = await call('GET', `changes/?after=${encodeURIComponent(after)}${more}`)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as unknown as Changes
    },
    async snapshot(query = '') {
      const answer = await fetch(`${server.url}${base}snapshot/${query}`, { headers })
      assert.equal(answer.status, 200)
      return readSnapshot(await answer.text())
    },
  }
}

/** The bytes of an answer as they went over the wire, unpacked. */
export const unpacked = (bytes: Uint8Array): string => gunzipSync(bytes).toString('utf8')
