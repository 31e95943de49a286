import assert from 'node:assert/strict'
import { realEnv } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import { type Running, startServer } from '../../server/serve.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'

describe('the age of a list', () => {
  let running: Running
  let now = Date.parse('2030-01-01T10:00:00.000Z')
  const path = '/api/v1/organizers/acme/events/gala'

  before(async () => {
    const env = { ...realEnv, now: () => now }
    const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null }
    running = await startServer(config, env, silentLog)
    await running.transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'acme')
      await addToken(tx, organizer, 'all', allRights)
      await addEvent(tx, organizer, 'gala')
    })
  })
  after(() => running.close())

  const call = async (
    method: string,
    part: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fetch(`${running.url}${path}/${part}`, {
      method,
      headers: { Authorization: 'Token all', 'Content-Type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      changed: answer.headers.get('last-modified'),
      /** As a server says it whose clock is that of the test. */
      date: new Date(Math.floor(now / 1000) * 1000).toUTCString(),
      id: text.startsWith('{') ? JSON.parse(text).id : undefined,
    }
  }
  const at = (time: string): void => {
    now = Date.parse(`2030-01-01T${time}Z`)
  }
  const changed = async (part: string) => (await call('GET', part)).changed

  it('is not given before anything has happened', async () => assert.equal(await changed('items/'), null))

  it('is the first second after the last change, once that has begun', async () => {
    at('10:00:05.400')
    const { id } = await call('POST', 'items/', { name: 'T', default_price: '1' })
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:00:05 GMT')
    at('10:00:06.000')
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:00:06 GMT')
    at('10:01:00.000')
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:00:06 GMT')
    const seen = { 'If-Modified-Since': 'Tue, 01 Jan 2030 10:00:06 GMT' }
    assert.equal((await call('GET', 'items/', undefined, seen)).status, 304)
    await call('PATCH', `items/${id}/`, { default_price: '2' })
    assert.equal((await call('GET', 'items/', undefined, seen)).status, 200)
    at('10:01:01.000')
    assert.equal((await call('GET', 'items/', undefined, seen)).status, 200)
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:01:01 GMT')
  })

  it('counts what is shown inside of a row, and deletions', async () => {
    at('10:02:00.000')
    const { id } = await call('POST', 'items/', {
      name: 'T',
      default_price: '1',
      variations: [{ value: 'A' }],
    })
    at('10:03:00.000')
    const form = await call('POST', `items/${id}/variations/`, { value: 'B' })
    at('10:04:00.000')
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:03:01 GMT')
    await call('DELETE', `items/${id}/variations/${form.id}/`)
    at('10:05:00.000')
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:04:01 GMT')
    await call('DELETE', `items/${id}/`)
    at('10:06:00.000')
    assert.equal(await changed('items/'), 'Tue, 01 Jan 2030 10:05:01 GMT')
  })

  it('counts what a deletion elsewhere has changed', async () => {
    const item = await call('POST', 'items/', { name: 'T', default_price: '1' })
    await call('POST', 'quotas/', { name: 'Q', size: 1, items: [item.id] })
    at('10:07:00.000')
    await call('DELETE', `items/${item.id}/`)
    at('10:08:00.000')
    assert.equal(await changed('quotas/'), 'Tue, 01 Jan 2030 10:07:01 GMT')
    assert.equal(await changed('categories/'), null)
  })

  const bodies: Readonly<Record<string, object>> = {
    'categories/': { name: 'One' },
    'items/': { name: 'One', default_price: '1' },
    'questions/': { question: 'One?', type: 'S', items: [] },
    'quotas/': { name: 'One', size: 1 },
    'taxrules/': { name: 'One', rate: '1' },
  }
  for (const [part, body] of Object.entries(bodies))
    it(`shows ${part} anew that changed in the second of an answer, by its date and by that of the list`, async () => {
      at('11:00:00.000')
      const item = await call('POST', 'items/', bodies['items/'])
      const whole = part === 'quotas/' ? { ...body, items: [item.id] } : body
      await call('POST', part, whole)
      at('11:00:01.100')
      const seen = await call('GET', part)
      const asked = async (since: string | null) =>
        (await call('GET', part, undefined, { 'If-Modified-Since': String(since) })).status
      at('11:00:01.300')
      assert.equal((await call('POST', part, whole)).status, 201)
      for (const moment of ['11:00:01.900', '11:00:02.000', '11:30:00.000']) {
        at(moment)
        assert.deepEqual([await asked(seen.changed), await asked(seen.date)], [200, 200], moment)
      }
      const { changed: known } = await call('GET', part)
      assert.equal(await asked(known), 304)
    })
})
