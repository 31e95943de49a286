import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { ListStatistics } from '../../schema/bodies/station-state.ts'
import { addItem, addList, addVariation } from '../support/ticketing/tickets.ts'
import { ask, type Desk, openDesk } from './desk.ts'

const quarter = 15 * 60_000

describe('the statistics of a station', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
  })
  afterEach(() => desk.close())

  const statistics = async () => {
    const { status, body } = await desk.call('GET', '/api/v1/station/statistics/')
    assert.equal(status, 200)
    return body as unknown as ListStatistics
  }

  it('say what happened at its list by quarter, product and gate', async () => {
    const { item, variation } = await desk.transactions.write(async (tx) => {
      const weekend = await addItem(tx, desk.place, 'Weekend')
      return { item: weekend, variation: await addVariation(tx, desk.place, weekend, 'Child') }
    })
    await desk.sell('first')
    await desk.sell('second')
    await desk.sell('third', { item, variation })
    await desk.scan('first')
    await desk.scan('second')
    desk.env.pass(quarter)
    await desk.scan('first', { type: 'exit' })
    await desk.setUp({ gate: null })
    await desk.scan('third')
    desk.env.pass(quarter)
    await desk.scan('first', { force: true })
    const shown = await statistics()
    assert.equal(shown.list_name, 'Main')
    assert.equal(shown.timezone, 'Europe/Berlin')
    assert.deepEqual(shown.total, { first_entries: 3, reentries: 1, exits: 1, refused: 0 })
    assert.deepEqual(
      shown.quarters.map(({ first_entries, reentries, exits }) => [first_entries, reentries, exits]),
      [
        [2, 0, 0],
        [1, 0, 1],
        [0, 1, 0],
      ],
    )
    assert.deepEqual(
      shown.products.map(({ name, first_entries, reentries, exits }) => [
        name,
        first_entries,
        reentries,
        exits,
      ]),
      [
        ['Day ticket', 2, 1, 1],
        ['Weekend · Child', 1, 0, 0],
      ],
    )
    assert.deepEqual(shown.gates, [
      { id: desk.gate, name: 'North', first_entries: 2, reentries: 0, exits: 1 },
      { id: null, name: null, first_entries: 1, reentries: 1, exits: 0 },
    ])
  })

  it('count refused scans by reason, and nothing that was undone or of another list', async () => {
    await desk.sell('first')
    await desk.sell('unpaid', {}, { status: 'n' })
    const { body } = await desk.scan('first')
    await desk.scan('nobody')
    desk.env.pass(10_000)
    await desk.scan('nobody')
    await desk.scan('unpaid')
    await desk.call('POST', '/api/v1/station/undo/', { nonce: body.nonce })
    const shown = await statistics()
    assert.deepEqual(shown.refused, [
      { reason: 'invalid', count: 2 },
      { reason: 'unpaid', count: 1 },
    ])
    assert.deepEqual(shown.total, { first_entries: 0, reentries: 0, exits: 0, refused: 3 })
    const other = await desk.transactions.write((tx) => addList(tx, desk.place, 'Other'))
    await desk.setUp({ list: other })
    assert.deepEqual((await statistics()).total, { first_entries: 0, reentries: 0, exits: 0, refused: 0 })
  })

  it('name the product of tickets that were admitted by their signature alone', async () => {
    await desk.sell('first')
    await desk.scan('first')
    // What is left of a scan whose order is not known here.
    await desk.transactions.database.transaction((tx) =>
      tx.run(
        sql`UPDATE checkin SET "position" = NULL, raw_item = ${desk.item} WHERE organizer = ${desk.place.organizer}`,
      ),
    )
    const { total, products } = await statistics()
    assert.equal(total.first_entries, 1)
    assert.deepEqual(products, [
      { id: desk.item, name: 'Day ticket', first_entries: 1, reentries: 0, exits: 0 },
    ])
  })

  it('hold no names and no codes', async () => {
    await desk.sell('secret-code', { attendee_name: 'Ada Lovelace' })
    await desk.scan('secret-code')
    assert.doesNotMatch(JSON.stringify(await statistics()), /Ada|secret-code/)
  })

  it('are for its own screens once it is set up', async () => {
    const fresh = await openDesk()
    assert.equal((await fresh.call('GET', '/api/v1/station/statistics/')).status, 409)
    await fresh.close()
    assert.equal((await ask(`${desk.url}/api/v1/station/statistics/`, 'GET', undefined, {})).status, 401)
  })
})
