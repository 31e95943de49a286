import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Place } from '../../../server/resource/transactions.ts'
import { addEvent, addOrganizer } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder, addSubevent } from '../../support/ticketing/tickets.ts'
import { type Desk, openDesk } from '../desk.ts'

/** A station with a second list for VIPs at its event, and the hall of another event behind the same foyer. */
interface Foyer {
  readonly desk: Desk
  readonly vip: number
  readonly vipItem: number
  readonly hall: Place & { readonly list: number; readonly item: number }
}

async function openFoyer(): Promise<Foyer> {
  const desk = await openDesk()
  const { place, item, transactions } = desk
  const made = await transactions.write(async (tx) => {
    const vipItem = await addItem(tx, place, 'VIP')
    const vip = await addList(tx, place, 'VIP', { all_products: false, limit_products: [vipItem] })
    const hall = { organizer: place.organizer, event: await addEvent(tx, place.organizer, 'hall') }
    return {
      vip,
      vipItem,
      hall: { ...hall, item: await addItem(tx, hall, 'Seat'), list: await addList(tx, hall, 'Hall') },
    }
  })
  await transactions.database.run(
    sql`UPDATE checkin_list SET all_products = 0, limit_products = ${JSON.stringify([item])} WHERE id = ${desk.list}`,
  )
  return { desk, ...made }
}

describe('a station with several check-in lists', () => {
  let foyer: Foyer
  let desk: Desk
  beforeEach(async () => {
    foyer = await openFoyer()
    desk = foyer.desk
  })
  afterEach(() => desk.close())

  const all = () => [desk.list, foyer.vip, foyer.hall.list]
  const setUpAll = async () => {
    const answer = await desk.setUp({ lists: all() })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as { settings: RowData; counts: RowData }
  }
  const sellVip = (secret: string, more: RowData = {}) => desk.sell(secret, { item: foyer.vipItem, ...more })
  const sellHall = (secret: string, more: RowData = {}) =>
    desk.transactions.write(async (tx) =>
      Number((await addOrder(tx, foyer.hall, [{ item: foyer.hall.item, secret, ...more }])).positions[0]),
    )
  const scanned = async (code: string, more: RowData = {}) => {
    const { body } = await desk.scan(code, more)
    const list = body.list as { name: string; event: string }
    return [body.status, body.reason, list.name, list.event]
  }
  const state = async () =>
    (await desk.call('GET', '/api/v1/station/')).body as {
      ready: boolean
      settings: RowData & { missing_lists: string[] }
      counts: RowData
    }
  const search = async (text: string) => {
    const lists = all().map((id) => `list=${id}`)
    const path = `/api/v1/organizers/acme/checkinrpc/search/?${lists.join('&')}&search=${text}&ignore_status=true`
    return (await desk.call('GET', path)).body.results as RowData[]
  }

  it('says all of them, with their events', async () => {
    const { settings } = await setUpAll()
    assert.deepEqual(settings.lists, [
      { id: desk.list, name: 'Main', event: 'gala', event_name: 'gala' },
      { id: foyer.vip, name: 'VIP', event: 'gala', event_name: 'gala' },
      { id: foyer.hall.list, name: 'Hall', event: 'hall', event_name: 'hall' },
    ])
    assert.deepEqual([settings.list, settings.list_name, settings.missing_lists], [desk.list, 'Main', []])
  })

  it('admits each ticket on its own list, and says which', async () => {
    await setUpAll()
    await desk.sell('day')
    await sellVip('vip')
    await sellHall('seat')
    assert.deepEqual(await scanned('day'), ['ok', null, 'Main', 'gala'])
    assert.deepEqual(await scanned('vip'), ['ok', null, 'VIP', 'gala'])
    assert.deepEqual(await scanned('seat'), ['ok', null, 'Hall', 'hall'])
    desk.env.pass(10_000)
    assert.deepEqual(await scanned('seat'), ['error', 'already_redeemed', 'Hall', 'hall'])
  })

  it('admits what one list alone would have refused or not known', async () => {
    await desk.sell('day')
    await sellVip('vip')
    await sellHall('seat')
    await desk.setUp()
    assert.deepEqual(await scanned('vip'), ['error', 'product', 'Main', 'gala'])
    assert.deepEqual(await scanned('seat'), ['error', 'invalid', 'Main', 'gala'])
    await setUpAll()
    assert.deepEqual(await scanned('vip'), ['ok', null, 'VIP', 'gala'])
    assert.deepEqual(await scanned('seat'), ['ok', null, 'Hall', 'hall'])
  })

  it('keeps dates of a series apart', async () => {
    const dates = await desk.transactions.write(async (tx) => {
      const series = {
        organizer: desk.place.organizer,
        event: await addEvent(tx, desk.place.organizer, 'series'),
      }
      const item = await addItem(tx, series, 'Show')
      const friday = await addSubevent(tx, series, 'Friday')
      const saturday = await addSubevent(tx, series, 'Saturday')
      const sunday = await addSubevent(tx, series, 'Sunday')
      for (const [secret, subevent] of [
        ['fri', friday],
        ['sat', saturday],
        ['sun', sunday],
      ] as const)
        await addOrder(tx, series, [{ item, secret, subevent }])
      return [
        await addList(tx, series, 'Friday', { subevent: friday }),
        await addList(tx, series, 'Saturday', { subevent: saturday }),
      ]
    })
    assert.equal((await desk.setUp({ event: 'series', list: dates[0], lists: dates })).status, 200)
    assert.deepEqual(await scanned('sat'), ['ok', null, 'Saturday', 'series'])
    assert.deepEqual(await scanned('fri'), ['ok', null, 'Friday', 'series'])
    assert.deepEqual(await scanned('sun'), ['error', 'product', 'Friday', 'series'])
  })

  it('asks who is meant by a code that two events have given out, and admits the one that was chosen by name', async () => {
    await setUpAll()
    await desk.sell('twin', { attendee_name: 'Ada' })
    const chosen = await sellHall('twin', { attendee_name: 'Grace' })
    assert.deepEqual((await scanned('twin')).slice(0, 2), ['error', 'ambiguous'])
    const byHand = { source: 'hand', position: chosen }
    assert.deepEqual(await scanned('twin', byHand), ['ok', null, 'Hall', 'hall'])
    const [entered] = await desk.transactions.database.all<{ position: number }>(
      sql`SELECT "position" AS position FROM checkin WHERE successful = 1`,
    )
    assert.equal(entered?.position, chosen)
  })

  it('counts, finds, remembers, sums up and undoes on all of them', async () => {
    await setUpAll()
    await desk.sell('day', { attendee_name: 'Guest Day' })
    await sellVip('vip', { attendee_name: 'Guest VIP' })
    await sellHall('seat', { attendee_name: 'Guest Hall' })
    await desk.scan('day', { nonce: 'first' })
    await desk.scan('vip', { nonce: 'second' })
    await desk.scan('seat', { nonce: 'third' })
    assert.equal((await desk.call('POST', '/api/v1/station/undo/', { nonce: 'third' })).status, 200)
    await desk.scan('vip', { type: 'exit' })
    await desk.setUp()
    const { counts } = await state()
    assert.deepEqual(counts, { checkin_count: 2, position_count: 3, inside_count: 1 })
    const found = await search('Guest')
    assert.deepEqual(
      found.map((row) => [row.attendee_name, (row.checkins as unknown[]).length]),
      [
        ['Guest Day', 1],
        ['Guest Hall', 0],
        ['Guest VIP', 2],
      ],
    )
    const recent = (await desk.call('GET', '/api/v1/station/scans/')).body.results as RowData[]
    assert.deepEqual(
      recent.map((scan) => [scan.code, (scan.list as RowData).name]),
      [
        ['vip', 'VIP'],
        ['vip', 'VIP'],
        ['day', 'Main'],
      ],
    )
    const { body } = await desk.call('GET', '/api/v1/station/statistics/')
    const { total, products, list_name } = body as { total: RowData; products: RowData[]; list_name: string }
    assert.deepEqual([total.first_entries, total.exits, list_name], [2, 1, 'Main · VIP · Hall'])
    assert.deepEqual(
      products.map(({ name, first_entries }) => [name, first_entries]),
      [
        ['Day ticket', 1],
        ['VIP', 1],
      ],
    )
  })

  it('stays so until another list is chosen, also where only the direction is changed', async () => {
    await setUpAll()
    const lists = async () => ((await state()).settings.lists as { id: number }[]).map(({ id }) => id)
    await desk.setUp({ direction: 'exit' })
    assert.deepEqual(await lists(), all())
    await desk.setUp({ list: foyer.vip, lists: [foyer.vip] })
    assert.deepEqual(await lists(), [foyer.vip])
    await setUpAll()
    await desk.setUp({ lists: [] })
    assert.deepEqual(await lists(), [desk.list])
  })

  it('goes on with the others where one has gone, and says which', async () => {
    await setUpAll()
    await desk.sell('day')
    await sellHall('seat')
    await desk.transactions.database.run(sql`DELETE FROM checkin_list WHERE id = ${foyer.vip}`)
    const without = await state()
    assert.deepEqual([without.ready, without.settings.missing_lists], [true, ['VIP']])
    await desk.setUp({ direction: 'entry' })
    assert.deepEqual((await state()).settings.missing_lists, ['VIP'])
    await desk.transactions.database.run(sql`DELETE FROM checkin_list WHERE id = ${desk.list}`)
    const { settings, ready } = await state()
    assert.deepEqual([ready, settings.list, settings.event], [true, foyer.hall.list, 'hall'])
    assert.deepEqual(settings.missing_lists, ['Main', 'VIP'])
    assert.deepEqual(await scanned('seat'), ['ok', null, 'Hall', 'hall'])
    assert.deepEqual((await scanned('day')).slice(0, 2), ['error', 'invalid'])
    await desk.setUp({ event: 'hall', list: foyer.hall.list, lists: [foyer.hall.list] })
    assert.deepEqual((await state()).settings.missing_lists, [])
  })

  it('refuses lists of one event that admit the same tickets, in the language of the station', async () => {
    const everybody = await desk.transactions.write((tx) => addList(tx, desk.place, 'Everybody'))
    const answer = await desk.setUp({ lists: [desk.list, everybody], locale: 'de' })
    assert.equal(answer.status, 409)
    assert.match(String(answer.body.detail), /^Main und Everybody lassen dieselben Tickets ein/)
    assert.equal((await state()).ready, false)
  })

  it('takes the same list at every gate, should lists admit the same tickets later on', async () => {
    await sellVip('vip')
    await desk.setUp({ list: foyer.vip, lists: all() })
    await desk.transactions.database.run(
      sql`UPDATE checkin_list SET all_products = 1 WHERE id = ${desk.list}`,
    )
    assert.deepEqual(await scanned('vip'), ['ok', null, 'Main', 'gala'])
    assert.equal((await desk.setUp({ list: foyer.vip, direction: 'exit' })).status, 200)
    assert.equal((await desk.setUp({ lists: [desk.list, foyer.vip] })).status, 409)
  })

  it('refuses lists that are not here, of another organizer, or no lists', async () => {
    const foreign = await desk.transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'zeta')
      return addList(tx, { organizer, event: await addEvent(tx, organizer, 'gala') }, 'Zeta')
    })
    for (const lists of [[desk.list, foreign], [999_999], ['Main'], 'Main', Array(21).fill(desk.list)]) {
      const answer = await desk.setUp({ lists })
      assert.equal(answer.status, 400, JSON.stringify(lists))
      assert.deepEqual(Object.keys(answer.body), ['lists'])
    }
  })

  it('asks for staff where one of the events has that asked', async () => {
    await setUpAll()
    await desk.transactions.database.run(
      sql`UPDATE event SET settings = ${JSON.stringify({ entrance_staff_asked: true })} WHERE id = ${foyer.hall.event}`,
    )
    assert.equal((await state()).settings.asks_staff, true)
  })
})
