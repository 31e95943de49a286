import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import type { TestServer } from './servers.ts'

/** Asks a server for something, expects a status, and gives the body. */
type Ask = (
  method: string,
  path: string,
  status: number,
  body?: unknown,
  authorization?: string,
) => Promise<RowData>

/** The way to ask a server that is started before the tests. */
export const asking =
  (server: () => TestServer): Ask =>
  async (method, path, status, body, authorization) => {
    const headers: Record<string, string> =
      authorization === undefined ? {} : { Authorization: authorization }
    const answer = await server().call(method, path, body, headers)
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as RowData
  }

/** The rows of a list's answer. */
export const resultsOf = (body: RowData): readonly RowData[] => body.results as readonly RowData[]

/** The values that the rows of a list's answer have in a field. */
export const valuesOf = (body: RowData, field: string): unknown[] => resultsOf(body).map((row) => row[field])
