import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('email rules', () => {
  let server: TestServer
  const ask = asking(() => server)
  const rules = (ev = server.ev) => `${ev}/sendmail_rules/`
  const make = (body: RowData, status = 201, ev = server.ev) =>
    ask('POST', rules(ev), status, { subject: 'Soon', template: 'Hello {name}', ...body })
  const scheduled = async (rule: RowData, ev = server.ev) =>
    resultsOf(await ask('GET', `${rules(ev)}${rule.id}/scheduled/`, 200))
  const absolute = { send_date: '2030-05-01T08:00:00Z' }
  const relative = { date_is_absolute: false, send_offset_days: 1, send_offset_time: '18:00' }

  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  it('need a date, or days and a time', async () => {
    for (const [body, status] of [
      [absolute, 201],
      [{}, 400],
      [{ send_date: null }, 400],
      [{ ...absolute, offset_is_after: true }, 400],
      [{ ...absolute, offset_to_event_end: false }, 400],
      [relative, 201],
      [{ ...relative, offset_is_after: true, offset_to_event_end: true }, 201],
      [{ ...relative, send_offset_days: 0, send_offset_time: '00:00' }, 201],
      [{ ...relative, send_offset_days: null }, 400],
      [{ ...relative, send_offset_time: null }, 400],
      [{ ...absolute, date_is_absolute: false }, 400],
      [{ ...absolute, all_products: false }, 400],
    ] as const) {
      const answer = await make(body, status)
      if (status === 400) assert.deepEqual(Object.keys(answer), ['non_field_errors'], JSON.stringify(body))
    }
  })

  it('can become relative, and absolute again', async () => {
    const path = `${rules()}${(await make(absolute)).id}/`
    assert.deepEqual(Object.keys(await ask('PATCH', path, 400, { date_is_absolute: false })), [
      'non_field_errors',
    ])
    const changed = await ask('PATCH', path, 200, { ...relative, offset_is_after: true })
    assert.deepEqual([changed.date_is_absolute, changed.offset_is_after], [false, true])
    assert.equal((await ask('PATCH', path, 200, { date_is_absolute: true })).send_date, absolute.send_date)
  })

  it('are chosen by whether their date is absolute, and deleted', async () => {
    const rule = await make(relative)
    const found = async (query: string) => valuesOf(await ask('GET', `${rules()}?${query}`, 200), 'id')
    assert.ok((await found('date_is_absolute=false')).includes(rule.id))
    assert.ok(!(await found('date_is_absolute=true')).includes(rule.id))
    await ask('DELETE', `${rules()}${rule.id}/`, 204)
    await ask('GET', `${rules()}${rule.id}/scheduled/`, 404)
  })

  it('say when they send, in the time zone of the event', async () => {
    // The event of the tests starts on 1 June 2030 at 10:00 in Berlin’s summer.
    assert.deepEqual(await scheduled(await make(relative)), [
      { subevent: null, datetime: '2030-05-31T16:00:00Z' },
    ])
    assert.deepEqual(await scheduled(await make(absolute)), [
      { subevent: null, datetime: absolute.send_date },
    ])
  })

  it('send for each date of a series', async () => {
    const tour = `${server.org}/events/tour`
    const start = { name: 'Tour', date_from: '2030-01-01T10:00:00Z' }
    await ask('POST', `${server.org}/events/`, 201, {
      ...start,
      slug: 'tour',
      has_subevents: true,
      timezone: 'Asia/Tokyo',
    })
    const rule = await make({ ...relative, offset_is_after: true }, 201, tour)
    assert.deepEqual(await scheduled(rule, tour), [])
    const late = await ask('POST', `${tour}/subevents/`, 201, {
      name: 'B',
      date_from: '2030-03-08T20:00:00Z',
    })
    const early = await ask('POST', `${tour}/subevents/`, 201, {
      name: 'A',
      date_from: '2030-03-01T10:00:00Z',
    })
    assert.deepEqual(await scheduled(rule, tour), [
      { subevent: early.id, datetime: '2030-03-02T09:00:00Z' },
      { subevent: late.id, datetime: '2030-03-10T09:00:00Z' },
    ])
  })

  it('name products of their own event', async () =>
    assert.deepEqual(
      Object.keys(await make({ ...absolute, all_products: false, limit_products: [999999999] }, 400)),
      ['limit_products'],
    ))
})
