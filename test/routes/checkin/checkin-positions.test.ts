import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  addItem,
  addOrder,
  addSubevent,
  addVariation,
  type SoldOrder,
} from '../../support/ticketing/tickets.ts'
import { type Door, openDoor } from './checkin-door.ts'

for (const engine of engines)
  describe(`the positions of a list on ${engine.name}`, () => {
    let door: Door
    let shirt: number
    let small: number
    let friday: number
    let first: SoldOrder
    let second: SoldOrder
    before(async () => {
      door = await openDoor(await engine.open())
      const { place, item } = door
      await door.write(async (tx) => {
        shirt = await addItem(tx, place, 'Shirt')
        small = await addVariation(tx, place, shirt, 'Small')
        friday = await addSubevent(tx, place, 'Friday')
        first = await addOrder(
          tx,
          place,
          [
            { item, secret: 'bert', attendee_name: 'Bert' },
            { item: shirt, variation: small, secret: 'bert-shirt', addon_to: 0 },
            { item, secret: 'anna', attendee_name: 'Änne' },
          ],
          { code: 'AAAAA', email: 'z@x.example', datetime: '2030-01-02T00:00:00Z' },
        )
        second = await addOrder(
          tx,
          place,
          [
            { item, secret: 'nameless', subevent: friday, voucher: 77 },
            { item, secret: 'cecil', attendee_name: 'Cecil', pseudonymization_id: 'PSEUDO' },
          ],
          { code: 'BBBBB', status: 'n', email: 'a@x.example', datetime: '2030-01-01T00:00:00Z' },
        )
        await addOrder(tx, place, [{ item, secret: 'void', attendee_name: 'Void' }], {
          code: 'CCCCC',
          status: 'c',
        })
        await addToken(tx, place.organizer, 'scan-only', { all_events: true, can_checkin_orders: true })
      })
      await door.redeem('bert', { datetime: '2030-06-01T10:00:00Z' })
      await door.redeem('anna', { datetime: '2030-06-01T09:00:00Z' })
      await door.redeem('anna', { datetime: '2030-06-01T11:00:00Z', type: 'exit' })
    })
    after(() => door.server.close())

    const get = (query: string, list = door.list, token = 'all') =>
      door.server.call('GET', `${door.server.ev}/checkinlists/${list}/positions/${query}`, undefined, {
        Authorization: `Token ${token}`,
      })
    const secrets = async (query: string, list?: number) => {
      const answer = await get(query, list)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return (answer.body as { results: { secret: string }[] }).results.map((one) => one.secret)
    }

    it('are those of the list, by name, guests without a name last', async () => {
      assert.deepEqual(await secrets(''), ['anna', 'bert', 'cecil', 'nameless', 'bert-shirt'])
    })

    const filters: readonly [string, () => string, readonly string[]][] = [
      ['order', () => 'order=aaaaa', ['anna', 'bert', 'bert-shirt']],
      ['search', () => 'search=cec', ['cecil']],
      ['item', () => `item=${shirt}`, ['bert-shirt']],
      [
        'item__in',
        () => `item__in=${shirt},${door.item}`,
        ['anna', 'bert', 'cecil', 'nameless', 'bert-shirt'],
      ],
      ['variation', () => `variation=${small}`, ['bert-shirt']],
      ['variation__in', () => `variation__in=${small},9`, ['bert-shirt']],
      ['attendee_name', () => 'attendee_name=BERT', ['bert', 'bert-shirt']],
      ['attendee_name with accents', () => 'attendee_name=%C3%84NNE', ['anna']],
      ['attendee_name in part', () => 'attendee_name=Ber', []],
      ['secret', () => 'secret=bert', ['bert']],
      ['order__status', () => 'order__status=n', ['cecil', 'nameless']],
      ['order__status__in', () => 'order__status__in=n,e', ['cecil', 'nameless']],
      ['has_checkin', () => 'has_checkin=true', ['anna', 'bert']],
      ['no check-in', () => 'has_checkin=0', ['cecil', 'nameless', 'bert-shirt']],
      ['subevent', () => `subevent=${friday}`, ['nameless']],
      ['subevent__in', () => `subevent__in=${friday}`, ['nameless']],
      ['addon_to', () => `addon_to=${first.positions[0]}`, ['bert-shirt']],
      ['addon_to__in', () => `addon_to__in=${first.positions[0]},1`, ['bert-shirt']],
      ['voucher', () => 'voucher=77', ['nameless']],
      ['the code of a voucher', () => 'voucher__code=NONE', []],
      ['pseudonymization_id', () => 'pseudonymization_id=PSEUDO', ['cecil']],
      ['two of them', () => `item=${door.item}&order=BBBBB`, ['cecil', 'nameless']],
      [
        'an empty parameter',
        () => 'item=&search=&order=',
        ['anna', 'bert', 'cecil', 'nameless', 'bert-shirt'],
      ],
    ]
    for (const [what, query, expected] of filters)
      it(`can be chosen by ${what}`, async () => {
        assert.deepEqual(await secrets(`?${query()}`), expected)
      })

    const orders: readonly [string, readonly string[]][] = [
      ['order__code', ['bert', 'bert-shirt', 'anna', 'nameless', 'cecil']],
      ['-order__code,-positionid', ['cecil', 'nameless', 'anna', 'bert-shirt', 'bert']],
      ['order__datetime,positionid', ['nameless', 'cecil', 'bert', 'bert-shirt', 'anna']],
      ['order__email,positionid', ['nameless', 'cecil', 'bert', 'bert-shirt', 'anna']],
      ['attendee_name', ['nameless', 'anna', 'bert', 'bert-shirt', 'cecil']],
      ['-attendee_name', ['cecil', 'bert', 'bert-shirt', 'anna', 'nameless']],
      ['last_checked_in', ['bert-shirt', 'nameless', 'cecil', 'bert', 'anna']],
      ['-last_checked_in', ['anna', 'bert', 'bert-shirt', 'nameless', 'cecil']],
      ['secret', ['anna', 'bert', 'cecil', 'nameless', 'bert-shirt']],
    ]
    for (const [ordering, expected] of orders)
      it(`can be ordered by ${ordering}`, async () => {
        assert.deepEqual(await secrets(`?ordering=${ordering}`), expected)
      })

    it('refuses filters that are none with 400 on their name', async () => {
      for (const query of [
        'item=x',
        'item__in=1,x',
        'has_checkin=maybe',
        'subevent=1.5',
        'ignore_status=perhaps',
        'voucher=99999999999999999999',
      ]) {
        const answer = await get(`?${query}`)
        assert.equal(answer.status, 400, query)
        assert.deepEqual(Object.keys(answer.body as object), [query.split('=')[0]])
      }
    })

    it('count exits as check-ins, but only those of the list', async () => {
      const other = await door.makeList()
      await door.redeem('cecil', { lists: [other], ignore_unpaid: true, force: true })
      assert.deepEqual(await secrets('?has_checkin=true', other), [])
      assert.deepEqual(await secrets('?has_checkin=true'), ['anna', 'bert'])
    })

    it('leave out pending orders where the list does, unless the state is ignored', async () => {
      const strict = await door.makeList()
      assert.deepEqual(await secrets('', strict), ['anna', 'bert', 'bert-shirt'])
      assert.deepEqual(await secrets('?ignore_status=true', strict), [
        'anna',
        'bert',
        'cecil',
        'void',
        'nameless',
        'bert-shirt',
      ])
    })

    it('are those of its products and its date', async () => {
      const shirts = await door.makeList({ all_products: false, limit_products: [shirt] })
      const nothing = await door.makeList({ all_products: false })
      const dated = await door.makeList({ subevent: friday, include_pending: true })
      assert.deepEqual(await secrets('', shirts), ['bert-shirt'])
      assert.deepEqual(await secrets('', nothing), [])
      assert.deepEqual(await secrets('', dated), ['nameless'])
    })

    it('are the same one by one', async () => {
      const strict = await door.makeList()
      const shirts = await door.makeList({ all_products: false, limit_products: [shirt] })
      const dated = await door.makeList({ subevent: friday, include_pending: true })
      const statusOf = async (position: number | undefined, list: number, query = '') =>
        (await get(`${position}/${query}`, list)).status
      const [bert, bertsShirt] = first.positions
      const [nameless, cecil] = second.positions
      assert.equal(await statusOf(bert, shirts), 404)
      assert.equal(await statusOf(bert, shirts, '?ignore_status=true'), 404)
      assert.equal(await statusOf(bertsShirt, shirts), 200)
      assert.equal(await statusOf(cecil, strict), 404)
      assert.equal(await statusOf(cecil, strict, '?ignore_status=true'), 200)
      assert.equal(await statusOf(cecil, dated), 404)
      assert.equal(await statusOf(nameless, dated), 200)
    })

    it('show the name of the parent, or of the invoice, where they have none', async () => {
      await door.sell('invoiced', {}, { invoice_address: { name: 'Grace Hopper', name_parts: { x: 'y' } } })
      const answer = await get('?ordering=positionid')
      const rows = (answer.body as { results: RowData[] }).results
      const named = (secret: string) => rows.find((row) => row.secret === secret)
      assert.equal(named('bert-shirt')?.attendee_name, 'Bert')
      assert.deepEqual(named('bert-shirt')?.attendee_name_parts, { _scheme: 'full', full_name: 'Bert' })
      assert.equal(named('invoiced')?.attendee_name, 'Grace Hopper')
      assert.deepEqual(named('invoiced')?.attendee_name_parts, { x: 'y' })
      assert.equal(named('nameless')?.attendee_name, null)
    })

    it('can be looked at one by one, with what is expanded', async () => {
      const answer = await get(`${first.positions[1]}/?expand=item&expand=variation`)
      assert.equal(answer.status, 200)
      const row = answer.body as { secret: string; item: { name: object }; variation: RowData }
      assert.equal(row.secret, 'bert-shirt')
      assert.deepEqual([row.item.name, row.variation.value], [{ en: 'Shirt' }, { en: 'Small' }])
      assert.match(String(row.variation.price), /^\d+\.\d\d$/)
    })

    it('answer 404 for what is not there', async () => {
      for (const path of ['999999/', 'x/', '?page=0', '?page=99', '?page=x'])
        assert.equal((await get(path)).status, 404, path)
      assert.equal((await get('', 999999)).status, 404)
      assert.equal((await get(`${second.positions[0]}/`)).status, 200)
    })

    it('are shown to those who may only scan when they type three letters', async () => {
      const count = async (query: string) =>
        ((await get(query, door.list, 'scan-only')).body as { count: number }).count
      assert.equal(await count(''), 0)
      assert.equal(await count('?search=be'), 0)
      assert.equal(await count('?search=ber'), 2)
    })
  })
