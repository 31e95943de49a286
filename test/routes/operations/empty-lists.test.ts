import assert from 'node:assert/strict'
import { addToken, startTestServer, type TestServer } from '../../support/servers/servers.ts'

const rights = ['can_change_orders', 'can_change_event_settings', 'can_change_organizer_settings'] as const

describe('lists of what there is not', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
    const { organizer, running } = server
    await running.transactions.write(async (tx) => {
      for (const right of rights) await addToken(tx, organizer, right, { all_events: true, [right]: true })
    })
  })
  after(() => server.close())

  const empty = { count: 0, next: null, previous: null, results: [] }

  for (const [path, needed] of [['events/gala/shredders', 'can_change_orders']] as const) {
    it(`are empty pages, so that programs go on: ${path}`, async () => {
      const { status, body } = await server.call('GET', `${server.org}/${path}/`)
      assert.deepEqual([status, body], [200, empty])
    })

    it(`are shown with ${needed} and no other right: ${path}`, async () => {
      for (const right of [...rights, 'no']) {
        const headers = { Authorization: `Token ${right}` }
        const { status } = await server.call('GET', `${server.org}/${path}/`, undefined, headers)
        assert.equal(status, right === 'no' ? 401 : right === needed ? 200 : 403, right)
      }
    })
  }
})
