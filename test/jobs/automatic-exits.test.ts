import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { exitEverybodyDue } from '../../server/jobs/automatic-exits.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { clockAt, type Door, openDoor, verdict } from '../routes/checkin/checkin-door.ts'
import { engines } from '../support/engines/engines.ts'
import { addEvent } from '../support/servers/servers.ts'
import { addList } from '../support/ticketing/tickets.ts'

interface Exit {
  readonly position: number
  readonly datetime: string
  readonly auto_checked_in: number
  readonly device: number | null
}

for (const engine of engines)
  describe(`automatic exits on ${engine.name}`, () => {
    let door: Door
    before(async () => {
      door = await openDoor(await engine.open(), clockAt('2035-06-30T09:00:00Z'))
    })
    after(() => door.server.close())
    afterEach(() => door.database.run(sql`UPDATE checkin_list SET exit_all_at = NULL`))

    // The times are ahead, so that the server's own jobs leave them alone.
    const run = (now: string) => exitEverybodyDue(door.server.running.transactions, now)
    const listWith = (exit_all_at: string, more: RowData = {}) => door.makeList({ exit_all_at, ...more })
    const exitsOf = async (list: number): Promise<Exit[]> =>
      (
        await door.database.all<Exit>(
          sql`SELECT "position" AS position, datetime, auto_checked_in, device FROM checkin WHERE list = ${list} AND "type" = 'exit' ORDER BY id`,
        )
      ).map((row) => ({ ...row }))
    const planOf = async (list: number) => {
      const row = await door.database.get<{ exit_all_at: string; exit_all_local: string | null }>(
        sql`SELECT exit_all_at, exit_all_local FROM checkin_list WHERE id = ${list}`,
      )
      return [row?.exit_all_at.slice(0, 16), row?.exit_all_local]
    }
    const scan = (secret: string, list: number, datetime: string, more: RowData = {}) =>
      door.redeem(secret, { lists: [list], datetime, ...more })

    it('take out everybody who is inside, and nobody else', async () => {
      const list = await listWith('2035-07-01T22:00:00Z')
      const inside = await door.sell('inside')
      for (const secret of ['left', 'same instant', 'never came', 'came later', 'elsewhere'])
        await door.sell(secret)
      const back = await door.sell('came back')
      await scan('inside', list, '2035-07-01T10:00:00Z')
      await scan('left', list, '2035-07-01T10:00:00Z')
      await scan('left', list, '2035-07-01T11:00:00Z', { type: 'exit' })
      await scan('same instant', list, '2035-07-01T10:00:00Z')
      await scan('same instant', list, '2035-07-01T10:00:00Z', { type: 'exit' })
      await scan('came later', list, '2035-07-01T22:00:01Z')
      await scan('elsewhere', door.list, '2035-07-01T10:00:00Z')
      for (const [type, hour] of [
        ['entry', 10],
        ['exit', 11],
        ['entry', 12],
      ] as const)
        await scan('came back', list, `2035-07-01T${hour}:00:00Z`, { type })
      assert.equal(await run('2035-07-01T21:59:59.999999Z'), 0)
      assert.equal(await run('2035-07-01T22:00:30.000000Z'), 2)
      const automatic = (await exitsOf(list)).filter((exit) => exit.auto_checked_in === 1)
      assert.deepEqual(
        automatic,
        [inside, back].map((ticket) => ({
          position: ticket.id,
          datetime: '2035-07-01T22:00:00.000000Z',
          auto_checked_in: 1,
          device: null,
        })),
      )
    })

    it('admit guests again the next day, once', async () => {
      const list = await listWith('2035-07-02T22:00:00Z')
      await door.sell('two days')
      await scan('two days', list, '2035-07-02T10:00:00Z')
      assert.equal(
        verdict(await scan('two days', list, '2035-07-02T21:00:00Z')),
        '400 error already_redeemed',
      )
      await run('2035-07-02T22:00:00.000000Z')
      assert.equal(verdict(await scan('two days', list, '2035-07-03T10:00:00Z')), '201 ok')
      assert.equal(
        verdict(await scan('two days', list, '2035-07-03T10:01:00Z')),
        '400 error already_redeemed',
      )
    })

    it('count from their hour on, also where they are not written yet', async () => {
      const list = await listWith('2035-07-02T22:00:00Z')
      await door.sell('in the night')
      await scan('in the night', list, '2035-07-02T10:00:00Z')
      assert.equal(verdict(await scan('in the night', list, '2035-07-02T22:00:01Z')), '201 ok')
    })

    it('are not written by a node below another one, which receives them', async () => {
      const list = await listWith('2035-07-02T22:00:00Z')
      await door.sell('below')
      await scan('below', list, '2035-07-02T10:00:00Z')
      const { transactions } = door.server.running
      assert.equal(await exitEverybodyDue({ ...transactions, site: 7 }, '2035-07-02T22:00:00.000000Z'), 0)
      assert.deepEqual(await exitsOf(list), [])
    })

    it('do not look at the state of the order', async () => {
      const list = await listWith('2035-07-03T22:00:00Z')
      const ticket = await door.sell('refunded')
      await scan('refunded', list, '2035-07-03T10:00:00Z')
      await door.database.run(sql`UPDATE orders SET status = 'c' WHERE id = ${ticket.order}`)
      await run('2035-07-03T22:00:00.000000Z')
      assert.equal((await exitsOf(list)).length, 1)
    })

    it('take out somebody whose second entry was undone', async () => {
      const list = await listWith('2035-07-04T22:00:00Z', { allow_multiple_entries: true })
      await door.sell('undone once')
      await scan('undone once', list, '2035-07-04T10:00:00Z')
      await scan('undone once', list, '2035-07-04T11:00:00Z', { nonce: 'undo-1' })
      const undo = { nonce: 'undo-1', lists: [list], datetime: '2035-07-04T11:01:00Z' }
      await door.server.call('POST', `${door.server.org}/checkinrpc/annul/`, undo)
      assert.equal(await run('2035-07-04T22:00:00.000000Z'), 1)
    })

    it('are in the change feed, with the list that they moved on', async () => {
      const list = await listWith('2035-07-05T22:00:00Z')
      await door.sell('fed')
      await scan('fed', list, '2035-07-05T10:00:00Z')
      const seq = async () =>
        Number((await door.database.get<{ seq: number }>(sql`SELECT max(seq) AS seq FROM change`))?.seq)
      const before = await seq()
      await run('2035-07-05T22:00:00.000000Z')
      const rows = await door.database.all<{ resource: string }>(
        sql`SELECT resource FROM change WHERE event = ${door.place.event} AND seq > ${before} ORDER BY resource`,
      )
      assert.deepEqual(
        rows.map((row) => row.resource),
        ['checkin', 'checkin_list'],
      )
    })

    it('catch up one day in each run after an outage', async () => {
      const list = await listWith('2035-07-06T22:00:00Z')
      const now = '2035-07-08T23:00:00.000000Z'
      const plans: unknown[] = []
      for (let time = 0; time < 4; time += 1) {
        await run(now)
        plans.push((await planOf(list))[0])
      }
      assert.deepEqual(plans, [
        '2035-07-07T22:00',
        '2035-07-08T22:00',
        '2035-07-09T22:00',
        '2035-07-09T22:00',
      ])
    })

    it('happen at the same local time when the clocks change, later where there is none', async () => {
      // In Berlin clocks went from 2:00 to 3:00 on 25 March 2035, and from 3:00 to 2:00 on 28 October.
      const spring = await listWith('2035-03-24T01:30:00Z')
      const evening = await listWith('2035-03-24T21:00:00Z')
      const autumn = await listWith('2035-10-27T00:30:00Z')
      const plans: unknown[] = []
      for (const [list, now] of [
        [spring, '2035-03-24T02:00:00.000000Z'],
        [spring, '2035-03-25T02:00:00.000000Z'],
        [evening, '2035-03-24T21:00:00.000000Z'],
        [autumn, '2035-10-27T01:00:00.000000Z'],
        [autumn, '2035-10-28T02:00:00.000000Z'],
      ] as const) {
        await run(now)
        plans.push(await planOf(list))
      }
      assert.deepEqual(plans, [
        ['2035-03-25T01:30', '02:30:00'],
        ['2035-03-26T00:30', null],
        ['2035-03-25T20:00', null],
        ['2035-10-28T01:30', null],
        ['2035-10-29T01:30', null],
      ])
    })

    it('happen on the other lists when one of them fails, and say that it failed', async () => {
      const { organizer } = door.place
      const broken = await door.write(async (tx) => {
        const event = await addEvent(tx, organizer, 'lost', { timezone: 'Nowhere/Lost' })
        return addList(tx, { organizer, event }, 'Lost', { exit_all_at: '2035-01-01T00:00:00Z' })
      })
      const list = await listWith('2035-07-10T22:00:00Z')
      await door.sell('not hindered')
      await scan('not hindered', list, '2035-07-10T10:00:00Z')
      await assert.rejects(run('2035-07-10T22:00:00.000000Z'))
      assert.equal((await exitsOf(list)).length, 1)
      await door.database.run(sql`DELETE FROM checkin_list WHERE id = ${broken}`)
    })

    it('leave lists alone that have no hour', async () => {
      const list = await door.makeList()
      await door.sell('stays')
      await scan('stays', list, '2035-07-01T10:00:00Z')
      await run('2036-01-01T00:00:00.000000Z')
      assert.deepEqual(await exitsOf(list), [])
    })

    it('happen once, also when two servers look at the same time', async () => {
      const list = await listWith('2035-08-01T22:00:00Z')
      await door.sell('once')
      await scan('once', list, '2035-08-01T10:00:00Z')
      const now = '2035-08-01T22:00:00.000000Z'
      await Promise.all([run(now), run(now), run(now)])
      assert.equal((await exitsOf(list)).length, 1)
      assert.equal((await planOf(list))[0], '2035-08-02T22:00')
    })
  })
