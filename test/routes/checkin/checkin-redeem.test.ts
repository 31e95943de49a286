import assert from 'node:assert/strict'
import { bothEngines } from '../../support/engines/engines.ts'
import { addItem, addSubevent, addVariation } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, keysOf, openDoor, verdict } from './checkin-door.ts'

const positionKeys = [
  'addon_to',
  'answers',
  'attendee_email',
  'attendee_name',
  'attendee_name_parts',
  'blocked',
  'canceled',
  'checkins',
  'city',
  'company',
  'country',
  'discount',
  'downloads',
  'id',
  'item',
  'order',
  'order__locale',
  'order__require_approval',
  'order__status',
  'order__valid_if_pending',
  'positionid',
  'price',
  'print_logs',
  'pseudonymization_id',
  'require_attention',
  'seat',
  'secret',
  'state',
  'street',
  'subevent',
  'tax_rate',
  'tax_rule',
  'tax_value',
  'valid_from',
  'valid_until',
  'variation',
  'voucher',
  'zipcode',
]
const commonKeys = ['checkin_texts', 'list', 'position', 'require_attention', 'status']
const errorKeys = [...commonKeys, 'reason', 'reason_explanation'].sort()

const never = { '<': [{ var: 'entries_number' }, 0] }

for (const engine of bothEngines)
  describe(`redeeming on ${engine.name}`, () => {
    let door: Door
    before(async () => {
      door = await openDoor(await engine.open())
    })
    after(() => door.server.close())

    it('answers a valid ticket with 201, its position and this check-in', async () => {
      const ticket = await door.sell('valid', { attendee_name: 'Ada Lovelace' })
      const answer = await door.redeem('valid')
      assert.equal(verdict(answer), '201 ok')
      const body = bodyOf(answer)
      assert.deepEqual(keysOf(body), commonKeys)
      assert.deepEqual(body.list, {
        id: door.list,
        name: 'Main',
        event: 'gala',
        subevent: null,
        include_pending: true,
      })
      assert.equal(body.require_attention, false)
      assert.deepEqual(body.checkin_texts, [])
      const position = body.position as Record<string, unknown>
      assert.deepEqual(keysOf(position), positionKeys)
      assert.equal(position.id, ticket.id)
      assert.equal(position.order, ticket.code)
      assert.equal(position.attendee_name, 'Ada Lovelace')
      assert.equal(position.order__status, 'p')
      const [checkin, ...others] = position.checkins as Record<string, unknown>[]
      assert.equal(others.length, 0)
      assert.equal(checkin?.list, door.list)
      assert.equal(checkin?.type, 'entry')
      assert.equal(checkin?.auto_checked_in, false)
    })

    it('answers an unknown code with 404, a detail, the first list and no position', async () => {
      const other = await door.makeList()
      const answer = await door.redeem('nobody', { lists: [other] })
      assert.equal(verdict(answer), '404 error invalid')
      const body = bodyOf(answer)
      assert.deepEqual(keysOf(body), [
        'checkin_texts',
        'detail',
        'list',
        'reason',
        'reason_explanation',
        'require_attention',
        'status',
      ])
      assert.equal(body.reason_explanation, null)
      assert.equal(body.detail, 'Not found.')
      assert.equal((body.list as { id: number }).id, other)
      assert.equal(verdict(await door.redeemAt(other, 'nobody')), '404 error invalid')
    })

    it('shows the earlier entries to whoever comes a second time', async () => {
      await door.sell('twice')
      await door.redeem('twice', { datetime: '2030-06-01T09:00:00+02:00' })
      const answer = await door.redeem('twice')
      assert.equal(verdict(answer), '400 error already_redeemed')
      const body = bodyOf(answer)
      assert.deepEqual(keysOf(body), errorKeys)
      const { checkins } = body.position as { checkins: { datetime: string }[] }
      assert.deepEqual(
        checkins.map((one) => one.datetime),
        ['2030-06-01T07:00:00Z'],
      )
    })

    it('shows the check-ins of the list alone, newest scan first', async () => {
      const other = await door.makeList({ allow_multiple_entries: true })
      await door.sell('two lists')
      await door.redeem('two lists')
      await door.redeem('two lists', { lists: [other], datetime: '2030-06-01T12:00:00Z' })
      const answer = await door.redeem('two lists', { lists: [other], datetime: '2030-06-01T11:00:00Z' })
      const { checkins } = bodyOf(answer).position as { checkins: { datetime: string; list: number }[] }
      assert.deepEqual(
        checkins.map((one) => [one.list, one.datetime]),
        [
          [other, '2030-06-01T12:00:00Z'],
          [other, '2030-06-01T11:00:00Z'],
        ],
      )
    })

    const orderOf = (status: string, more: object = {}) => ({ status, ...more })
    const refused: readonly [string, object, object, object, string][] = [
      ['a canceled order', {}, orderOf('c'), {}, 'canceled'],
      ['an expired order', {}, orderOf('e'), {}, 'canceled'],
      ['a canceled position', { canceled: true }, {}, {}, 'canceled'],
      ['a blocked position', { blocked: ['admin'] }, {}, {}, 'blocked'],
      ['a ticket before its time', { valid_from: '2031-01-01T00:00:00Z' }, {}, {}, 'invalid_time'],
      ['a ticket after its time', { valid_until: '2021-01-01T00:00:00Z' }, {}, {}, 'invalid_time'],
      ['a product that is not on the list', {}, {}, { all_products: false }, 'product'],
      ['an order waiting for approval', {}, orderOf('n', { require_approval: true }), {}, 'unapproved'],
      ['a pending order', {}, orderOf('n'), { include_pending: true }, 'unpaid'],
      ['whom the rules keep out', {}, {}, { rules: never }, 'rules'],
    ]
    for (const [index, [what, position, order, list, reason]] of refused.entries())
      it(`refuses ${what} with 400 and the reason ${reason}, on both endpoints`, async () => {
        const at = await door.makeList(list as Record<string, unknown>)
        const secret = `refused${index}`
        await door.sell(secret, position as Record<string, unknown>, order as Record<string, unknown>)
        const answer = await door.redeem(secret, { lists: [at] })
        assert.equal(verdict(answer), `400 error ${reason}`)
        assert.deepEqual(keysOf(bodyOf(answer)), errorKeys)
        const explained = reason === 'rules' || reason === 'invalid_time'
        assert.equal(typeof bodyOf(answer).reason_explanation, explained ? 'string' : 'object')
        const old = await door.redeemAt(at, secret, {}, '?untrusted_input=true')
        assert.equal(verdict(old), `400 error ${reason === 'canceled' ? 'unpaid' : reason}`)
        assert.deepEqual(keysOf(bodyOf(old)), errorKeys)
      })

    it('tells canceled from unpaid on one list only to whoever knows the word', async () => {
      await door.sell('gone', {}, { status: 'c' })
      assert.equal(verdict(await door.redeemAt(door.list, 'gone')), '400 error unpaid')
      const known = await door.redeemAt(door.list, 'gone', { canceled_supported: true })
      assert.equal(verdict(known), '400 error canceled')
      // Across lists everybody does, whatever is said.
      assert.equal(verdict(await door.redeem('gone', { canceled_supported: false })), '400 error canceled')
    })

    it('refuses a ticket of another date as product, with its position, under the list that was scanned on', async () => {
      const [friday, saturday] = await door.write(async (tx) => [
        await addSubevent(tx, door.place, 'Friday'),
        await addSubevent(tx, door.place, 'Saturday'),
      ])
      const list = await door.makeList({ subevent: friday })
      const ticket = await door.sell('saturday', { subevent: saturday })
      const answer = await door.redeem('saturday', { lists: [list] })
      assert.equal(verdict(answer), '400 error product')
      const body = bodyOf(answer)
      assert.equal((body.position as { id: number }).id, ticket.id)
      assert.equal((body.list as { id: number; subevent: number }).id, list)
      assert.equal((body.list as { subevent: number }).subevent, friday)
    })

    it('admits pending orders only when asked to and on lists that know them', async () => {
      const strict = await door.makeList()
      await door.sell('pending', {}, { status: 'n' })
      assert.equal(verdict(await door.redeem('pending', { lists: [strict] })), '400 error unpaid')
      const waived = await door.redeem('pending', { lists: [strict], ignore_unpaid: true })
      assert.equal(verdict(waived), '400 error unpaid')
      assert.equal(verdict(await door.redeem('pending')), '400 error unpaid')
      assert.equal(verdict(await door.redeem('pending', { ignore_unpaid: true })), '201 ok')
    })

    it('admits pending orders that count as paid on every list', async () => {
      const strict = await door.makeList()
      await door.sell('trusted', {}, { status: 'n', valid_if_pending: true })
      assert.equal(verdict(await door.redeem('trusted', { lists: [strict] })), '201 ok')
      assert.equal(verdict(await door.redeem('trusted')), '201 ok')
    })

    it('asks for attention where the order, the item or the variation wants it, and says their texts', async () => {
      const [special, quiet] = await door.write(async (tx) => {
        const vip = await addItem(tx, door.place, 'VIP', { checkin_text: 'Give a wristband' })
        const child = await addVariation(tx, door.place, vip, 'Child', {
          checkin_attention: true,
          checkin_text: 'Check the age',
        })
        return [vip, child]
      })
      await door.sell('vip', { item: special })
      await door.sell('child', { item: special, variation: quiet }, { checkin_text: 'Ask for Bob' })
      await door.sell('looked at', {}, { checkin_attention: true })
      const said = async (secret: string) => {
        const { require_attention, checkin_texts } = bodyOf(await door.redeem(secret))
        return [require_attention, checkin_texts]
      }
      assert.deepEqual(await said('vip'), [false, ['Give a wristband']])
      assert.deepEqual(await said('child'), [true, ['Ask for Bob', 'Check the age']])
      assert.deepEqual(await said('looked at'), [true, []])
    })
  })
