import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { resourceByName } from '../../../schema/resources/index.ts'
import { realEnv } from '../../../server/env.ts'
import { admissionsTo } from '../../../server/http/authorize.ts'
import { createBodyReader } from '../../../server/http/receive-body.ts'
import { answerRefusals } from '../../../server/http/refusals.ts'
import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { answerEndpoints, createApiRouter } from '../../../server/resource/endpoints.ts'
import { serveCheckins } from '../../../server/routes/checkin/checkins.ts'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import { addDevice, addGate } from '../../support/ticketing/tickets.ts'
import { type Door, keysOf, openDoor } from './checkin-door.ts'

for (const engine of engines)
  describe(`the history of scans on ${engine.name}`, () => {
    let door: Door
    let server: Server
    let gate: number
    let device: number
    let other: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { organizer } = door.place
      await door.write(async (tx) => {
        gate = await addGate(tx, organizer, 'North')
        device = await addDevice(tx, organizer, 4, 'north', { gate })
        await addToken(tx, organizer, 'scan-only', { all_events: true, can_checkin_orders: true })
      })
      other = await door.makeList()
      await door.sell('one')
      await door.sell('two', {}, { status: 'n' })
      await door.redeem('one', { datetime: '2030-06-01T10:00:00Z' }, { Authorization: 'Device north' })
      await door.redeem('one', { datetime: '2030-06-01T11:00:00Z', type: 'exit' })
      await door.redeem('two', { datetime: '2030-06-01T12:00:00Z', lists: [other] })
      await door.redeem('nobody', { datetime: '2030-06-01T13:00:00Z' })
      server = await serveHistory(door)
    })
    after(async () => {
      server.close()
      await door.server.close()
    })

    const get = async (query: string, token = 'all') => {
      const { port } = server.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${port}${door.server.ev}/checkins/${query}`, {
        headers: { Authorization: `Token ${token}` },
      })
      return { status: answer.status, body: (await answer.json()) as { results: RowData[] } & RowData }
    }
    const times = async (query: string) =>
      (await get(query)).body.results.map((row) => String(row.datetime).slice(11, 13))

    it('is every scan, as they arrived', async () => {
      assert.deepEqual(await times(''), ['10', '11', '12', '13'])
    })

    it('shows of a scan what there is to know, with the number of the device', async () => {
      const { results } = (await get(`?device=${device}`)).body
      assert.equal(results.length, 1)
      assert.deepEqual(keysOf(results[0]), [
        'auto_checked_in',
        'created',
        'datetime',
        'device',
        'device_id',
        'error_explanation',
        'error_reason',
        'gate',
        'id',
        'list',
        'position',
        'successful',
        'type',
      ])
      assert.deepEqual([results[0]?.device_id, results[0]?.gate, results[0]?.successful], [4, gate, true])
      const one = (await get(`${results[0]?.id}/`)).body
      assert.deepEqual(one, results[0])
    })

    const filters: readonly [string, () => string, readonly string[]][] = [
      ['success', () => 'successful=true', ['10', '11']],
      ['failure', () => 'successful=false', ['12', '13']],
      ['reason', () => 'error_reason=invalid', ['13']],
      ['list', () => `list=${other}`, ['12']],
      ['direction', () => 'type=exit', ['11']],
      ['gate', () => `gate=${gate}`, ['10']],
      ['time from', () => 'datetime_since=2030-06-01T12:00:00Z', ['12', '13']],
      ['time to', () => 'datetime_before=2030-06-01T11:00:00Z', ['10']],
      ['arrival from', () => 'created_since=2090-01-01T00:00:00Z', []],
      ['arrival to', () => 'created_before=2020-01-01T00:00:00Z', []],
      ['automation', () => 'auto_checked_in=true', []],
    ]
    for (const [what, query, expected] of filters)
      it(`can be chosen by ${what}`, async () => {
        assert.deepEqual(await times(`?${query()}`), expected)
      })

    it('can be ordered by time, arrival and id', async () => {
      for (const ordering of ['datetime', 'created', 'id'])
        assert.deepEqual(await times(`?ordering=${ordering}`), ['10', '11', '12', '13'])
      assert.deepEqual(await times('?ordering=-id'), ['13', '12', '11', '10'])
    })

    it('is for those who may see orders, and cannot be written', async () => {
      assert.equal((await get('', 'scan-only')).status, 403)
      assert.equal((await get('', 'nobody')).status, 401)
      const { port } = server.address() as AddressInfo
      for (const method of ['POST', 'PUT', 'DELETE'])
        assert.equal(
          (
            await fetch(`http://127.0.0.1:${port}${door.server.ev}/checkins/`, {
              method,
              headers: { Authorization: 'Token all' },
            })
          ).status,
          405,
        )
    })
  })

/** Serves the history alone, on the database of a door. */
function serveHistory(door: Door): Promise<Server> {
  const { transactions } = door.server.running
  const router = createApiRouter(new Router(), {
    transactions,
    bodies: createBodyReader(realEnv),
    catalogue: resourceByName,
    admissions: admissionsTo(transactions.database, null),
  })
  serveCheckins(router)
  const app = new Koa()
  app.use(answerRefusals(realEnv, silentLog))
  app.use(answerEndpoints(router))
  const server = createServer(app.callback())
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
