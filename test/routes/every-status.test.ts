import assert from 'node:assert/strict'
import { type Described, description } from '../support/described.ts'
import { startTestServer, type TestServer } from '../support/servers.ts'

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Described
}

const routes: readonly Route[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as Described,
    })),
)

/** An address of a path at which there is nothing but the event itself. */
const addressOf = (path: string): string =>
  path
    .replace('{organizer}', 'acme')
    .replace('{event}', 'gala')
    .replace(/\{\w+\}/g, '999999999')

describe('every route of the description', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  const wrongOf = async (asked: readonly Route[], status: number, query: string): Promise<string[]> => {
    assert.ok(asked.length > 0)
    const wrong: string[] = []
    for (const { method, path } of asked) {
      const answer = await server.call(method, `${addressOf(path)}${query}`)
      if (answer.status !== status) wrong.push(`${method} ${path}: ${answer.status}`)
    }
    return wrong
  }

  it('refuses addresses that nothing can be looked for by', async () => {
    assert.deepEqual(await wrongOf(routes, 400, '?page=%00'), [])
  })

  it('answers 404 to a page that is not there, where it has pages', async () => {
    // What is below something that is not there has no pages either, and two lists need to be told more.
    const paged = routes.filter(
      ({ method, operation }) =>
        method === 'GET' &&
        operation.parameters?.some(({ name }) => name === 'page') &&
        operation.operationId !== 'checkin_search',
    )
    assert.ok(paged.length > 40)
    assert.deepEqual(await wrongOf(paged, 404, '?page=100000'), [])
  })

  it('takes no body of more than ten mebibytes', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) })
    const answer = await server.call('POST', `${server.ev}/categories/`, body)
    assert.equal(answer.status, 413)
  })
})
