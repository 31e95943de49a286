import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { gate } from '../../../schema/resources/devices/gate.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow, removeRow, updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { seeded } from '../../support/ticketing/messy-guest-list.ts'
import { addGate, addItem, addOrder } from '../../support/ticketing/tickets.ts'
import { Replica } from './model.ts'
import { catchUp, type FeedPlace, fromNothing, idsOf, makeFeedPlace, pageAfter } from './place.ts'

const writers = 16
const writesEach = 20

for (const engine of engines)
  describe(`following a feed that many write to on ${engine.name}`, () => {
    let place: FeedPlace
    before(async () => {
      place = await makeFeedPlace(await engine.open())
    })
    after(() => place.database.close())

    it('misses no row, whenever it is looked and however large the pages are', async () => {
      const draw = seeded(20_301_224)
      const { transactions, gala, ball, organizer } = place
      const pause = async (turns: number) => {
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      }
      let writing = true
      const door = await transactions.write((tx) => addGate(tx, organizer, 'always'))

      const write = async () => {
        for (let count = 0; count < writesEach; count += 1) {
          const [kind, turns, fails] = [draw(), Math.floor(draw() * 6), draw() < 0.15]
          const event = draw() < 0.5 ? gala : ball
          const attempt = transactions.write(async (tx) => {
            if (kind < 0.6) {
              const product = await addItem(tx, event, 'T')
              await addOrder(tx, event, [{ item: product, secret: `s${product}` }])
              if (kind < 0.2)
                await updateRow(tx, gate, { organizer, event: 0 }, { id: door, name: `N${count}` })
            } else {
              const id = tx.nextId()
              await insertRow(
                tx,
                gate,
                { organizer, event: 0 },
                { ...blankRow(gate), id, name: 'Door', identifier: `d${id}` },
              )
              if (kind > 0.8) await removeRow(tx, gate, { organizer, event: 0 }, id)
            }
            // What comes last in a transaction is what others wait for; this one takes its time before that.
            for (let turn = 0; turn < turns; turn += 1) await tx.get(sql`SELECT 1 AS one`)
            if (fails) throw new Error('no')
          })
          await attempt.catch((cause: unknown) => assert.match(String(cause), /no/))
          await pause(turns)
        }
      }

      const follow = async (limit: number): Promise<Replica> => {
        const replica = new Replica()
        let cursor = fromNothing()
        while (writing) {
          const page = await pageAfter(place, cursor, limit)
          replica.apply(page)
          cursor = page.cursor
          await pause(limit % 7)
        }
        await catchUp(place, replica, cursor, limit)
        return replica
      }

      const followers = [1, 5, 1000].map(follow)
      await Promise.all(Array.from({ length: writers }, write))
      writing = false
      const positions = await idsOf(place.database, 'order_position', organizer)
      const gates = await idsOf(place.database, 'gate', organizer)
      assert.ok(positions.length > writers * writesEach * 0.3)
      for (const replica of await Promise.all(followers)) {
        assert.deepEqual(replica.ids('order_position'), positions)
        assert.deepEqual(replica.ids('gate'), gates)
      }
    })
  })
