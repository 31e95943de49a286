import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { mebibyte } from '../../../schema/body-limits.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { gate } from '../../../schema/resources/devices/gate.ts'
import { organizer as organizerResource } from '../../../schema/resources/events/organizer.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import { layoutBackground } from '../../../schema/resources/layouts/layout-background.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { Refusal } from '../../../server/errors.ts'
import { pruneTombstones } from '../../../server/jobs/prune-tombstones.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { deleteWithReferences } from '../../../server/resource/references.ts'
import { insertRow, removeRow, updateRow } from '../../../server/resource/store.ts'
import type { Database } from '../../../server/storage/database.ts'
import { readCursor, writeCursor } from '../../../server/sync/feed/cursor.ts'
import { maskTag } from '../../../server/sync/feed/replicated.ts'
import { bothEngines } from '../../support/engines/engines.ts'
import { addEvent, addOrganizer } from '../../support/servers/servers.ts'
import {
  addDevice,
  addGate,
  addItem,
  addList,
  addOrder,
  addQuestion,
  addVariation,
} from '../../support/ticketing/tickets.ts'
import { Replica } from './model.ts'
import { addCheckin, catchUp, type FeedPlace, fromNothing, idsOf, makeFeedPlace, pageAfter } from './place.ts'

const isGone = (reason: string) => (cause: unknown) => {
  assert.ok(cause instanceof Refusal)
  assert.equal(cause.status, 410)
  assert.equal((cause.body as { reason: string }).reason, reason)
  return true
}

for (const engine of bothEngines)
  describe(`pages of changes on ${engine.name}`, () => {
    let place: FeedPlace
    beforeEach(async () => {
      place = await makeFeedPlace(await engine.open())
    })
    afterEach(() => place.database.close())

    const write: FeedPlace['transactions']['write'] = (work) => place.transactions.write(work)

    const sell = (count: number) =>
      write(async (tx) => {
        const list = await addList(tx, place.gala, 'Door')
        const product = await addItem(tx, place.gala, 'Ticket')
        const form = await addVariation(tx, place.gala, product, 'Adult')
        for (let index = 0; index < count; index += 1) {
          const order = await addOrder(tx, place.gala, [
            { item: product, variation: form, secret: `a${index}` },
            { item: product, secret: `b${index}`, addon_to: 0 },
          ])
          await addCheckin(tx, place.gala, list, order.positions[0] ?? null, { device: place.device })
        }
        return { list, product }
      })

    it('bring everything to a node that has nothing, each page whole in itself', async () => {
      const { product } = await sell(20)
      for (const limit of [1, 7, 1000]) {
        const replica = new Replica()
        replica.put(organizerResource.name, { columns: ['id'], rows: [[place.organizer]] })
        const cursor = await catchUp(place, replica, fromNothing(), limit)
        assert.deepEqual(
          replica.ids('order_position'),
          await idsOf(place.database, 'order_position', place.organizer),
        )
        assert.deepEqual(replica.ids('checkin'), await idsOf(place.database, 'checkin', place.organizer))
        assert.deepEqual(replica.ids('item'), [product])
        assert.equal(replica.of('event').get(place.gala.event)?.slug, 'gala')
        const page = await pageAfter(place, cursor, limit)
        assert.deepEqual([page.cursor, page.more, page.rows, page.gone], [cursor, false, {}, {}])
      }
    })

    it('end once they are large, and never read many large rows at a time', async () => {
      const large = 3 * mebibyte
      const { cursor: before } = await pageAfter(place, fromNothing())
      await write(async (tx) => {
        for (let layout = 1; layout <= 5; layout += 1)
          await insertRow(tx, layoutBackground, place.gala, {
            ...{ id: tx.nextId(), layout },
            content: 'x'.repeat(large),
          })
        const description = { en: 'x'.repeat(mebibyte / 4) }
        for (let count = 0; count < 50; count += 1)
          await addItem(tx, place.gala, `T${count}`, { description })
      })
      let most = 0
      const watched: FeedPlace['database'] = {
        engine: place.database.engine,
        async all<T>(statement: Parameters<Database['all']>[0]): Promise<T[]> {
          const rows = await place.database.all<T>(statement)
          most = Math.max(most, JSON.stringify(rows).length)
          return rows
        },
        get: (statement) => place.database.get(statement),
        run: (statement) => place.database.run(statement),
        remembered: (key, load) => place.database.remembered(key, load),
        transaction: (work, turn) => place.database.transaction(work, turn),
        script: (text) => place.database.script(text),
        close: () => place.database.close(),
      }
      for (const after of [before, fromNothing()]) {
        const sizes: number[] = []
        const arrived = new Set<string>()
        for (let cursor = after; ; ) {
          const page = await pageAfter(place, cursor, 1000, place.device, true, watched)
          sizes.push(JSON.stringify(page).length)
          for (const [resource, { columns, rows }] of Object.entries(page.rows))
            for (const row of rows) arrived.add(`${resource} ${row[columns.indexOf('id')]}`)
          cursor = page.cursor
          if (!page.more) break
        }
        assert.ok(Math.max(...sizes) < 13 * mebibyte, `pages of ${sizes.join(', ')}`)
        assert.ok(sizes.length >= 4, `${sizes.length} pages`)
        assert.ok(most < 9 * mebibyte, `${most} bytes by one statement`)
        assert.equal([...arrived].filter((name) => name.startsWith('layout_background ')).length, 5)
        assert.equal([...arrived].filter((name) => name.startsWith('item ')).length, 50)
      }
    })

    it('hold the rows that theirs point at, wherever these were changed', async () => {
      const { product } = await sell(1)
      const replica = new Replica()
      const cursor = await catchUp(place, replica, fromNothing())
      await write(async (tx) => {
        const second = await addItem(tx, place.gala, 'Second')
        await addOrder(tx, place.gala, [{ item: second, secret: 'new' }])
      })
      // Changed last, the product is reported last: after the ticket that is for it.
      await write((tx) => updateRow(tx, item, place.gala, { id: product, name: { en: 'Other' } }))
      const second = (await idsOf(place.database, 'item', place.organizer)).at(-1)
      await write((tx) => updateRow(tx, item, place.gala, { id: Number(second), name: { en: 'Second one' } }))
      const page = await pageAfter(place, cursor, 1)
      assert.equal(page.more, true)
      const before = replica.pages
      const end = await catchUp(place, replica, cursor, 1)
      assert.ok(replica.pages - before >= 3)
      assert.equal(replica.of('item').get(Number(second))?.name, '{"en":"Second one"}')
      assert.equal((await pageAfter(place, end)).more, false)
    })

    it('tell of deletions when nothing that is to come points at what goes', async () => {
      const made = await write(async (tx) => {
        const kind = tx.nextId()
        await insertRow(tx, category, place.gala, { ...blankRow(category), id: kind, name: { en: 'Kind' } })
        const products: number[] = []
        for (let index = 0; index < 6; index += 1)
          products.push(await addItem(tx, place.gala, `T${index}`, { category: kind }))
        return { kind, products }
      })
      const replica = new Replica()
      const cursor = await catchUp(place, replica, fromNothing())
      await write((tx) =>
        deleteWithReferences(tx, resourceByName, { resource: category, place: place.gala, id: made.kind }),
      )
      // Changed again, they are reported long after the deletion that they made way for.
      for (const id of made.products)
        await write((tx) => updateRow(tx, item, place.gala, { id, position: 7 }))
      const first = await pageAfter(place, cursor, 2)
      assert.deepEqual([first.gone, first.more], [{}, true])
      await catchUp(place, replica, cursor, 2)
      assert.equal(replica.of('category').has(made.kind), false)
      assert.equal(replica.of('item').get(made.products[0] ?? 0)?.category, null)
    })

    it('tell of a deletion among the organizer’s rows after the events that pointed at it', async () => {
      const door = await write((tx) => addGate(tx, place.organizer, 'north'))
      const { list } = await sell(4)
      const scans = await write(async (tx) => {
        const ids: number[] = []
        for (let index = 0; index < 5; index += 1)
          ids.push(await addCheckin(tx, place.gala, list, null, { gate: door }))
        return ids
      })
      const replica = new Replica()
      const cursor = await catchUp(place, replica, fromNothing())
      await write(async (tx) => {
        for (const id of scans) await updateRow(tx, checkin, place.gala, { id, gate: null })
        await removeRow(tx, gate, { organizer: place.organizer, event: 0 }, door)
      })
      await catchUp(place, replica, cursor, 2)
      assert.deepEqual(replica.ids('gate'), [])
    })

    it('say which events a device has lost, and bring all of those it has won', async () => {
      await sell(3)
      const replica = new Replica()
      const cursor = await catchUp(place, replica, fromNothing())
      const limits = (slugs: readonly string[]) =>
        write((tx) =>
          updateRow(
            tx,
            device,
            { organizer: place.organizer, event: 0 },
            { id: place.device, all_events: false, limit_events: [...slugs] },
          ),
        )
      await limits(['ball'])
      const without = await pageAfter(place, cursor)
      assert.deepEqual(without.lost, [place.gala.event])
      replica.apply(without)
      assert.deepEqual(replica.ids('order_position'), [])
      assert.deepEqual(replica.ids('event'), [place.ball.event])
      await limits(['ball', 'gala'])
      for (const limit of [3, 1000]) {
        const again = new Replica()
        again.rows.set('device', replica.of('device'))
        again.rows.set('event', new Map(replica.of('event')))
        await catchUp(place, again, without.cursor, limit)
        assert.deepEqual(
          again.ids('order_position'),
          await idsOf(place.database, 'order_position', place.organizer),
        )
        assert.deepEqual(again.ids('event'), [place.gala.event, place.ball.event])
      }
    })

    it('keep to the organizer and the events of the device', async () => {
      await sell(2)
      const other = await write(async (tx) => {
        const organizer = await addOrganizer(tx, 'rival')
        const rival = { organizer, event: await addEvent(tx, organizer, 'secret-party') }
        await addOrder(tx, rival, [{ item: await addItem(tx, rival, 'Rival ticket'), secret: 'rival' }])
        await addOrder(tx, place.ball, [
          { item: await addItem(tx, place.ball, 'Ball ticket'), secret: 'ball' },
        ])
        return addDevice(tx, place.organizer, 2, 'ball', { all_events: false, limit_events: ['ball'] })
      })
      const page = await pageAfter(place, fromNothing(), 1000, other)
      const text = JSON.stringify(page)
      assert.match(text, /Ball ticket/)
      assert.doesNotMatch(text, /gala|rival|Rival|secret-party|"Ticket"/)
      assert.doesNotMatch(JSON.stringify(await pageAfter(place, fromNothing())), /[Rr]ival|secret-party/)
    })

    it('are refused with 410 and why, where the cursor cannot be followed', async () => {
      await sell(2)
      const { cursor } = await pageAfter(place, fromNothing())
      const read = readCursor(cursor)
      assert.ok(read)
      const at = read.events.get(place.gala.event)
      assert.ok(at)
      const ahead = writeCursor({
        ...read,
        events: new Map([[place.gala.event, { ...at, seq: at.seq + 1, gone: at.seq }]]),
      })
      await assert.rejects(pageAfter(place, ahead), isGone('ahead'))
      await assert.rejects(pageAfter(place, cursor, 1000, place.device, false), isGone('profile'))
      await write((tx) =>
        updateRow(
          tx,
          device,
          { organizer: place.organizer, event: 0 },
          { id: place.device, security_profile: 'gate' },
        ),
      )
      await assert.rejects(pageAfter(place, cursor), isGone('profile'))
    })

    it('are refused once deletions that are missing from them are forgotten, and not before', async () => {
      await sell(1)
      const { cursor } = await pageAfter(place, fromNothing())
      const doomed = await write((tx) => addItem(tx, place.gala, 'Doomed'))
      const { cursor: with1 } = await pageAfter(place, cursor)
      await write((tx) =>
        deleteWithReferences(tx, resourceByName, { resource: item, place: place.gala, id: doomed }),
      )
      const { cursor: after } = await pageAfter(place, with1)
      const at = (day: number) => new Date(Date.UTC(2030, 0, day)).toISOString().replace('Z', '000Z')
      assert.equal(await pruneTombstones(place.transactions, at(1)), 0)
      assert.equal(await pruneTombstones(place.transactions, at(90)), 0)
      assert.deepEqual((await pageAfter(place, with1)).gone, { item: [doomed] })
      assert.equal(await pruneTombstones(place.transactions, at(92)), 1)
      await assert.rejects(pageAfter(place, with1), isGone('pruned'))
      assert.deepEqual((await pageAfter(place, after)).gone, {})
      const left = await place.database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM change WHERE op = 'delete'`,
      )
      assert.equal(Number(left?.count), 0)
    })

    it('are read again where what they point at is deleted while they are read', async () => {
      const kind = await write(async (tx) => {
        const id = tx.nextId()
        await insertRow(tx, category, place.gala, { ...blankRow(category), id, name: { en: 'Kind' } })
        return id
      })
      const replica = new Replica()
      const cursor = await catchUp(place, replica, fromNothing())
      const product = await write((tx) => addItem(tx, place.gala, 'T', { category: kind }))
      let deletions = 0
      const meddling: Database = {
        ...place.database,
        engine: place.database.engine,
        remembered: (key, load) => place.database.remembered(key, load),
        get: (statement) => place.database.get(statement),
        async all(statement) {
          const rows = await place.database.all(statement)
          if (deletions === 0 && /FROM "item"/.test(statement.sql)) {
            deletions += 1
            await write((tx) =>
              deleteWithReferences(tx, resourceByName, { resource: category, place: place.gala, id: kind }),
            )
          }
          return rows as never
        },
      }
      replica.apply(await pageAfter(place, cursor, 1000, place.device, true, meddling))
      assert.equal(deletions, 1)
      assert.equal(replica.of('item').get(product)?.category, null)
      assert.equal(replica.of('category').has(kind), false)
    })

    it('bring an event anew to a node at an entrance when other answers are asked for at its entrance', async () => {
      const made = await write(async (tx) => {
        const product = await addItem(tx, place.gala, 'Ticket')
        const known = await addQuestion(tx, place.gala, [product], { identifier: 'known' })
        const late = await addQuestion(tx, place.gala, [product], {
          identifier: 'late',
          ask_during_checkin: false,
        })
        const answers = [known, late].map((question) => ({ question, answer: `to ${question}`, options: [] }))
        const { positions } = await addOrder(tx, place.gala, [{ item: product, secret: 's', answers }])
        const lean = await addDevice(tx, place.organizer, 3, 'lean', { security_profile: 'gate' })
        return { late, lean, position: positions[0] ?? 0, known }
      })
      const replica = new Replica()
      const page = await pageAfter(place, fromNothing(maskTag('entrance')), 1000, made.lean)
      replica.apply(page)
      const held = () => JSON.parse(String(replica.of('order_position').get(made.position)?.answers))
      assert.deepEqual(held(), [{ question: made.known, answer: `to ${made.known}`, options: [] }])
      await write(async (tx) => {
        const question = resourceByName.get('question')
        assert.ok(question)
        await updateRow(tx, question, place.gala, { id: made.late, ask_during_checkin: true })
      })
      replica.apply(await pageAfter(place, page.cursor, 1000, made.lean))
      assert.equal(held().length, 2)
    })

    it('bring check-ins of a device without orders with what was scanned, or the code of the ticket', async () => {
      const made = await write(async (tx) => {
        const list = await addList(tx, place.gala, 'Door')
        const { positions } = await addOrder(tx, place.gala, [
          { item: await addItem(tx, place.gala, 'T'), secret: 'code1' },
        ])
        return [
          await addCheckin(tx, place.gala, list, positions[0] ?? null, { raw_barcode: 'scanned' }),
          await addCheckin(tx, place.gala, list, positions[0] ?? null, { ordinal: 2 }),
        ]
      })
      const replica = new Replica()
      const page = await pageAfter(place, fromNothing('whole-tickets'), 1000, place.device, false)
      replica.apply(page)
      assert.deepEqual(
        made.map((id) => [
          replica.of('checkin').get(id)?.position,
          replica.of('checkin').get(id)?.raw_barcode,
        ]),
        [
          [null, 'scanned'],
          [null, 'code1'],
        ],
      )
      assert.deepEqual(
        ['order', 'order_position', 'order_fee', 'order_payment'].filter((name) => name in page.rows),
        [],
      )
    })

    it('bring whole events from a copy that has not noted the changes it was loaded with', async () => {
      const { product } = await sell(6)
      const replica = new Replica()
      await catchUp(place, replica, fromNothing())
      const { database } = place
      await database.run(sql`DELETE FROM change`)
      await database.run(sql`DELETE FROM feed`)
      for (const limit of [4, 1000]) {
        const other = new Replica()
        other.rows.set('device', replica.of('device'))
        const cursor = await catchUp(place, other, fromNothing(), limit)
        assert.deepEqual(other.ids('order_position'), replica.ids('order_position'))
        assert.deepEqual(other.ids('event'), [place.gala.event, place.ball.event])
        await write((tx) => addOrder(tx, place.gala, [{ item: product, secret: `later ${limit}` }]))
        const page = await pageAfter(place, cursor)
        assert.deepEqual(Object.keys(page.rows), ['order', 'order_position'])
        other.apply(page)
        replica.put('order_position', page.rows.order_position ?? { columns: [], rows: [] })
      }
    })

    it('tell what happens at other events while a node is given all rows of one', async () => {
      await sell(10)
      const narrow = await write((tx) =>
        addDevice(tx, place.organizer, 7, 'n', { all_events: false, limit_events: ['ball'] }),
      )
      const { cursor } = await pageAfter(place, fromNothing(), 1000, narrow)
      await write(async (tx) => {
        await updateRow(
          tx,
          device,
          { organizer: place.organizer, event: 0 },
          { id: narrow, limit_events: ['gala', 'ball'] },
        )
        await addItem(tx, place.ball, 'At the ball')
      })
      const page = await pageAfter(place, cursor, 5, narrow)
      assert.equal(page.more, true)
      assert.match(JSON.stringify(page.rows.item), /At the ball/)
    })

    it('stay small when a row is changed over and over', async () => {
      const { product } = await sell(1)
      const { cursor } = await pageAfter(place, fromNothing())
      for (let index = 0; index < 10; index += 1)
        await write((tx) => updateRow(tx, item, place.gala, { id: product, position: index }))
      const page = await pageAfter(place, cursor)
      assert.deepEqual(
        Object.entries(page.rows).map(([name, { rows }]) => [name, rows.length]),
        [['item', 1]],
      )
      assert.equal(orderPosition.name in page.rows, false)
    })
  })
