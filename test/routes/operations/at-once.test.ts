import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { addToken, allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'

const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n))

for (const engine of engines)
  describe(`requests that arrive at once on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const statuses = async (
      method: string,
      path: string,
      bodies: readonly (RowData | undefined)[],
      token = 'all',
    ) => {
      const headers = { Authorization: `Token ${token}` }
      const answers = await Promise.all(bodies.map((body) => server.call(method, path, body, headers)))
      return answers.map(({ status }) => status).sort()
    }

    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    it('give every device a number of its own, without a gap', async () => {
      const path = `${server.org}/devices/`
      const created = await statuses(
        'POST',
        path,
        times(12, (n) => ({ name: `Door ${n}` })),
      )
      assert.deepEqual(created, Array(12).fill(201))
      const numbers = valuesOf(await ask('GET', path, 200), 'device_id')
      assert.deepEqual(
        numbers,
        times(12, (n) => n + 1),
      )
    })

    it('leave one of the last variations of an item', async () => {
      const item = await ask('POST', `${server.ev}/items/`, 201, {
        name: 'T',
        default_price: '1',
        variations: times(4, (n) => ({ value: `V${n}` })),
      })
      const path = `${server.ev}/items/${item.id}/variations/`
      const deleted = await Promise.all(
        (item.variations as RowData[]).map(({ id }) => server.call('DELETE', `${path}${id}/`)),
      )
      assert.deepEqual(deleted.map(({ status }) => status).sort(), [204, 204, 204, 403])
      assert.equal((await ask('GET', path, 200)).count, 1)
    })

    it('give an identifier and a slug away once', async () => {
      const question = { question: 'Q', type: 'S', items: [], identifier: 'once' }
      const asked = await statuses(
        'POST',
        `${server.ev}/questions/`,
        times(6, () => question),
      )
      assert.deepEqual(asked, [201, ...Array(5).fill(400)])
      const event = { name: 'E', slug: 'once', date_from: '2031-01-01T10:00:00Z' }
      const made = await statuses(
        'POST',
        `${server.org}/events/`,
        times(6, () => event),
      )
      assert.deepEqual(made, [201, ...Array(5).fill(400)])
    })

    it('let a team into every event that it makes', async () => {
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, 'maker', { ...allRights, all_events: false }),
      )
      const path = `${server.org}/events/`
      const bodies = times(8, (n) => ({ name: 'E', slug: `made-${n}`, date_from: '2031-01-01T10:00:00Z' }))
      assert.deepEqual(await statuses('POST', path, bodies, 'maker'), Array(8).fill(201))
      assert.equal((await ask('GET', path, 200, undefined, 'Token maker')).count, 8)
      const gone = await Promise.all(bodies.map(({ slug }) => server.call('DELETE', `${path}${slug}/`)))
      assert.deepEqual(
        gone.map(({ status }) => status),
        Array(8).fill(204),
      )
      const teams = (await ask('GET', `${server.org}/teams/`, 200)).results as RowData[]
      assert.deepEqual(teams.find(({ name }) => name === 'maker')?.limit_events, [])
    })

    it('take every item that is deleted off a list', async () => {
      const items = await Promise.all(
        times(6, () => ask('POST', `${server.ev}/items/`, 201, { name: 'T', default_price: '1' })),
      )
      const ids = items.map(({ id }) => id)
      const quota = await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', size: 1, items: ids })
      const deleted = await Promise.all(ids.map((id) => server.call('DELETE', `${server.ev}/items/${id}/`)))
      assert.ok(deleted.every(({ status }) => status === 204))
      assert.deepEqual((await ask('GET', `${server.ev}/quotas/${quota.id}/`, 200)).items, [])
    })
  })
