import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import { addEvent, addOrganizer } from '../support/servers/servers.ts'
import { addGate, addList, addSubevent } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

describe("a station's first start", () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
  })
  afterEach(() => desk.close())

  const state = async () => (await desk.call('GET', '/api/v1/station/')).body

  it('says that it is not ready, and scans and undoes nothing', async () => {
    const body = await state()
    assert.deepEqual(
      { ...body, version: typeof body.version },
      { ready: false, version: 'string', settings: null, counts: null, scanners: [], is_kiosk: false },
    )
    await desk.sell('early')
    const scanned = await desk.scan('early')
    assert.equal(scanned.status, 409)
    assert.deepEqual(Object.keys(scanned.body), ['detail'])
    const undone = await desk.call('POST', '/api/v1/station/undo/', { nonce: 'x' })
    assert.equal(undone.status, 409)
    assert.deepEqual(await desk.transactions.database.all(sql`SELECT id FROM checkin`), [])
  })

  it('says whether it may sell, by the profile that it was given', async () => {
    const sells = async () => (await desk.call('GET', '/api/v1/station/choices/')).body.sells
    assert.equal(await sells(), true)
    await desk.transactions.database.run(
      sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end, with_orders, state, settings)
          VALUES (1, 'http://127.0.0.1:9', ${desk.place.organizer}, 'acme', 1, 'Here', 'pretixscan', 't', 'station', 40, 50, 1, 'following', '{}')`,
    )
    assert.equal(await sells(), false)
    await desk.transactions.database.run(sql`UPDATE upstream SET security_profile = 'pretixpos'`)
    assert.equal(await sells(), true)
  })

  it('judges a code that was refused for want of a set-up as soon as it is set up', async () => {
    await desk.sell('impatient')
    assert.equal((await desk.scan('impatient')).status, 409)
    await desk.setUp()
    assert.deepEqual((await desk.scan('impatient')).body.status, 'ok')
  })

  it('offers organizers, their events with lists, and gates', async () => {
    const { organizer } = desk.place
    await desk.transactions.write(async (tx) => {
      await addOrganizer(tx, 'zeta')
      const series = {
        organizer,
        event: await addEvent(tx, organizer, 'series', { date_from: '2031-01-01T00:00:00Z' }),
      }
      const friday = await addSubevent(tx, series, 'Friday')
      await addList(tx, series, 'Any day')
      await addList(tx, series, 'Friday only', { subevent: friday })
    })
    const { organizers, sells } = (await desk.call('GET', '/api/v1/station/choices/')).body as {
      sells: boolean
      organizers: { slug: string; gates: RowData[]; events: (RowData & { lists: RowData[] })[] }[]
    }
    assert.deepEqual(
      organizers.map((one) => one.slug),
      ['acme', 'zeta'],
    )
    assert.equal(sells, true)
    assert.deepEqual(organizers[0]?.gates, [{ id: desk.gate, name: 'North' }])
    assert.deepEqual(
      organizers[0]?.events.map((event) => event.slug),
      ['series', 'gala'],
    )
    assert.deepEqual(
      organizers[0]?.events[0]?.lists.map((list) => [list.name, list.subevent_name]),
      [
        ['Any day', null],
        ['Friday only', { en: 'Friday' }],
      ],
    )
    assert.deepEqual(organizers[0]?.events[1], {
      slug: 'gala',
      name: { en: 'gala' },
      date_from: '2030-06-01T10:00:00Z',
      timezone: 'Europe/Berlin',
      lists: [{ id: desk.list, name: 'Main', subevent: null, subevent_name: null }],
    })
  })

  it('is done by choosing an event, a list, a direction and a gate', async () => {
    await desk.sell('counted')
    const answer = await desk.setUp({ name: 'Tower', locale: 'de', sound: false, camera: true })
    assert.equal(answer.status, 200)
    const { settings, counts, ready } = answer.body as { settings: RowData; counts: RowData; ready: boolean }
    assert.equal(ready, true)
    assert.deepEqual(counts, { checkin_count: 0, position_count: 1, inside_count: 0 })
    const expected = {
      organizer: 'acme',
      event: 'gala',
      event_name: 'gala',
      list: desk.list,
      list_name: 'Main',
      direction: 'entry',
      gate: desk.gate,
      gate_name: 'North',
      name: 'Tower',
      locale: 'de',
      sound: false,
      camera: true,
      timezone: 'Europe/Berlin',
    }
    assert.deepEqual({ ...settings, ...expected }, settings)
    assert.deepEqual(await state(), answer.body)
  })

  it('makes the station a device of the organizer, once', async () => {
    const devices = () =>
      desk.transactions.database.all<{ id: number; name: string; gate: number | null }>(
        sql`SELECT id, name, gate FROM device`,
      )
    await desk.setUp({ name: 'Tower' })
    const [device] = await devices()
    await desk.setUp({ name: 'Bridge', gate: null, direction: 'exit' })
    assert.deepEqual(
      (await devices()).map((row) => ({ ...row })),
      [{ id: device?.id, name: 'Bridge', gate: null }],
    )
    await desk.sell('of the device')
    await desk.scan('of the device')
    const scan = await desk.transactions.database.get<{ device: number; type: string }>(
      sql`SELECT device, "type" AS type FROM checkin`,
    )
    assert.deepEqual(scan && { ...scan }, { device: device?.id, type: 'exit' })
  })

  it('keeps what a later choice does not mention', async () => {
    await desk.setUp({ name: 'Tower', locale: 'de', sound: false, camera: true })
    const { settings } = (await desk.setUp({ direction: 'exit' })).body as { settings: RowData }
    assert.deepEqual(
      [settings.name, settings.locale, settings.sound, settings.camera],
      ['Tower', 'de', false, true],
    )
  })

  it('knows in which country its till is, until somebody says otherwise', async () => {
    const country = async () => ((await state()).settings as { country?: string | null }).country
    await desk.setUp()
    assert.equal(await country(), null)
    await desk.setUp({ country: 'AT' })
    await desk.setUp({ name: 'Bar' })
    assert.equal(await country(), 'AT')
    await desk.setUp({ country: '' })
    assert.equal(await country(), null)
  })

  it('refuses what does not exist or does not belong together, on its field', async () => {
    const foreign = await desk.transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'zeta')
      const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
      return { list: await addList(tx, place, 'Zeta'), gate: await addGate(tx, organizer, 'Zeta') }
    })
    for (const [field, value] of [
      ['organizer', 'nobody'],
      ['organizer', 5],
      ['event', 'nowhere'],
      ['list', foreign.list],
      ['list', 999999],
      ['list', 'Main'],
      ['direction', 'around'],
      ['gate', foreign.gate],
      ['gate', 'North'],
      ['locale', 'tlh'],
      ['sound', 'loud'],
      ['name', 'x'.repeat(191)],
      ['country', 'XX'],
      ['country', 'Austria'],
    ] as const) {
      const answer = await desk.setUp({ [field]: value })
      assert.equal(answer.status, 400, field)
      assert.deepEqual(Object.keys(answer.body), [field === 'event' ? 'list' : field])
    }
    for (const body of [null, [], 'x', 5, {}]) {
      const answer = await desk.call('PUT', '/api/v1/station/settings/', JSON.stringify(body))
      assert.equal(answer.status, 400, JSON.stringify(body))
    }
    assert.equal((await state()).ready, false)
  })

  it('says that it is not ready any more when its list is gone', async () => {
    await desk.setUp()
    await desk.transactions.database.run(sql`DELETE FROM checkin_list WHERE id = ${desk.list}`)
    const body = await state()
    assert.deepEqual([body.ready, body.settings, body.counts], [false, null, null])
    assert.equal((await desk.scan('anything')).status, 409)
  })

  it('remembers the names of its scanners', async () => {
    const scanners = [{ name: 'Voyager', connected: true }]
    assert.equal((await desk.call('PUT', '/api/v1/station/scanners/', scanners)).status, 204)
    assert.deepEqual((await state()).scanners, scanners)
    for (const bad of [
      null,
      {},
      [{ name: 5, connected: true }],
      [{ name: 'x' }],
      Array(51).fill(scanners[0]),
    ])
      assert.equal(
        (await desk.call('PUT', '/api/v1/station/scanners/', JSON.stringify(bad))).status,
        400,
        JSON.stringify(bad),
      )
    assert.deepEqual((await state()).scanners, scanners)
  })
})
