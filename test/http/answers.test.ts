import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { realEnv } from '../../server/env.ts'
import { boundAnswers } from '../../server/http/connections.ts'
import { createMetrics } from '../../server/http/monitoring/metrics.ts'

describe('an answer in JSON', () => {
  for (const method of ['GET', 'POST'])
    it(`is written once, to ${method}`, async () => {
      let written = 0
      const app = new Koa()
      app.use(createMetrics(realEnv).watch)
      app.use(boundAnswers())
      app.use((ctx) => {
        ctx.body = {
          status: 'ok',
          toJSON() {
            written += 1
            return { name: 'Jürgen' }
          },
        }
      })
      const server = createServer(app.callback()).listen(0, '127.0.0.1')
      await once(server, 'listening')
      try {
        const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method })
        assert.deepEqual(await answer.json(), { name: 'Jürgen' })
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
        assert.equal(answer.headers.get('content-length'), '18')
        assert.equal(written, 1)
      } finally {
        server.close()
      }
    })
})
