import assert from 'node:assert/strict'
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
import { IosApp } from './ios-app.ts'
import { iosDownloads } from './ios-contract.ts'

/** Profiles, and whether orders and a search are given with them. */
const profiles = [
  ['full', true, true],
  ['pretixscan', true, true],
  ['pretixscan_online_noorders', false, true],
  ['pretixscan_online_kiosk', false, false],
  ['pretixpos', true, true],
] as const

const scannedAt = new Date('2030-06-01T10:00:00.123Z')

describe('pretixSCAN for iOS', () => {
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
      for (const secret of ['paid', 'late', 'again', 'waits'])
        await addOrder(tx, place, [{ item: ticket, secret, attendee_name: `Ann ${secret}` }])
      for (const [profile] of profiles) await addOrder(tx, place, [{ item: ticket, secret: `of-${profile}` }])
      await addOrder(tx, place, [{ item: vip, variation: red, secret: 'asks' }])
      await addOrder(tx, place, [{ item: ticket, secret: 'pending' }], { status: 'n' })
      await addOrder(tx, place, [{ item: ticket, secret: 'gone' }], { status: 'c' })
      for (let index = 0; index < 60; index += 1)
        await addOrder(tx, place, [{ item: ticket, secret: `crowd${index}` }])
      await revoke(tx, place, 'revoked')
    })
    await ask('POST', `${server.ev}/categories/`, 201, { name: { en: 'Food' }, is_addon: true })
    await ask('PATCH', `${server.ev}/items/${ticket}/`, 200, { internal_name: 'Ticket' })
    await ask('PATCH', `${server.ev}/questions/${asked}/`, 200, { required: true })
    later += 5000
  })
  after(() => server.close())

  async function paired(security_profile: string, ask_?: typeof fetch): Promise<IosApp> {
    const body = { name: security_profile, all_events: true, security_profile }
    const device = await ask('POST', `${server.org}/devices/`, 201, body)
    const app = new IosApp(server.url, ask_)
    assert.equal(await app.initialize(String(device.initialization_token)), null)
    return app
  }

  it('is told why a code does not set it up', async () => {
    const said = await new IosApp(server.url).initialize('nothing')
    assert.ok(said, String(said))
  })

  for (const [profile, isOffline, searches] of profiles) {
    it(`sets itself up and finds its event and list as ${profile}`, async () => {
      const app = await paired(profile)
      assert.ok((await app.bump()) >= 40_120_001)
      await app.choose('gala', new Date(Date.now() - 8 * 3_600_000))
      assert.deepEqual(
        app.asked.map(({ name, kind }) => [name, kind]),
        ['events', 'series', 'dates', 'checkinlists'].map((name) => [name, 'data']),
      )
      assert.ok(app.rows('events').some(({ slug }) => slug === 'gala'))
      assert.deepEqual(
        app.rows('series').map(({ slug }) => slug),
        ['series'],
      )
    })

    it(`synchronises everything as ${profile}, and then only what has changed`, async () => {
      const app = await paired(profile)
      await app.choose('gala', new Date(0))
      assert.ok(await app.synchronise(isOffline))
      assert.equal(app.rows('orders').length, isOffline ? 72 : 0)
      assert.ok(await app.synchronise(isOffline))
      for (const { name, kind, rows } of app.asked) {
        const isConditional = iosDownloads.find((one) => one.name === name)?.isConditional
        if (isConditional) assert.equal(kind, name === 'subevents' ? 'data' : 'unchanged', name)
        if (name === 'orders') assert.ok(rows <= 1, String(rows))
      }
    })

    it(`scans with a connection as ${profile}, and reads what it shows of it`, async () => {
      const app = await paired(profile)
      await app.choose('gala', new Date(0))
      const first = await app.redeem(`of-${profile}`, list, { nonce: `first of ${profile}` })
      assert.ok(first.kind === 'data' && first.status === 201 && first.body.status === 'ok')
      const again = await app.redeem(`of-${profile}`, list, { nonce: `again of ${profile}` })
      assert.ok(again.kind === 'data' && again.status === 400)
      assert.equal(again.body.reason, 'already_redeemed')
      // Canceled orders are unpaid ones to a program that does not say that it knows the difference.
      for (const secret of ['pending', 'gone']) {
        const refused = await app.redeem(secret, list, { nonce: `${secret} of ${profile}` })
        assert.ok(refused.kind === 'data' && refused.body.reason === 'unpaid', secret)
      }
      assert.equal((await app.redeem('nobody', list, { nonce: 'n' })).kind, 'not found')
      const missing = await app.redeem('asks', list, { nonce: `asks of ${profile}` })
      assert.ok(missing.kind === 'data' && missing.body.status === 'incomplete')
      const found = await app.search('Ann', list)
      assert.equal(searches ? found.length : found, searches ? 4 : 'forbidden')
      assert.ok(Number((await app.status(list)).checkin_count) >= 1)
      const scan = { error_reason: 'invalid', raw_barcode: 'nobody', datetime: scannedAt.toISOString() }
      const failed = await app.failed(list, { ...scan, type: 'entry' })
      assert.ok(failed.kind === 'data' && failed.status === 201)
    })
  }

  it('answers what is asked at the door, and is let go on', async () => {
    const app = await paired('pretixscan')
    await app.choose('gala', new Date(0))
    const answers = { [asked]: 'True' }
    const got = await app.redeem('asks', list, { nonce: 'answered', answers })
    assert.ok(got.kind === 'data' && got.status === 201, JSON.stringify(got))
  })

  it('decides offline, uploads late with its nonces, and drops what nobody knows', async () => {
    const app = await paired('pretixscan')
    await app.choose('gala', new Date(0))
    await app.synchronise(true)
    for (const [secret, reason] of [
      ['late', 'ok'],
      ['late', 'already_redeemed'],
      ['pending', 'unpaid'],
      ['gone', 'canceled'],
      ['revoked', 'revoked'],
      ['nobody', 'invalid'],
    ] as const)
      assert.equal(app.decide(secret, list, scannedAt, `late ${secret}`), reason, secret)
    app.queue.push({ secret: 'unheard-of', list, body: { force: true, nonce: 'x', datetime: scannedAt } })
    // Sent twice, as after an answer that was lost.
    const [first] = app.queue
    assert.ok(first)
    app.queue.unshift(first)
    later += 5000
    assert.ok(await app.synchronise(true))
    assert.equal(app.queue.length, 0)
    assert.ok(await app.synchronise(true))
    const [own] = app
      .rows('orders')
      .flatMap(({ positions }) => positions as { secret: string; checkins: { datetime: string }[] }[])
      .filter(({ secret }) => secret === 'late')
    assert.deepEqual(
      own?.checkins.map(({ datetime }) => Date.parse(datetime)),
      [scannedAt.getTime()],
    )
    assert.equal(app.decide('late', list, scannedAt, 'once more'), 'already_redeemed')
  })

  for (const [status, headers] of [
    [429, { 'Retry-After': '7' }],
    [503, { 'Retry-After': '7' }],
    [500, {}],
  ] as const)
    it(`keeps what waits after ${status}, and uploads it later`, async () => {
      let isFailing = false
      const app = await paired('pretixscan', async (input, init) =>
        isFailing && init?.method === 'POST'
          ? new Response('{"detail":"later"}', { status, headers })
          : fetch(input, init),
      )
      await app.choose('gala', new Date(0))
      await app.synchronise(true)
      app.queue.push({
        secret: 'waits',
        list,
        body: { force: true, nonce: `waits ${status}`, datetime: scannedAt },
      })
      isFailing = true
      assert.equal(await app.synchronise(true), false)
      assert.equal(app.queue.length, 1)
      isFailing = false
      assert.ok(await app.synchronise(true))
      assert.equal(app.queue.length, 0)
    })

  it('hears 401 everywhere once it was revoked, and keeps what it could not upload', async () => {
    const app = await paired('pretixscan')
    await app.choose('gala', new Date(0))
    await app.synchronise(true)
    assert.equal(app.decide('again', list, scannedAt, 'revoked'), 'ok')
    const [newest] = resultsOf(await ask('GET', `${server.org}/devices/?ordering=-device_id`, 200))
    await ask('POST', `${server.org}/devices/${newest?.device_id}/revoke/`, 200, {})
    assert.equal(await app.synchronise(true), false)
    assert.deepEqual(
      app.asked.map(({ kind }) => kind),
      ['unauthorized'],
    )
    assert.equal((await app.redeem('again', list)).kind, 'unauthorized')
    assert.equal(await app.upload(), false)
    assert.equal(app.queue.length, 1)
  })
})
