import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import { keysOf } from '../routes/checkin/checkin-door.ts'
import { countUrgent } from '../support/engines/urgent-transactions.ts'
import { addItem, addOption, addOrder, addQuestion, addVariation } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk } from './desk.ts'

describe('a scan at a station', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.setUp()
  })
  after(() => desk.close())
  // A code that was scanned a moment ago is not scanned anew.
  afterEach(() => desk.env.pass(10_000))

  const said = ({ body }: { body: RowData }) => [body.status, body.reason]
  const undo = (nonce: unknown) => desk.call('POST', '/api/v1/station/undo/', { nonce })

  it('says everything that the screen shows of an admission, by name', async () => {
    const { place } = desk
    const [shirt, small] = await desk.transactions.write(async (tx) => {
      const made = await addItem(tx, place, 'Shirt')
      return [made, await addVariation(tx, place, made, 'Small')]
    })
    await desk.transactions.write((tx) =>
      addOrder(
        tx,
        place,
        [
          {
            item: desk.item,
            secret: 'shown',
            attendee_name: 'Ada',
            seat: { id: 1, name: 'A-1', seat_guid: 'g' },
          },
          { item: shirt, variation: small, secret: 'shown-shirt', addon_to: 0 },
        ],
        { code: 'SHOWN' },
      ),
    )
    const { status, body } = await desk.scan('shown', { source: 'camera', symbology: ']Q1' })
    assert.equal(status, 200)
    assert.deepEqual(keysOf(body), [
      'at',
      'can_ignore_unpaid',
      'can_undo',
      'checkin_texts',
      'code',
      'confirmed',
      'id',
      'list',
      'nonce',
      'offline',
      'owed',
      'position',
      'questions',
      'reason',
      'reason_explanation',
      'repeated',
      'require_attention',
      'source',
      'status',
      'type',
    ])
    assert.deepEqual(
      { ...body, id: typeof body.id, nonce: typeof body.nonce, position: null },
      {
        id: 'string',
        nonce: 'string',
        repeated: false,
        source: 'camera',
        code: 'shown',
        at: '2030-06-01T10:00:00.000000Z',
        type: 'entry',
        offline: false,
        confirmed: false,
        status: 'ok',
        reason: null,
        reason_explanation: null,
        require_attention: false,
        checkin_texts: [],
        list: { id: desk.list, name: 'Main', event: 'gala', subevent: null, include_pending: true },
        can_ignore_unpaid: false,
        owed: null,
        position: null,
        questions: [],
        can_undo: true,
      },
    )
    const { id, ...position } = body.position as RowData
    assert.equal(typeof id, 'number')
    assert.deepEqual(position, {
      order: 'SHOWN',
      positionid: 1,
      attendee_name: 'Ada',
      item_name: { en: 'Day ticket' },
      item_color: null,
      variation_name: null,
      subevent_name: null,
      seat: { id: 1, name: 'A-1', seat_guid: 'g' },
      secret: 'shown',
      addons: [{ item_name: { en: 'Shirt' }, variation_name: { en: 'Small' } }],
      order_status: 'p',
      checkins: [],
    })
  })

  it('says the colour that the product has, as for its wristband', async () => {
    const { place } = desk
    const item = await desk.transactions.write(async (tx) => {
      const made = await addItem(tx, place, 'Backstage')
      await tx.run(
        sql`UPDATE item SET meta_data = ${'{"color":"#F0A"}'} WHERE organizer = ${place.organizer} AND id = ${made}`,
      )
      return made
    })
    await desk.sell('colored', { item })
    const { body } = await desk.scan('colored')
    assert.equal((body.position as RowData).item_color, '#ff00aa')
  })

  it('says when and where a ticket was used first', async () => {
    await desk.sell('used')
    await desk.scan('used')
    desk.env.pass(60_000)
    const { body } = await desk.scan('used')
    assert.deepEqual(said({ body }), ['error', 'already_redeemed'])
    assert.equal(body.can_undo, false)
    const { checkins } = body.position as { checkins: RowData[] }
    assert.equal(checkins.length, 1)
    assert.deepEqual([checkins[0]?.gate, checkins[0]?.device], ['North', 'Entrance'])
  })

  it('knows no unknown code, and no position then', async () => {
    const { status, body } = await desk.scan('nobody')
    assert.equal(status, 200)
    assert.deepEqual(said({ body }), ['error', 'invalid'])
    assert.deepEqual([body.position, body.can_undo], [null, false])
  })

  it('goes the way that is asked for instead of its own', async () => {
    await desk.sell('goes')
    await desk.scan('goes')
    const { body } = await desk.scan('goes', { type: 'exit' })
    assert.deepEqual([body.status, body.type], ['ok', 'exit'])
  })

  describe('of a pending ticket', () => {
    it('offers to check it in anyway, and does so as the same scan', async () => {
      await desk.sell('pending', {}, { status: 'n' })
      const first = await desk.scan('pending', { nonce: 'p-1' })
      assert.deepEqual(said(first), ['error', 'unpaid'])
      assert.deepEqual([first.body.can_ignore_unpaid, first.body.nonce], [true, 'p-1'])
      const second = await desk.scan('pending', { nonce: 'p-1', ignore_unpaid: true })
      assert.deepEqual([...said(second), second.body.repeated], ['ok', null, false])
      const again = await desk.scan('pending', { nonce: 'p-1', ignore_unpaid: true })
      assert.deepEqual(said(again), ['ok', null])
      const stored = await desk.transactions.database.all<{ successful: number }>(
        sql`SELECT successful FROM checkin WHERE nonce = 'p-1' ORDER BY id`,
      )
      assert.deepEqual(
        stored.map((row) => row.successful),
        [0, 1],
      )
    })

    it('says what is owed, and admits the same scan once that was paid', async () => {
      await desk.sell('to-pay', {}, { status: 'n', code: 'TOPAY', total: '23.00' })
      const first = await desk.scan('to-pay', { nonce: 'p-2' })
      assert.deepEqual(first.body.owed, { amount: '23.00', currency: 'EUR' })
      const pay = (amount: string) =>
        desk.call('POST', '/api/v1/organizers/acme/events/gala/orders/TOPAY/payments/', {
          ...{ amount, provider: 'boxoffice', state: 'confirmed', info: {}, send_email: false },
        })
      assert.equal((await pay('20.00')).status, 201)
      const partly = await desk.scan('to-pay', { nonce: 'p-2' })
      assert.deepEqual(partly.body.owed, { amount: '3.00', currency: 'EUR' })
      assert.equal((await pay('3.00')).status, 201)
      const last = await desk.scan('to-pay', { nonce: 'p-2' })
      assert.deepEqual([...said(last), last.body.owed], ['ok', null, null])
    })

    it('says nothing of money where nothing may be taken', async () => {
      await desk.sell('approval', {}, { status: 'n', total: '23.00', require_approval: true })
      assert.equal((await desk.scan('approval')).body.owed, null)
    })

    it('does not offer it where the list does not know pending tickets', async () => {
      const { database } = desk.transactions
      await database.run(sql`UPDATE checkin_list SET include_pending = 0`)
      await desk.sell('strict', {}, { status: 'n' })
      const { body } = await desk.scan('strict')
      await database.run(sql`UPDATE checkin_list SET include_pending = 1`)
      assert.deepEqual([body.reason, body.can_ignore_unpaid], ['unpaid', false])
    })
  })

  it('asks questions, and takes the answers as the same scan', async () => {
    const { place } = desk
    const asked = await desk.transactions.write(async (tx) => {
      const item = await addItem(tx, place, 'Asking')
      const question = await addQuestion(tx, place, [item], { type: 'C', required: true })
      const option = await addOption(tx, place, question, 'Small')
      await addOrder(tx, place, [{ item, secret: 'asking' }])
      return { question, option }
    })
    const first = await desk.scan('asking', { nonce: 'q-1' })
    assert.deepEqual(said(first), ['incomplete', null])
    const [question] = first.body.questions as { id: number; options: { id: number }[] }[]
    assert.deepEqual([question?.id, question?.options[0]?.id], [asked.question, asked.option])
    const answers = { [asked.question]: String(asked.option) }
    const second = await desk.scan('asking', { nonce: 'q-1', answers })
    assert.deepEqual([...said(second), second.body.questions], ['ok', null, []])
  })

  it('is one of its own where its nonce is empty', async () => {
    for (const code of ['nameless 1', 'nameless 2']) await desk.sell(code)
    const [first, second] = [
      await desk.scan('nameless 1', { nonce: '' }),
      await desk.scan('nameless 2', { nonce: '' }),
    ]
    assert.deepEqual(
      [said(first), said(second)],
      [
        ['ok', null],
        ['ok', null],
      ],
    )
    assert.ok(first.body.nonce && second.body.nonce && first.body.nonce !== second.body.nonce)
  })

  it('gets past everything by force', async () => {
    await desk.sell('canceled', {}, { status: 'c' })
    assert.deepEqual(said(await desk.scan('canceled')), ['error', 'canceled'])
    assert.deepEqual(said(await desk.scan('canceled', { force: true })), ['ok', null])
  })

  it('can be undone by its nonce, which says the same when the first answer was lost', async () => {
    await desk.sell('mistake')
    const { body } = await desk.scan('mistake')
    const urgent = countUrgent(desk.transactions.database)
    const undone = await undo(body.nonce)
    assert.equal(urgent.count, 1)
    assert.deepEqual([undone.status, undone.body], [200, { status: 'ok' }])
    const again = await undo(body.nonce)
    assert.deepEqual([again.status, again.body], [200, { status: 'ok' }])
    desk.env.pass(5000)
    assert.deepEqual(said(await desk.scan('mistake')), ['ok', null])
    assert.equal((await undo(body.nonce)).status, 200)
    desk.env.pass(5000)
    const refused = await desk.scan('mistake')
    assert.deepEqual(said(refused), ['error', 'already_redeemed'])
    assert.equal((await undo(refused.body.nonce)).status, 400)
  })

  it('cannot be undone when it is not known, or no nonce is said', async () => {
    assert.equal((await undo('never seen')).status, 404)
    for (const body of ['null', '[]', '"x"', '5', '{}', '{"nonce":5}', '{"nonce":null}', '{"nonce":""}']) {
      const { status } = await desk.call('POST', '/api/v1/station/undo/', body)
      assert.equal(status, 400, body)
    }
  })

  it('cannot be undone after fifteen minutes', async () => {
    await desk.sell('too late')
    const { body } = await desk.scan('too late')
    desk.env.pass(15 * 60_000 + 1000)
    assert.equal((await undo(body.nonce)).status, 400)
  })

  it('is judged by the time at which it was read, where it waited', async () => {
    await desk.sell('waited', { valid_until: '2030-01-01T00:00:00Z' })
    const { body } = await desk.scan('waited', { datetime: '2029-12-31T23:59:59Z' })
    assert.deepEqual([body.status, body.at], ['ok', '2029-12-31T23:59:59.000000Z'])
  })

  it('finds a code behind the marks that scanners put in front', async () => {
    await desk.sell('marked')
    const { body } = await desk.scan('\\000026marked')
    assert.deepEqual([body.status, body.code], ['ok', 'marked'])
  })

  it('judges codes with control characters, NULs and broken Unicode as unknown', async () => {
    for (const code of ['a\u0000b', '\u0000', 'x\u001d1234\u001e', '\ud800', '\u202eabc', '\u0007\u0007']) {
      const { status, body } = await desk.scan(code)
      assert.equal(status, 200, JSON.stringify(code))
      assert.deepEqual(said({ body }), ['error', 'invalid'])
      assert.match(String(body.code), /\uFFFD/)
    }
  })

  it('refuses a reading of nothing', async () => {
    for (const code of [' ', '\\000026', '\\000026  '])
      assert.deepEqual(Object.keys((await desk.scan(code)).body), ['detail'], JSON.stringify(code))
  })

  it('refuses what is not a scan, on its field', async () => {
    for (const [field, value] of [
      ['code', ''],
      ['code', 5],
      ['code', 'x'.repeat(4097)],
      ['source', 'smell'],
      ['type', 'around'],
      ['answers', []],
      ['ignore_unpaid', 'yes'],
      ['nonce', 'n'.repeat(191)],
      ['datetime', 'soon'],
      ['symbology', 'x'.repeat(11)],
    ] as const) {
      const { status, body } = await desk.scan('x', { [field]: value })
      assert.deepEqual([status, Object.keys(body)], [400, [field]], field)
    }
    for (const body of ['null', '[]', '5', '{}'])
      assert.equal((await desk.call('POST', '/api/v1/station/scan/', body)).status, 400, body)
  })
})
