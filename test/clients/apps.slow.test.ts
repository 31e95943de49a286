import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/fields.ts'
import { event } from '../../schema/resources/events/event.ts'
import { realEnv } from '../../server/env.ts'
import { updateRow } from '../../server/resource/store.ts'
import { asking, resultsOf } from '../support/servers/asking.ts'
import { addEvent, startTestServer, type TestServer } from '../support/servers/servers.ts'
import {
  addItem,
  addList,
  addOrder,
  addQuestion,
  addSubevent,
  addVariation,
  revoke,
} from '../support/ticketing/tickets.ts'
import { type AppKind, downloads, scannedReads, scanReads } from './contract.ts'
import { readAs } from './reads.ts'
import { SynchronisedApp } from './synchronised-app.ts'

/** Profiles as they are chosen here, what an app is told, and what it synchronises by that. */
const profiles: readonly (readonly [string, string, readonly AppKind[]])[] = [
  ['full', 'full', ['scan', 'pos']],
  ['pretixscan', 'pretixscan', ['scan']],
  ['pretixscan_online_noorders', 'pretixscan_online_noorders', ['scan online']],
  ['pretixscan_online_kiosk', 'pretixscan_online_kiosk', ['scan online']],
  ['pretixpos', 'pretixpos', ['pos']],
  ['scan', 'pretixscan', ['scan']],
  ['kiosk', 'pretixscan_online_kiosk', ['scan online']],
  ['gate', 'pretixscan_online_kiosk', ['scan online']],
  ['boxoffice', 'pretixpos', ['pos']],
]

describe('an app that was written for pretix', () => {
  let server: TestServer
  let list: number
  let ticket: number
  let asked: number
  /** How far the server's clock is ahead: lists are compared by whole seconds. */
  let later = 0
  const ask = asking(() => server)

  before(async () => {
    server = await startTestServer(undefined, null, { env: { ...realEnv, now: () => realEnv.now() + later } })
    const { organizer } = server
    const place = { organizer, event: server.event }
    await server.running.transactions.write(async (tx) => {
      await updateRow(tx, event, { organizer, event: 0 }, { id: server.event, live: true })
      const series = {
        organizer,
        event: await addEvent(tx, organizer, 'series', { live: true, has_subevents: true }),
      }
      await addSubevent(tx, series, 'first')
      ticket = await addItem(tx, place, 'Ticket')
      const vip = await addItem(tx, place, 'VIP')
      const red = await addVariation(tx, place, vip, 'Red')
      asked = await addQuestion(tx, place, [vip], { ask_during_checkin: true })
      list = await addList(tx, place, 'Door')
      await addOrder(tx, place, [
        { item: ticket, secret: 'paid' },
        { item: ticket, secret: 'late' },
      ])
      await addOrder(tx, place, [{ item: vip, variation: red, secret: 'asks' }])
      await addOrder(tx, place, [{ item: ticket, secret: 'pending' }], { status: 'n' })
      await addOrder(tx, place, [{ item: ticket, secret: 'gone' }], { status: 'c' })
      for (let index = 0; index < 60; index += 1)
        await addOrder(tx, place, [{ item: ticket, secret: `crowd${index}` }])
      await revoke(tx, place, 'revoked')
    })
    await ask('POST', `${server.ev}/categories/`, 201, { name: { en: 'Food' } })
    await ask('POST', `${server.ev}/taxrules/`, 201, { name: { en: 'VAT' }, rate: '19.00' })
    await ask('POST', `${server.ev}/quotas/`, 201, { name: 'All', size: 100, items: [ticket] })
    await ask('POST', `${server.ev}/discounts/`, 201, { internal_name: 'Groups', condition_min_count: 5 })
    await ask('PATCH', `${server.ev}/items/${ticket}/`, 200, { internal_name: 'Ticket' })
    await ask('PATCH', `${server.ev}/questions/${asked}/`, 200, { required: true })
    await ask('PATCH', `${server.ev}/checkinlists/${list}/`, 200, { name: 'Main door' })
    later += 5000
  })
  after(() => server.close())

  async function paired(security_profile: string, ask_?: typeof fetch): Promise<SynchronisedApp> {
    const body = { name: security_profile, all_events: true, security_profile }
    const device = await ask('POST', `${server.org}/devices/`, 201, body)
    const app = new SynchronisedApp(server.url, ask_)
    await app.initialize(String(device.initialization_token))
    return app
  }

  for (const [profile, told, kinds] of profiles)
    for (const kind of kinds)
      it(`synchronises everything as ${profile}, as a ${kind} app, and then only what has changed`, async () => {
        const app = await paired(profile)
        assert.equal(app.profile, told)
        await app.synchronise(kind, 'gala')
        const wanted = downloads.filter((one) => one.kinds.includes(kind))
        assert.deepEqual(
          app.asked.map(({ name }) => name),
          wanted.map(({ name }) => name),
        )
        const missing = app.asked.filter(({ status }) => status !== 200).map(({ name }) => name)
        assert.deepEqual(
          missing.filter((name) => name !== 'cashiers'),
          [],
        )
        if (kind === 'scan') assert.ok(app.rows('orders').length >= 64)
        await app.synchronise(kind, 'gala')
        for (const { name, status, rows } of app.asked) {
          const since = downloads.find((one) => one.name === name)?.since
          if (since === 'header') assert.equal(status, 304, name)
          // What bears the very moment that is asked from comes once more.
          if (typeof since === 'object') assert.ok(rows <= 1, `${name}: ${rows}`)
        }
      })

  it('hears of a change by the next synchronisation', async () => {
    const app = await paired('pretixscan')
    await app.synchronise('scan', 'gala')
    await ask('PATCH', `${server.ev}/items/${ticket}/`, 200, { internal_name: 'Door ticket' })
    await ask('PATCH', `${server.ev}/checkinlists/${list}/`, 200, { include_pending: false, name: 'Door' })
    later += 5000
    await app.synchronise('scan', 'gala')
    const statusOf = (name: string) => app.asked.find((one) => one.name === name)?.status
    assert.deepEqual([statusOf('items'), statusOf('checkinlists'), statusOf('questions')], [200, 200, 304])
    assert.equal(app.rows('items').find(({ id }) => id === ticket)?.internal_name, 'Door ticket')
  })

  it('decides offline as the server does, and uploads late with its nonce', async () => {
    const app = await paired('pretixscan')
    await app.synchronise('scan', 'gala')
    for (const [secret, reason] of [
      ['late', 'ok'],
      ['pending', 'unpaid'],
      ['gone', 'canceled'],
      ['revoked', 'revoked'],
      ['nobody', 'invalid'],
    ] as const)
      assert.equal(app.decide(secret, list), reason, secret)
    const late = { nonce: 'nonce-of-late', datetime: '2030-06-01T10:00:00+00:00', force: true }
    for (const _ of ['first', 'repeated'] as const) {
      const got = await app.scan('late', list, late)
      assert.ok(got.kind === 'data' && got.status === 201)
      assert.equal(readAs(scanReads, got.body, 'answer').status, 'ok')
    }
    await app.synchronise('scan', 'gala')
    const own = app
      .rows('orders')
      .flatMap(({ positions }) => positions as JsonObject[])
      .find(({ secret }) => secret === 'late')
    assert.ok(own)
    assert.equal((own.checkins as unknown[]).length, 1)
    assert.equal(app.decide('late', list), 'already_redeemed')
    // What nobody can be told for any more is not sent for ever.
    const unknown = await app.scan('nobody', list, { ...late, nonce: 'of-nobody' })
    assert.ok(unknown.kind === 'data' && unknown.status === 404 && unknown.body.reason === 'invalid')
    const failed = await app.call(
      'POST',
      `organizers/acme/events/gala/checkinlists/${list}/failed_checkins/`,
      {
        ...{ datetime: '2030-06-01T10:00:00+00:00', raw_barcode: 'nobody', type: 'entry' },
        ...{ error_reason: 'invalid', nonce: 'failed-of-nobody' },
      },
    )
    assert.ok(failed.kind === 'data' && failed.status === 201)
  })

  it('reads what it shows of a scan with a connection, and what it is asked', async () => {
    const app = await paired('pretixscan_online_noorders')
    const got = await app.scan('paid', list, { nonce: 'n1' })
    assert.ok(got.kind === 'data')
    const answer = readAs(scanReads, got.body, 'answer')
    readAs(scannedReads, answer.position, 'position')
    readAs({ event: 'text', include_pending: 'flag' }, answer.list, 'list')
    const again = await app.scan('paid', list, { nonce: 'n2' })
    assert.ok(again.kind === 'data' && again.status === 400)
    assert.deepEqual([again.body.status, again.body.reason], ['error', 'already_redeemed'])
    const asked = await app.scan('asks', list, { nonce: 'n3' })
    assert.ok(asked.kind === 'data' && asked.body.status === 'incomplete')
    for (const question of asked.body.questions as unknown[])
      readAs(downloads.find(({ name }) => name === 'questions')?.fields ?? {}, question, 'question')
  })

  it('ends a synchronisation that fails, and goes on with the next where it was', async () => {
    let failing: number | null = null
    const app = await paired('pretixscan', async (input, init) =>
      failing !== null && String(input).includes('/orders/')
        ? new Response('{"detail":"later"}', { status: failing, headers: { 'Retry-After': '1' } })
        : fetch(input, init),
    )
    await app.synchronise('scan', 'gala')
    for (const status of [503, 429]) {
      failing = status
      await assert.rejects(app.synchronise('scan', 'gala'), /ends at orders/)
      failing = null
      await app.synchronise('scan', 'gala')
      assert.equal(app.asked.find(({ name }) => name === 'items')?.status, 304)
    }
  })

  it('wipes what it holds when it hears that it was revoked', async () => {
    const app = await paired('pretixscan')
    await app.synchronise('scan', 'gala')
    const [newest] = resultsOf(await ask('GET', `${server.org}/devices/?ordering=-device_id`, 200))
    await ask('POST', `${server.org}/devices/${newest?.device_id}/revoke/`, 200, {})
    await assert.rejects(app.synchronise('scan', 'gala'), /revoked/)
    assert.equal(app.held.size, 0)
  })

  it('is suggested an event whose name is a text', async () => {
    const app = await paired('pretixscan')
    const got = await app.call('GET', 'device/eventselection?current_event=nowhere')
    assert.ok(got.kind === 'data' && got.status === 200)
    readAs({ slug: 'text', name: 'text' }, got.body.event, 'event')
    readAs({ subevent: 'long?', checkinlist: 'long?' }, got.body, 'selection')
  })
})
