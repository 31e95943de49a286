import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { silentLog } from '../../server/log.ts'
import type { Actor } from '../../server/resource/actor.ts'
import { startServer } from '../../server/serve.ts'
import { engines } from '../support/engines/engines.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import { startHookServer } from '../support/servers/webhooks.ts'

const messages = 120

for (const engine of engines)
  describe(`two servers on one database on ${engine.name}`, () => {
    it('share what webhooks are to be sent, and send everything once', async () => {
      const env = makeHandEnv()
      const database = await engine.open()
      const shared = { ...database, close: async () => {} }
      for (const name of ['all', 'get', 'run', 'remembered', 'transaction', 'script'] as const)
        Object.assign(shared, { [name]: database[name].bind(database) })
      Object.assign(shared, { engine: database.engine })
      const first = await startHookServer({ database: shared, env })
      const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null }
      const allowed = { ...config, webhookNetworks: ['127.0.0.0/8'] }
      const second = await startServer(allowed, env, silentLog, shared)
      const receivers = await Promise.all([startReceiver(), startReceiver()])
      for (const { url } of receivers) await first.hook(url)

      // A third program beside them, whose work neither is told of.
      const beside = await openData(shared, env)
      const actor = { kind: 'command', id: 0 } as Actor
      const place = { organizer: first.organizer, event: first.event }
      await beside.write(async (tx) => {
        for (let count = 0; count < messages; count += 1)
          tx.audit(place, actor, {
            action: 'ticketsvc.event.checkin',
            resource: 'checkin_list',
            row: first.list,
          })
      })
      const claims: string[] = []
      for (const [name, { transactions }] of [
        ['first', first.running],
        ['second', second],
      ] as const) {
        const write = transactions.write.bind(transactions)
        Object.assign(transactions, {
          write: (work: Parameters<typeof write>[0]) => {
            claims.push(name)
            return write(work)
          },
        })
      }
      env.pass(15_000)
      await Promise.all(receivers.map((receiver) => receiver.until(messages)))
      while ((await database.all(sql`SELECT 1 AS one FROM webhook_delivery`)).length > 0) await turn()
      for (const { received } of receivers) {
        const ids = received.map(({ headers }) => headers['webhook-id'])
        assert.deepEqual([ids.length, new Set(ids).size], [messages, messages])
      }
      assert.deepEqual([...new Set(claims)].sort(), ['first', 'second'])
      await second.close()
      await first.close()
      for (const receiver of receivers) await receiver.close()
      await database.close()
    })
  })
