import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { GuestOrder, ShownTicket } from '../../schema/bodies/guests.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { stationSettings } from '../../server/services/devices/station-settings.ts'
import { addItem, addList, addOrder } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

describe('a guest as the staff of an entrance sees them', () => {
  let desk: Desk
  let ticket: number
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    ticket = await desk.sell(
      'first',
      { attendee_name: 'Ada', attendee_email: 'ada@example.org', company: 'Engines' },
      {
        code: 'ADA12',
        email: 'buyer@example.org',
        phone: '+49 30 1',
        invoice_address: { name: 'Bea Buyer' },
      },
    )
  })
  afterEach(() => desk.close())

  const ask = (id: number) => desk.call('GET', `/api/v1/station/guests/${id}/`)
  const order = async (id = ticket): Promise<GuestOrder> => {
    const { status, body } = await ask(id)
    assert.equal(status, 200, JSON.stringify(body))
    return body as unknown as GuestOrder
  }
  const only = async (id = ticket): Promise<ShownTicket> => {
    const [one] = (await order(id)).tickets
    assert.ok(one)
    return one
  }
  const short = ({ outlook: { status, reason } }: ShownTicket) => reason ?? status
  const history = ({ scans }: ShownTicket) =>
    scans.map(({ list_name, type, outcome, reason }) => [list_name, type, outcome, reason])
  const setProfile = async (profile: string) => {
    const settings = JSON.stringify({ ...(await stationSettings(desk.transactions.database)), profile })
    await desk.transactions.database.run(sql`UPDATE station SET settings = ${settings}`)
  }

  it('has every ticket of the order, with what would become of each now', async () => {
    const sold = await desk.transactions.write(async (tx) => {
      const other = await addItem(tx, desk.place, 'Workshop')
      return addOrder(
        tx,
        desk.place,
        [
          { item: desk.item, secret: 'a', attendee_name: 'Ann' },
          { item: other, secret: 'b', addon_to: 0 },
          { item: desk.item, secret: 'c', blocked: ['admin'] },
          { item: desk.item, secret: 'd', canceled: true },
          { item: desk.item, secret: 'e', valid_until: '2001-01-01T00:00:00Z' },
        ],
        { code: 'GROUP', invoice_address: { name: 'Bea Buyer' } },
      )
    })
    const { code, tickets } = await order(Number(sold.positions[2]))
    assert.equal(code, 'GROUP')
    assert.deepEqual(
      tickets.map((one) => [one.positionid, one.attendee_name, one.addon_to, one.blocked, short(one)]),
      [
        [1, 'Ann', null, false, 'ok'],
        [2, 'Ann', 1, false, 'ok'],
        [3, 'Bea Buyer', null, true, 'blocked'],
        [4, 'Bea Buyer', null, false, 'canceled'],
        [5, 'Bea Buyer', null, false, 'invalid_time'],
      ],
    )
    assert.deepEqual(tickets[0]?.addons, [{ item_name: { en: 'Workshop' }, variation_name: null }])
    assert.equal(tickets[0]?.item_name.en, 'Day ticket')
  })

  it('has the scans on all lists with gate, device and reason, the newest first, undone ones marked', async () => {
    const side = await desk.transactions.write((tx) => addList(tx, desk.place, 'Side', {}))
    await desk.scan('first', { nonce: 'one' })
    desk.env.pass(10_000)
    await desk.scan('first', { nonce: 'two' })
    desk.env.pass(10_000)
    await desk.call('POST', '/api/v1/station/undo/', { nonce: 'one' })
    await desk.setUp({ list: side })
    await desk.scan('first', { nonce: 'three' })
    const shown = await only()
    assert.deepEqual(history(shown), [
      ['Side', 'entry', 'admitted', null],
      ['Main', 'entry', 'refused', 'already_redeemed'],
      ['Main', 'entry', 'undone', null],
    ])
    const [{ gate, device } = assert.fail('no scan')] = shown.scans
    assert.deepEqual([gate, device], ['North', 'Entrance'])
    assert.equal(short(shown), 'already_redeemed')
  })

  it('shows what was forced, and scans from before the ticket was known', async () => {
    await desk.scan('late')
    const late = await desk.sell('late', { blocked: ['admin'] })
    desk.env.pass(10_000)
    await desk.scan('late', { force: true })
    const { scans } = await only(late)
    assert.deepEqual(
      scans.map(({ outcome, reason, forced }) => [outcome, reason, forced]),
      [
        ['admitted', null, true],
        ['refused', 'invalid', false],
      ],
    )
  })

  it('says by what its last admission here is taken back, for as long as it can be', async () => {
    assert.equal((await only()).undo, null)
    await desk.scan('first', { nonce: 'mine' })
    assert.equal((await only()).undo, 'mine')
    desk.env.pass(15 * 60_000 + 1)
    assert.equal((await only()).undo, null)
  })

  it('is judged without a trace', async () => {
    await order()
    await desk.setUp({ direction: 'exit' })
    assert.equal(short(await only()), 'ok')
    const rows = await desk.transactions.database.all(sql`SELECT id FROM checkin`)
    assert.equal(rows.length, 0)
  })

  it('says what is to be paid where tickets are sold, and nowhere else', async () => {
    const unpaid = await desk.sell('unpaid', {}, { status: 'n' })
    const { owed, status } = await order(unpaid)
    assert.deepEqual([status, owed], ['n', { amount: '23.00', currency: 'EUR' }])
    assert.equal(short(await only(unpaid)), 'unpaid')
    await setProfile('scan')
    assert.equal((await order(unpaid)).owed, null)
  })

  const shownOf = ({ email, phone, tickets: [one] }: GuestOrder) => [
    ...[email, phone, one?.email, one?.company],
    one?.attendee_name,
  ]
  for (const [profile, shown] of [
    ['full', ['buyer@example.org', '+49 30 1', 'ada@example.org', 'Engines', 'Ada']],
    ['scan', ['buyer@example.org', null, 'ada@example.org', 'Engines', 'Ada']],
    ['gate', [null, null, null, null, 'Ada']],
  ] as const)
    it(`shows at a station with the profile ${profile} what that may see`, async () => {
      await setProfile(profile)
      assert.deepEqual(shownOf(await order()), shown)
    })

  it('is no sample ticket, where the event is not the demo', async () => {
    const { status, body } = await desk.call('GET', '/api/v1/station/samples/')
    assert.deepEqual([status, body], [200, { results: [] }])
  })

  it('is not shown by a kiosk, by another event, or to anybody but the station itself', async () => {
    assert.equal((await ask(ticket + 1_000_000)).status, 404)
    assert.equal((await ask(Number.NaN)).status, 404)
    const path = `/api/v1/station/guests/${ticket}/`
    const stranger = await desk.call('GET', path, undefined, { Authorization: 'Token all' })
    assert.equal(stranger.status, 401)
    await setProfile('kiosk')
    const { status, body } = await ask(ticket)
    assert.equal(status, 409, JSON.stringify(body))
    assert.equal((body as RowData).tickets, undefined)
  })
})
