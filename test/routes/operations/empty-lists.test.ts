import assert from 'node:assert/strict'
import { addToken, startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('lists of what there is not', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
    const { organizer, running } = server
    await running.transactions.write((tx) => addToken(tx, organizer, 'reader', { all_events: true }))
  })
  after(() => server.close())

  const empty = { count: 0, next: null, previous: null, results: [] }

  for (const [path, forReader] of [
    ['scheduled_exports', 403],
    ['bankimportjobs', 403],
    ['events/gala/scheduled_exports', 403],
    ['events/gala/bankimportjobs', 403],
    ['events/gala/shredders', 403],
  ] as const)
    it(`are empty pages, so that programs go on: ${path}`, async () => {
      const address = `${server.org}/${path}/`
      const { status, body } = await server.call('GET', address)
      assert.deepEqual([status, body], [200, empty])
      const reader = await server.call('GET', address, undefined, { Authorization: 'Token reader' })
      assert.equal(reader.status, forReader)
      assert.equal((await server.call('GET', address, undefined, { Authorization: 'Token no' })).status, 401)
    })
})
