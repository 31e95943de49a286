import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { type Desk, openDesk } from '../desk.ts'

const office = { Authorization: 'Token all' }

describe('the capacity of a check-in list', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    for (const code of ['a', 'b', 'c', 'd']) await desk.sell(code)
  })
  afterEach(() => desk.close())

  const ev = '/api/v1/organizers/acme/events/gala'
  const set = async (path: string, body: RowData) => {
    const answer = await desk.call('PATCH', `${ev}/${path}`, body, office)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const limit = (capacity: number | null) => set(`checkinlists/${desk.list}/`, { capacity })
  const settle = (settings: RowData) => set('settings/', settings)
  const shown = async () => {
    const { counts } = (await desk.call('GET', '/api/v1/station/')).body as {
      counts: { capacities?: RowData[]; inside_count: number }
    }
    return counts.capacities?.map(({ inside, capacity, fullness }) => [inside, capacity, fullness])
  }
  const scanned = async (code: string, more: RowData = {}) => {
    const { body } = await desk.scan(code, more)
    desk.env.pass(10_000)
    return [body.status, body.reason, body.reason_explanation]
  }
  const admitted = ['ok', null, null]

  it('is a number of guests, or nobody has said one', async () => {
    assert.equal((await limit(2000)).capacity, 2000)
    assert.equal((await limit(null)).capacity, null)
    for (const capacity of [0, -1, 1.5, 'many', 10_000_001]) {
      const answer = await desk.call('PATCH', `${ev}/checkinlists/${desk.list}/`, { capacity }, office)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['capacity']], String(capacity))
    }
  })

  it('is warned of from the share on that is set, counts exits, and refuses nobody', async () => {
    await limit(3)
    await settle({ entrance_capacity_warning: 60 })
    assert.deepEqual(await scanned('a'), admitted)
    assert.equal(await shown(), undefined)
    await scanned('b')
    assert.deepEqual(await shown(), [[2, 3, 'near']])
    await scanned('c')
    assert.deepEqual(await shown(), [[3, 3, 'full']])
    assert.deepEqual(await scanned('d'), admitted)
    assert.deepEqual(await shown(), [[4, 3, 'full']])
    await scanned('a', { type: 'exit' })
    await scanned('b', { type: 'exit' })
    assert.deepEqual(await shown(), [[2, 3, 'near']])
    await scanned('c', { type: 'exit' })
    assert.equal(await shown(), undefined)
  })

  it('is nothing to anybody where nobody has said one', async () => {
    await settle({ entrance_capacity_blocks: true })
    for (const code of ['a', 'b', 'c', 'd']) assert.deepEqual(await scanned(code), admitted)
    assert.equal(await shown(), undefined)
  })

  it('keeps out whoever comes when it is full, where that is set, and lets in again after an exit', async () => {
    await limit(2)
    await settle({ entrance_capacity_blocks: true })
    await scanned('a')
    await scanned('b')
    assert.deepEqual(await scanned('c'), ['error', 'rules', 'Full: 2 of 2 are inside'])
    assert.deepEqual(await scanned('b'), ['error', 'already_redeemed', null])
    assert.deepEqual(await scanned('a', { type: 'exit' }), admitted)
    assert.deepEqual(await scanned('c'), admitted)
    assert.deepEqual(await scanned('a'), ['error', 'rules', 'Full: 2 of 2 are inside'])
    assert.deepEqual(await scanned('a', { force: true }), admitted)
    assert.deepEqual(await shown(), [[3, 2, 'full']])
  })

  it('is no reason to keep out whoever is inside already', async () => {
    await limit(1)
    await settle({ entrance_capacity_blocks: true })
    await set(`checkinlists/${desk.list}/`, { allow_multiple_entries: true })
    assert.deepEqual(await scanned('a'), admitted)
    assert.deepEqual(await scanned('a'), admitted)
    assert.deepEqual(await scanned('b'), ['error', 'rules', 'Full: 1 of 1 are inside'])
  })

  it('answers a scan whose answer was lost like the first time, however full it is by then', async () => {
    await limit(1)
    await settle({ entrance_capacity_blocks: true })
    assert.deepEqual(await scanned('a', { nonce: 'n' }), admitted)
    assert.deepEqual(await scanned('a', { nonce: 'n' }), admitted)
  })

  it('counts those who are inside by a signature alone', async () => {
    await limit(2)
    const { organizer, event } = desk.place
    const pass = (id: number, code: string, type: string, minute: number) =>
      desk.transactions.database.run(
        sql`INSERT INTO checkin (organizer, event, id, successful, datetime, created, list, auto_checked_in, "type", raw_barcode, forced, force_sent, site)
            VALUES (${organizer}, ${event}, ${id}, 1, ${`2030-06-01T10:0${minute}:00.000000Z`}, ${`2030-06-01T10:0${minute}:00.000000Z`}, ${desk.list}, 0, ${type}, ${code}, 0, 0, 0)`,
      )
    await pass(901, 'signed 1', 'entry', 1)
    await pass(902, 'signed 2', 'entry', 2)
    await pass(903, 'signed 2', 'exit', 3)
    await scanned('a')
    assert.deepEqual(await shown(), [[2, 2, 'full']])
  })
})
