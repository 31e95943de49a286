import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { addOrder } from '../../support/ticketing/tickets.ts'
import { type Desk, openDesk } from '../desk.ts'

const kiosk = '/api/v1/station/kiosk/'
const org = '/api/v1/organizers/acme'
const office = { Authorization: 'Token all' }

describe('a kiosk', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp({ task: 'kiosk' })
    await desk.transactions.write((tx) =>
      addOrder(
        tx,
        desk.place,
        ['Anna Grün', 'Ben Grün', 'Carla Weiß'].map((name, at) => ({
          item: desk.item,
          secret: `family-${at + 1}`,
          attendee_name_parts: { full_name: name, _scheme: 'full' },
          attendee_name: name,
        })),
        { code: 'FAM01', email: 'anna@example.org', locale: 'de' },
      ),
    )
  })
  afterEach(() => desk.close())

  const state = async () => (await desk.call('GET', kiosk)).body
  const find = async (sought: object) => {
    const { status, body } = await desk.call('POST', `${kiosk}find/`, sought)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  let next = 0
  const checkIn = async (guest: object) =>
    (await desk.call('POST', `${kiosk}scan/`, { nonce: `nonce-${++next}-x`, source: 'keyboard', ...guest }))
      .body
  const offers = (found: Awaited<ReturnType<typeof find>>) =>
    (found.offers as unknown as { number: string }[]).map(({ number }) => number)

  it('is what the station says that it is, and admits nobody at its entrance', async () => {
    assert.equal((await desk.call('GET', '/api/v1/station/')).body.is_kiosk, true)
    assert.equal((await desk.scan('family-1')).status, 409)
    assert.equal((await checkIn({ code: 'family-1' })).status, 'ok')
    assert.deepEqual((await desk.call('GET', '/api/v1/station/scans/')).body.results, [])
  })

  it('is given the name of who is let in, and nobody else’s', async () => {
    const first = await checkIn({ code: 'family-1' })
    assert.deepEqual([first.name, first.locale, first.reason], ['Anna Grün', 'de', null])
    desk.env.pass(4000)
    const again = await checkIn({ code: 'family-1' })
    assert.deepEqual(
      [again.status, again.reason, again.code, again.name, again.ticket],
      ['error', 'already_redeemed', 'T8', null, null],
    )
    assert.ok(!JSON.stringify(again).includes('Anna'))
    assert.ok(!JSON.stringify(first).includes('family-'))
  })

  const unknown: readonly [string, object][] = [
    ['an order code alone', { order: 'FAM01' }],
    ['a last name alone', { last_name: 'Grün' }],
    ['another last name', { order: 'FAM01', last_name: 'Schwarz' }],
    ['a first name', { order: 'FAM01', last_name: 'Anna' }],
    ['a part of a last name', { order: 'FAM01', last_name: 'rün' }],
    ['half an order code', { order: 'FAM', last_name: 'Grün' }],
    ['half an email address', { email: 'anna@' }],
    ['a pattern', { email: '%@example.org' }],
    ['nothing', {}],
  ]
  for (const [what, sought] of unknown)
    it(`finds nothing for ${what}`, async () => {
      assert.deepEqual(await find(sought), { status: 'none', offers: [] })
    })

  const known: readonly [string, object][] = [
    ['an order code and a last name', { order: 'FAM01', last_name: 'Grün' }],
    ['the number on a ticket and a last name', { order: 'FAM01-2', last_name: 'Grün' }],
    ['a last name without its umlaut', { order: 'FAM01', last_name: 'Gruen' }],
    ['the same in other letters', { order: ' fam01', last_name: 'GRUN ' }],
    ['the last name of another guest on the order', { order: 'FAM01', last_name: 'weiss' }],
    ['a whole email address', { email: 'Anna@Example.org' }],
  ]
  for (const [what, sought] of known)
    it(`offers the tickets of an order for ${what}, without names and codes`, async () => {
      const found = await find(sought)
      assert.deepEqual(
        [found.status, found.locale, offers(found)],
        ['found', 'de', ['FAM01-1', 'FAM01-2', 'FAM01-3']],
      )
      assert.ok(!/Anna|Ben|Carla|family/.test(JSON.stringify(found)))
    })

  it('checks in what it has offered, and offers only those who are not in yet', async () => {
    const { visit } = await find({ order: 'FAM01', last_name: 'Grün' })
    assert.equal((await checkIn({ visit, offer: 1 })).name, 'Ben Grün')
    const again = await find({ order: 'FAM01', last_name: 'Grün' })
    assert.deepEqual(offers(again), ['FAM01-1', 'FAM01-3'])
    const made = await desk.call('POST', `${kiosk}scan/`, {
      nonce: 'nonce-made-up',
      source: 'hand',
      visit: 'made-up',
      offer: 0,
    })
    assert.equal(made.status, 400)
  })

  it('sends guests to the staff for a minute after five misses within a minute', async () => {
    const wrong = { order: 'FAM01', last_name: 'Schwarz' }
    for (let miss = 1; miss < 5; miss += 1) assert.equal((await find(wrong)).status, 'none')
    assert.equal((await find(wrong)).status, 'busy')
    const right = { order: 'FAM01', last_name: 'Grün' }
    assert.equal((await find(right)).status, 'busy')
    assert.equal((await state()).wait, 60)
    desk.env.pass(61_000)
    assert.equal((await state()).wait, 0)
    assert.equal((await find(right)).status, 'found')
  })

  it('forgets misses that are longer ago than a minute', async () => {
    for (let miss = 1; miss < 9; miss += 1) {
      assert.equal((await find({ order: 'FAM01', last_name: 'Schwarz' })).status, 'none')
      desk.env.pass(16_000)
    }
  })

  it('is out of order until somebody has looked, with the PIN of who may', async () => {
    await desk.transactions.write((tx) =>
      tx.run(
        sql`INSERT INTO kiosk_fault (code, stays, since) VALUES ('paper', 1, ${tx.now}), ('printer', 0, ${tx.now})`,
      ),
    )
    const both = [
      { fault: 'printer', stays: false },
      { fault: 'paper', stays: true },
    ]
    assert.deepEqual((await state()).faults, both)
    const { status } = await desk.call('POST', `${kiosk}scan/`, {
      nonce: 'nonce-refused',
      source: 'hid',
      code: 'family-1',
    })
    assert.equal(status, 409)
    const { body } = await desk.call('POST', `${org}/staff/`, { name: 'Bob', role: 'supervisor' }, office)
    await desk.call('POST', `${org}/staff/${body.id}/set_pin/`, { pin: '123456' }, office)
    const unlock = (pin: string, exit_pin = 'none') => desk.call('POST', `${kiosk}unlock/`, { pin, exit_pin })
    assert.equal((await state()).asks_pin, true)
    assert.equal((await unlock('')).status, 400)
    assert.equal((await unlock('111111')).status, 400)
    assert.deepEqual((await state()).faults, both)
    assert.equal((await unlock('123456')).status, 200)
    assert.deepEqual((await state()).faults, [])
  })

  it('makes whoever tries PINs wait', async () => {
    const { body } = await desk.call('POST', `${org}/staff/`, { name: 'Bob', role: 'supervisor' }, office)
    await desk.call('POST', `${org}/staff/${body.id}/set_pin/`, { pin: '123456' }, office)
    const unlock = (pin: string) => desk.call('POST', `${kiosk}unlock/`, { pin, exit_pin: 'wrong' })
    for (let miss = 0; miss < 5; miss += 1) assert.equal((await unlock('000000')).status, 400)
    assert.equal((await unlock('123456')).status, 429)
    desk.env.pass(61_000)
    assert.equal((await unlock('123456')).status, 200)
  })

  it('says that it has no event once its list is gone, and is a kiosk still', async () => {
    await desk.transactions.write((tx) => tx.run(sql`DELETE FROM checkin_list WHERE id = ${desk.list}`))
    assert.deepEqual((await state()).faults, [{ fault: 'event', stays: false }])
    const { body } = await desk.call('GET', '/api/v1/station/')
    assert.deepEqual([body.ready, body.is_kiosk, body.settings], [false, true, null])
  })
})
