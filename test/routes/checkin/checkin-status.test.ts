import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { category } from '../../../schema/resources/catalogue/category.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { addItem, addOrder, addSubevent, addVariation } from '../../support/ticketing/tickets.ts'
import { type Door, keysOf, openDoor } from './checkin-door.ts'

interface Status {
  readonly checkin_count: number
  readonly position_count: number
  readonly inside_count: number
  readonly event: { readonly name: string }
  readonly items: readonly (RowData & { readonly name: string; readonly variations: readonly RowData[] })[]
}

for (const engine of engines)
  describe(`how full a list is, on ${engine.name}`, () => {
    let door: Door
    let regular: number
    let vip: number
    let red: number
    let blue: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { place } = door
      await door.write(async (tx) => {
        regular = await addItem(tx, place, 'Regular', { position: 2, name: { en: 'Regular', de: 'Normal' } })
        vip = await addItem(tx, place, 'VIP', { position: 1, admission: false })
        red = await addVariation(tx, place, vip, 'Red', { position: 2 })
        blue = await addVariation(tx, place, vip, 'Blue', { position: 1 })
        const tickets = (item: number, count: number, name: string, more: RowData = {}) =>
          Array.from({ length: count }, (_, index) => ({ item, secret: `${name}${index}`, ...more }))
        await addOrder(tx, place, tickets(regular, 12, 'regular'))
        await addOrder(tx, place, tickets(vip, 5, 'vip', { variation: red }))
        await addOrder(tx, place, tickets(regular, 3, 'pending'), { status: 'n' })
        await addOrder(tx, place, tickets(regular, 4, 'canceled'), { status: 'c' })
        await addOrder(tx, place, tickets(regular, 2, 'cut', { canceled: true }))
      })
    })
    after(() => door.server.close())

    const statusOf = async (list: number): Promise<Status> => {
      const answer = await door.server.call('GET', `${door.server.ev}/checkinlists/${list}/status/`)
      assert.equal(answer.status, 200)
      return answer.body as Status
    }
    const numbers = ({ checkin_count, position_count, inside_count }: Status) => [
      checkin_count,
      position_count,
      inside_count,
    ]

    it('counts twenty tickets with two checked in, by product and variation', async () => {
      await door.redeem('regular0')
      await door.redeem('vip0')
      await door.redeem('regular1', { type: 'exit' })
      const status = await statusOf(door.list)
      assert.deepEqual(keysOf(status), ['checkin_count', 'event', 'inside_count', 'items', 'position_count'])
      assert.deepEqual(numbers(status), [2, 20, 2])
      assert.deepEqual(status.event, { name: 'gala' })
      assert.deepEqual(status.items, [
        {
          name: 'Day ticket',
          id: door.item,
          admission: true,
          checkin_count: 0,
          position_count: 0,
          variations: [],
        },
        {
          name: 'VIP',
          id: vip,
          admission: false,
          checkin_count: 1,
          position_count: 5,
          variations: [
            {
              value: 'Blue',
              id: blue,
              checkin_count: 0,
              position_count: 0,
            },
            { value: 'Red', id: red, checkin_count: 1, position_count: 5 },
          ],
        },
        {
          name: 'Regular',
          id: regular,
          admission: true,
          checkin_count: 1,
          position_count: 15,
          variations: [],
        },
      ])
    })

    it('counts people once, however often they came, and those who left as having come', async () => {
      const list = await door.makeList({ allow_multiple_entries: true })
      const scan = (type: string, hour: number) =>
        door.redeem('regular2', { lists: [list], type, datetime: `2030-06-01T${hour}:00:00Z` })
      await scan('entry', 10)
      await scan('entry', 11)
      assert.deepEqual(numbers(await statusOf(list)), [1, 17, 1])
      await scan('exit', 12)
      assert.deepEqual(numbers(await statusOf(list)), [1, 17, 0])
      await scan('entry', 13)
      assert.deepEqual(numbers(await statusOf(list)), [1, 17, 1])
    })

    it('counts whoever leaves in the instant of entering as outside', async () => {
      const list = await door.makeList()
      const at = { lists: [list], datetime: '2030-06-01T10:00:00Z' }
      await door.redeem('regular3', at)
      await door.redeem('regular3', { ...at, type: 'exit' })
      assert.deepEqual(numbers(await statusOf(list)), [1, 17, 0])
    })

    it('does not count scans that were refused or undone', async () => {
      const list = await door.makeList()
      await door.redeem('regular4', { lists: [list], nonce: 'undo me' })
      await door.server.call('POST', `${door.server.org}/checkinrpc/annul/`, {
        nonce: 'undo me',
        lists: [list],
      })
      await door.redeem('pending0', { lists: [list] })
      assert.deepEqual(numbers(await statusOf(list)), [0, 17, 0])
    })

    it('does not count tickets that entered by force and do not belong to the list', async () => {
      const list = await door.makeList()
      await door.redeem('canceled0', { lists: [list], force: true })
      assert.deepEqual(numbers(await statusOf(list)), [0, 17, 0])
    })

    it('keeps to the products of the list and to its date, whose name it says', async () => {
      const friday = await door.write((tx) => addSubevent(tx, door.place, 'Friday'))
      const list = await door.makeList({ all_products: false, limit_products: [vip], subevent: friday })
      await door.write((tx) =>
        addOrder(tx, door.place, [
          { item: vip, variation: red, secret: 'friday', subevent: friday },
          { item: regular, secret: 'friday too', subevent: friday },
        ]),
      )
      const status = await statusOf(list)
      assert.deepEqual(numbers(status), [0, 1, 0])
      assert.equal(status.event.name, 'Friday')
      assert.deepEqual(
        status.items.map((item) => item.id),
        [vip],
      )
      const empty = await statusOf(await door.makeList({ all_products: false }))
      assert.deepEqual([numbers(empty), empty.items], [[0, 0, 0], []])
    })

    it('counts pending tickets that count as paid', async () => {
      const list = await door.makeList()
      const before = (await statusOf(list)).position_count
      await door.sell('trusted', {}, { status: 'n', valid_if_pending: true })
      assert.equal((await statusOf(list)).position_count, before + 1)
    })

    it('says names in the language of the event', async () => {
      await door.database.run(
        sql`UPDATE event SET settings = '{"locale":"de"}' WHERE id = ${door.place.event}`,
      )
      const { items } = await statusOf(door.list)
      assert.ok(items.some((item) => item.name === 'Normal'))
    })

    it('answers 404 for a list of nowhere', async () => {
      for (const list of ['999999', 'x', '0'])
        assert.equal(
          (await door.server.call('GET', `${door.server.ev}/checkinlists/${list}/status/`)).status,
          404,
        )
    })

    it('names products as the staff does, in the order of categories, those without one last', async () => {
      const { place, list } = door
      await door.write(async (tx) => {
        const named = async (name: string, position: number): Promise<number> => {
          const id = tx.nextId()
          const row = { ...blankRow(category), id, name: { en: name }, position }
          await insertRow(tx, category, place, row)
          return id
        }
        const [last, first, beside] = [
          await named('Last', 3),
          await named('First', 1),
          await named('Beside', 1),
        ]
        await addItem(tx, place, 'Sofa', { category: last, position: 0 })
        await addItem(tx, place, 'Stool', { category: first, position: 9, internal_name: 'Bar' })
        await addItem(tx, place, 'Bench', { category: beside, position: 8 })
      })
      const { items } = await statusOf(list)
      assert.deepEqual(
        items.map(({ name }) => name),
        ['Bench', 'Bar', 'Sofa', 'Day ticket', 'VIP', 'Normal'],
      )
    })
  })
