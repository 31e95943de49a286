import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

const [quickest] = engines
assert.ok(quickest)

describe(`staff at a station, on ${quickest.name}`, () => {
  let server: TestServer
  let env: HandEnv
  const ask = asking(() => server)
  const till = 'Device till'
  beforeEach(async () => {
    env = makeHandEnv()
    server = await startTestServer(await quickest.open(), null, { env })
    await server.running.transactions.write((tx) => addDevice(tx, server.organizer, 1, 'till'))
    await server.running.transactions.write((tx) => addDevice(tx, server.organizer, 2, 'other'))
  })
  afterEach(() => server.close())

  const pos = (what: string) => `${server.org}/pos/${what}/`
  const hire = async (name: string, pin: string, more: RowData = {}): Promise<number> => {
    const { id } = await ask('POST', `${server.org}/staff/`, 201, { name, ...more })
    await ask('POST', `${server.org}/staff/${id}/set_pin/`, 200, { pin })
    return Number(id)
  }
  const signIn = (staff: number, pin: string, status = 200, as = till) =>
    ask('POST', pos('sign_in'), status, { staff, pin }, as)
  const open = (status: number, headers: Record<string, string> = {}) =>
    server
      .call('POST', `${server.ev}/drawers/`, { float: '10.00' }, { Authorization: till, ...headers })
      .then(({ status: given, body }) => {
        assert.equal(given, status, JSON.stringify(body))
        return body as RowData
      })
  const audited = async (action: string) =>
    (
      await server.running.transactions.database.all<{ data: string }>(
        sql`SELECT data FROM audit WHERE action = ${`ticketsvc.staff.${action}`} ORDER BY id`,
      )
    ).map(({ data }) => JSON.parse(data) as RowData)

  it('sign in by PIN, take over from each other, and are named on receipts and in the audit trail', async () => {
    const ada = await hire('Ada Lovelace', '4711', { short_name: 'Ada' })
    const bob = await hire('Bob', '123456', { role: 'supervisor' })
    const session = await ask('GET', pos('session'), 200, undefined, till)
    assert.equal(session.staff, null)
    assert.deepEqual(
      (session.choices as RowData[]).map(({ name }) => name),
      ['Ada Lovelace', 'Bob'],
    )
    assert.equal((await open(403)).reason, 'sign_in')
    await signIn(ada, '4711')
    const drawer = await open(201)
    assert.equal(drawer.opened_by, 'Ada')
    const after = await signIn(bob, '123456')
    assert.deepEqual((after.staff as RowData).name, 'Bob')
    await ask('POST', pos('sign_out'), 204, undefined, till)
    assert.equal((await ask('GET', pos('session'), 200, undefined, till)).staff, null)
    const [receipt] = resultsOf(await ask('GET', `${server.ev}/receipts/`, 200))
    assert.deepEqual([receipt?.cashier, receipt?.staff], ['Ada', ada])
    assert.deepEqual(
      (await audited('signed_in')).map(({ name }) => name),
      ['Ada Lovelace', 'Bob'],
    )
  })

  it('sign in by a badge, which is that of one only', async () => {
    const ada = await hire('Ada', '4711')
    const bob = await hire('Bob', '4712')
    await ask('POST', `${server.org}/staff/${ada}/set_badge/`, 200, { code: '04:A2:19' })
    await ask('POST', `${server.org}/staff/${bob}/set_badge/`, 400, { code: '04:a2:19' })
    const session = await ask('POST', pos('sign_in'), 200, { badge: '04:a2:19' }, till)
    assert.equal((session.staff as RowData).name, 'Ada')
    await ask('POST', pos('sign_in'), 400, { badge: 'nobody' }, till)
    const shown = await ask('GET', `${server.org}/staff/${ada}/`, 200)
    assert.deepEqual([shown.has_pin, shown.has_badge], [true, true])
    assert.ok(!JSON.stringify(shown).includes('hash'))
  })

  it('wait after five wrong PINs, twice as long each time, each for themselves', async () => {
    const ada = await hire('Ada', '4711')
    const bob = await hire('Bob', '4712')
    for (let wrong = 0; wrong < 5; wrong += 1) await signIn(ada, '0000', 400)
    assert.equal((await signIn(ada, '4711', 429)).wait, 30)
    await signIn(bob, '4712')
    await signIn(ada, '4711', 200, 'Device other')
    env.pass(30_000)
    await signIn(ada, '0000', 400)
    assert.equal((await signIn(ada, '4711', 429)).wait, 60)
    env.pass(60_000)
    await signIn(ada, '4711')
    await signIn(ada, '0000', 400)
    await signIn(ada, '4711')
  })

  it('wait together where they are nobody, whose numbers are not stored', async () => {
    const ada = await hire('Ada', '4711')
    await ask('POST', `${server.org}/staff/${ada}/set_badge/`, 200, { code: '04a219' })
    for (let number = 0; number < 5; number += 1) await signIn(900_000 + number, '0000', 400)
    assert.equal((await signIn(900_009, '0000', 429)).wait, 30)
    await signIn(ada, '4711')
    await ask('POST', pos('sign_in'), 200, { badge: '04a219' }, till)
    const rows = await server.running.transactions.database.all<{ staff: number }>(
      sql`SELECT staff FROM staff_try`,
    )
    assert.deepEqual(
      rows.map((row) => row.staff),
      [-1],
    )
  })

  it('may not work elsewhere, before or after their time, or without being active', async () => {
    const ada = await hire('Ada', '4711', { all_devices: false, limit_devices: [2] })
    await signIn(ada, '4711', 403)
    await signIn(ada, '4711', 200, 'Device other')
    const change = (values: RowData) => ask('PATCH', `${server.org}/staff/${ada}/`, 200, values)
    await change({ all_devices: true, valid_until: '2030-06-01T09:00:00Z' })
    await signIn(ada, '4711', 403)
    await change({ valid_until: null, active: false })
    await signIn(ada, '4711', 403)
    assert.equal((await ask('GET', pos('session'), 200, undefined, 'Device other')).staff, null)
  })

  it('stand in for one act, with a reason, and both are in the audit trail', async () => {
    const ada = await hire('Ada', '4711')
    const bob = await hire('Bob', '123456', { role: 'supervisor' })
    await signIn(ada, '4711')
    const { id } = await open(201)
    const move = (status: number, token = '') =>
      server
        .call(
          'POST',
          `${server.ev}/drawers/${id}/move_cash/`,
          { amount: '-5.00', reason: 'Safe' },
          { Authorization: till, 'X-Step-Up': token },
        )
        .then(({ status: given, body }) => {
          assert.equal(given, status, JSON.stringify(body))
          return body as RowData
        })
    assert.equal((await move(403)).reason, 'step_up')
    const wish = { act: 'move_cash', reason: 'Drawer is full' }
    await ask('POST', pos('step_up'), 403, { staff: ada, pin: '4711', ...wish }, till)
    const first = await ask('POST', pos('step_up'), 201, { staff: bob, pin: '123456', ...wish }, till)
    await move(201, String(first.token))
    await move(403, String(first.token))
    const late = await ask('POST', pos('step_up'), 201, { staff: bob, pin: '123456', ...wish }, till)
    env.pass(121_000)
    await move(403, String(late.token))
    const [entry] = await audited('stepped_up')
    assert.deepEqual(
      [entry?.name, entry?.for_name, entry?.act, entry?.reason],
      ['Bob', 'Ada', 'move_cash', 'Drawer is full'],
    )
  })

  it('open a drawer without a sale where a supervisor stands in, and the reason is kept', async () => {
    const ada = await hire('Ada', '4711')
    const bob = await hire('Bob', '123456', { role: 'supervisor' })
    await signIn(ada, '4711')
    const { id } = await open(201)
    const path = `${server.ev}/drawers/${id}/open_without_sale/`
    const refused = await ask('POST', path, 403, { reason: 'Stuck coin' }, till)
    assert.deepEqual([refused.reason, refused.right], ['step_up', 'open_drawer'])
    const wish = { staff: bob, pin: '123456', act: 'open_drawer', reason: 'Stuck coin' }
    const { token } = await ask('POST', pos('step_up'), 201, wish, till)
    const headers = { Authorization: till, 'X-Step-Up': String(token) }
    const opened = await server.call('POST', path, { reason: 'Stuck coin' }, headers)
    assert.equal(opened.status, 201, JSON.stringify(opened.body))
    const row = opened.body as RowData
    assert.deepEqual(
      [row.type, row.total, row.reason, row.cashier],
      ['movement', '0.00', 'Stuck coin', 'Ada'],
    )
    const report = await ask('GET', `${server.ev}/drawers/${id}/report/`, 200, undefined, till)
    assert.equal(report.receipts, 2)
  })

  it('have PINs as long as their role asks, new ones when they become supervisors, and of devices only', async () => {
    const { id } = await ask('POST', `${server.org}/staff/`, 201, { name: 'Bob', role: 'supervisor' })
    await ask('POST', `${server.org}/staff/${id}/set_pin/`, 400, { pin: '1234' })
    await ask('POST', `${server.org}/staff/${id}/set_pin/`, 400, { pin: 'abcdef' })
    const ada = await hire('Ada', '4711')
    const raised = await ask('PATCH', `${server.org}/staff/${ada}/`, 200, { role: 'supervisor' })
    assert.equal(raised.has_pin, false)
    await signIn(ada, '4711', 400)
    await ask('POST', pos('sign_in'), 400, { staff: ada, pin: '4711' })
    const entries = await server.running.transactions.database.all<{ data: string }>(
      sql`SELECT data FROM audit WHERE resource = 'staff' AND data IS NOT NULL`,
    )
    assert.ok(entries.every(({ data }) => !data.includes('4711') && !data.includes('scrypt')))
  })
})
