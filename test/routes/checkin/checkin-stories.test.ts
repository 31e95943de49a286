import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'
import { clockAt, type Door, openDoor, scansOf, verdict } from './checkin-door.ts'

const start = Date.UTC(2030, 5, 1, 10)

for (const engine of engines)
  describe(`stories of a door on ${engine.name}`, () => {
    let door: Door
    let product: number
    /** All products, pending orders too, once, and again after going out. */
    let first: number
    /** One product only, any number of times. */
    let second: number
    /** All products, once, and not again after going out. */
    let third: number
    before(async () => {
      door = await openDoor(await engine.open(), clockAt('2030-06-01T18:00:00Z'))
      product = await door.write((tx) => addItem(tx, door.place, 'Product 1'))
      first = await door.makeList({ include_pending: true })
      second = await door.makeList({
        all_products: false,
        limit_products: [product],
        allow_multiple_entries: true,
      })
      third = await door.makeList({ include_pending: true, allow_entry_after_exit: false })
      for (const name of ['left', 'right'])
        await door.write((tx) => addDevice(tx, door.place.organizer, name === 'left' ? 1 : 2, name))
    })
    after(() => door.server.close())

    /** Scans one after the other, a minute apart unless said otherwise; what each was answered. */
    const tell = async (
      secret: string,
      list: number,
      types: readonly ('entry' | 'exit')[],
      minutes = 1,
    ): Promise<string[]> => {
      const said: string[] = []
      for (const [index, type] of types.entries()) {
        const datetime = new Date(start + index * minutes * 60_000).toISOString()
        said.push(verdict(await door.redeem(secret, { lists: [list], type, datetime })))
      }
      return said
    }
    const ok = '201 ok'
    const used = '400 error already_redeemed'

    it('refuses a ticket that was redeemed on this list before', async () => {
      await door.sell('redeemed')
      await door.redeem('redeemed', { lists: [first] }, { Authorization: 'Device left' })
      const again = await door.redeem('redeemed', { lists: [first] }, { Authorization: 'Device right' })
      assert.equal(verdict(again), used)
    })

    it('admits once a ticket that is scanned twice', async () => {
      await door.sell('twice')
      assert.deepEqual(await tell('twice', first, ['entry', 'entry']), [ok, used])
    })

    it('admits on one list a ticket that was redeemed on another', async () => {
      await door.sell('elsewhere')
      assert.deepEqual(await tell('elsewhere', first, ['entry']), [ok])
      assert.deepEqual(await tell('elsewhere', third, ['entry']), [ok])
    })

    it('admits twice where several entries are allowed', async () => {
      await door.sell('several', { item: product })
      assert.deepEqual(await tell('several', second, ['entry', 'entry']), [ok, ok])
      assert.equal((await scansOf(door, 'several')).length, 2)
    })

    it('lets out twice after one entry', async () => {
      await door.sell('outs', { item: product })
      assert.deepEqual(await tell('outs', second, ['entry', 'exit', 'exit']), [ok, ok, ok])
      assert.equal((await scansOf(door, 'outs')).length, 3)
    })

    it('admits again after an exit, and then not a second time', async () => {
      await door.sell('back')
      assert.deepEqual(await tell('back', first, ['entry', 'exit', 'entry', 'entry']), [ok, ok, ok, used])
    })

    it('does not admit again after an exit where the list forbids it', async () => {
      await door.sell('gone')
      assert.deepEqual(await tell('gone', third, ['entry', 'exit', 'entry']), [ok, ok, used])
    })

    it('admits, lets out and admits again within the same second, and within the same instant', async () => {
      await door.sell('quick')
      assert.deepEqual(await tell('quick', first, ['entry', 'exit', 'entry'], 0.001), [ok, ok, ok])
      await door.sell('instant')
      assert.deepEqual(await tell('instant', first, ['entry', 'exit', 'entry'], 0), [ok, ok, ok])
    })

    it('lets out a ticket that never entered, but none that is pending or canceled', async () => {
      await door.sell('never in')
      await door.sell('pending', {}, { status: 'n' })
      await door.sell('canceled', {}, { status: 'c' })
      assert.deepEqual(await tell('never in', first, ['exit']), [ok])
      assert.deepEqual(await tell('pending', first, ['exit']), ['400 error unpaid'])
      assert.deepEqual(await tell('canceled', first, ['exit']), ['400 error canceled'])
    })

    it('judges by the time of the scan, not of its arrival: an old exit does not open the door', async () => {
      await door.sell('late upload')
      const scan = (type: string, hour: number) =>
        door.redeem('late upload', { lists: [first], type, datetime: `2030-06-01T${hour}:00:00Z` })
      assert.equal(verdict(await scan('entry', 12)), ok)
      assert.equal(verdict(await scan('exit', 11)), ok)
      assert.equal(verdict(await scan('entry', 13)), used)
      assert.equal(verdict(await scan('exit', 14)), ok)
      assert.equal(verdict(await scan('entry', 15)), ok)
    })

    it('admits exactly one of many who show the same ticket at once', async () => {
      for (let round = 0; round < 5; round += 1) {
        const secret = `copied ${round}`
        await door.sell(secret)
        const said = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            door.redeem(
              secret,
              { lists: [first], nonce: `${secret}-${index}` },
              { Authorization: `Device ${index % 2 === 0 ? 'left' : 'right'}` },
            ),
          ),
        )
        assert.deepEqual(said.map(verdict).sort(), [ok, ...Array.from({ length: 11 }, () => used)])
        const stored = await scansOf(door, secret)
        assert.equal(stored.filter((scan) => scan.successful === 1).length, 1)
      }
    })

    it('stores once a scan whose answer was lost and which is sent many times at once', async () => {
      await door.sell('lost answer')
      const said = await Promise.all(
        Array.from({ length: 12 }, () => door.redeem('lost answer', { lists: [first], nonce: 'same' })),
      )
      assert.deepEqual([...new Set(said.map(verdict))], [ok])
      assert.equal((await scansOf(door, 'lost answer')).length, 1)
    })

    it('numbers the passes of a ticket one by one, whoever made them at once', async () => {
      await door.sell('numbered', { item: product })
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          door.redeem('numbered', { lists: [second], type: index % 2 === 0 ? 'entry' : 'exit' }),
        ),
      )
      const rows = await door.database.all<{ ordinal: number }>(
        sql`SELECT ordinal FROM checkin WHERE raw_barcode = 'numbered' ORDER BY ordinal`,
      )
      assert.deepEqual(
        rows.map((row) => row.ordinal),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      )
    })
  })
