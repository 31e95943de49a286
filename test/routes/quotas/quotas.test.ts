import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { asking } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('quotas', () => {
  let server: TestServer
  const ask = asking(() => server)
  const make = (body: RowData, status = 201, event = server.ev) =>
    ask('POST', `${event}/quotas/`, status, { name: 'Q', size: 5, ...body })
  const refused = async (answer: Promise<RowData>, key = 'non_field_errors') =>
    assert.deepEqual(Object.keys(await answer), [key])
  let plain: number
  let formed: number
  let forms: number[]

  before(async () => {
    server = await startTestServer()
    const items = `${server.ev}/items/`
    plain = Number((await ask('POST', items, 201, { name: 'Plain', default_price: '1' })).id)
    const row = await ask('POST', items, 201, {
      name: 'Formed',
      default_price: '1',
      variations: [{ value: 'A' }, { value: 'B' }],
    })
    formed = Number(row.id)
    forms = (row.variations as { id: number }[]).map(({ id }) => id)
  })
  after(() => server.close())

  it('limit items without variations, and others by some of their variations', async () => {
    const quota = await make({ items: [plain, formed], variations: [forms[1]], size: null })
    assert.deepEqual([quota.items, quota.variations, quota.size], [[plain, formed], [forms[1]], null])
  })

  it('refuse variations of items that they do not limit, and items without theirs', async () => {
    await refused(make({ items: [plain], variations: forms }, 400))
    await refused(make({ items: [plain, formed], variations: [] }, 400))
    await refused(make({ items: [], variations: [forms[0]] }, 400))
    const quota = await make({ items: [plain] })
    await refused(ask('PATCH', `${server.ev}/quotas/${quota.id}/`, 400, { items: [formed] }))
    await refused(ask('PATCH', `${server.ev}/quotas/${quota.id}/`, 400, { variations: forms }))
  })

  it('have no limit where no size is named, and none below zero', async () => {
    const unlimited = await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', items: [] })
    assert.equal(unlimited.size, null)
    await refused(make({ items: [], size: -1 }, 400), 'size')
    assert.equal((await make({ items: [], size: 0 })).size, 0)
  })

  it('belong to a date exactly in an event series', async () => {
    const series = `${server.org}/events/tour`
    await ask('POST', `${server.org}/events/`, 201, {
      name: 'Tour',
      slug: 'tour',
      date_from: '2030-01-01T10:00:00Z',
      has_subevents: true,
    })
    const date = await ask('POST', `${series}/subevents/`, 201, {
      name: 'A',
      date_from: '2030-01-01T10:00:00Z',
    })
    await refused(make({ items: [] }, 400, series))
    assert.equal((await make({ items: [], subevent: date.id }, 201, series)).subevent, date.id)
    await refused(make({ items: [], subevent: date.id }, 400), 'subevent')
    await refused(make({ items: [plain], subevent: date.id }, 400, series), 'items')
  })

  it('say in the audit trail who closed and opened them', async () => {
    const quota = await make({ items: [plain] })
    const path = `${server.ev}/quotas/${quota.id}/`
    await ask('PATCH', path, 200, { closed: true })
    await ask('PATCH', path, 200, { closed: true })
    await ask('PATCH', path, 200, { closed: false })
    const found = await server.running.transactions.database.all<{ action: string }>(
      sql`SELECT action FROM audit WHERE resource = 'quota' AND row_id = ${Number(quota.id)}`,
    )
    const words = found.map(({ action }) => action.replace('ticketsvc.event.quota.', ''))
    assert.deepEqual(words.sort(), ['added', 'changed', 'changed', 'closed', 'opened'])
  })
})
