import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { microsecondsOf, readInstant } from '../../schema/instants.ts'
import { retryDelays } from '../../server/domain/notifications/webhook-schedule.ts'
import { bothEngines } from '../support/engines/engines.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import { type Received, type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { type HookServer, startHookServer } from '../support/servers/webhooks.ts'

/** Seconds between two moments. */
const between = (from: string, to: string): number =>
  (microsecondsOf(String(readInstant(to))) - microsecondsOf(String(readInstant(from)))) / 1e6

const sayOf = ({ body }: Received): Record<string, unknown> => JSON.parse(body)

for (const engine of bothEngines)
  describe(`webhooks on ${engine.name}`, () => {
    let env: HandEnv
    let server: HookServer
    let receiver: Receiver
    beforeEach(async () => {
      env = makeHandEnv()
      server = await startHookServer({ database: await engine.open(), env })
      receiver = await startReceiver()
    })
    afterEach(async () => {
      await server.close()
      await receiver.close()
    })

    it('hear of a check-in: what, where and whose, and nothing more', async () => {
      const { id } = await server.hook(receiver.url)
      const { code, position } = await server.admit('a')
      const [attempt] = await server.attempts(id, 1)
      const [message] = receiver.received
      assert.ok(message && attempt)
      const { notification_id, ...rest } = sayOf(message)
      assert.deepEqual(rest, {
        organizer: 'acme',
        event: 'gala',
        code,
        orderposition_id: position,
        orderposition_positionid: 1,
        checkin_list: server.list,
        type: 'entry',
        first_checkin: true,
        action: 'ticketsvc.event.checkin',
      })
      assert.equal(message.headers['content-type'], 'application/json')
      assert.equal(message.headers['webhook-id'], `msg_${notification_id}`)
      assert.deepEqual(
        { ...attempt, id: 0, datetime: '', duration: 0 },
        {
          id: 0,
          datetime: '',
          notification_id,
          action_type: 'ticketsvc.event.checkin',
          target_url: receiver.url,
          is_retry: false,
          return_code: 200,
          success: true,
          duration: 0,
          error: null,
          payload: message.body,
          response_body: 'thanks',
          next_attempt: null,
        },
      )
      assert.equal(await server.waiting(id), 0)
    })

    it('try again when they should, twelve times in all, and always say the same', async () => {
      receiver.answer = (response) => response.writeHead(500).end('oh no')
      const { id } = await server.hook(receiver.url)
      await server.admit('a')
      for (const [index, delay] of retryDelays.entries()) {
        const last = (await server.attempts(id, index + 1, env)).at(-1)
        assert.equal(between(String(last?.datetime), String(last?.next_attempt)), delay)
        env.pass(delay * 1000 - 1)
        await turn()
        env.pass(1)
      }
      const all = await server.attempts(id, retryDelays.length + 1, env)
      assert.equal(all.at(-1)?.next_attempt, null)
      for (const [index, delay] of retryDelays.entries()) {
        const [before, after] = [all[index], all[index + 1]]
        const passed = between(String(before?.datetime), String(after?.datetime))
        assert.ok(passed >= delay, `attempt ${index + 2} came after ${passed} s instead of ${delay}`)
      }
      env.pass(10 * 86_400_000)
      await turn()
      assert.equal(await server.waiting(id), 0)
      assert.equal(receiver.received.length, 12)
      assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
      assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
      assert.deepEqual(
        all.map(({ is_retry, return_code, success }) => [is_retry, return_code, success]),
        all.map((_, index) => [index > 0, 500, false]),
      )
      const query = `${server.org}/webhooks/${id}/attempts/?success=true`
      assert.equal(((await server.call('GET', query)).body as { count: number }).count, 0)
    })

    it('give a receiver that is busy the time that it asks for, up to a day', async () => {
      receiver.answer = (response, _, before) =>
        response
          .writeHead(before === 0 ? 503 : 429, { 'Retry-After': before === 0 ? '40' : '999999999' })
          .end()
      const { id } = await server.hook(receiver.url)
      await server.admit('a')
      const [first] = await server.attempts(id, 1)
      assert.equal(between(String(first?.datetime), String(first?.next_attempt)), 40)
      env.pass(40_000)
      const second = (await server.attempts(id, 2, env))[1]
      assert.equal(between(String(second?.datetime), String(second?.next_attempt)), 86_400)
    })

    it('are disabled by a receiver that is gone for good, with all that waits', async () => {
      receiver.answer = (response) => response.writeHead(500).end()
      const { id } = await server.hook(receiver.url)
      await server.admit('a')
      await server.attempts(id, 1)
      assert.equal(await server.waiting(id), 1)
      receiver.answer = (response) => response.writeHead(410).end()
      await server.admit('b')
      await server.attempts(id, 2)
      const shown = (await server.call('GET', `${server.org}/webhooks/${id}/`)).body as { enabled: boolean }
      assert.equal(shown.enabled, false)
      assert.equal(await server.waiting(id), 0)
      await server.admit('c')
      env.pass(86_400_000)
      await server.admit('d')
      assert.equal(receiver.received.length, 2)
      receiver.answer = (response) => response.end()
      await server.call('PATCH', `${server.org}/webhooks/${id}/`, { enabled: true })
      await server.admit('e')
      await server.attempts(id, 3)
      assert.equal(receiver.received.length, 3)
    })

    it('are disabled and not removed by DELETE, and forget what waits', async () => {
      receiver.answer = (response) => response.writeHead(500).end()
      const { id } = await server.hook(receiver.url)
      await server.admit('a')
      await server.attempts(id, 1)
      assert.equal((await server.call('DELETE', `${server.org}/webhooks/${id}/`)).status, 204)
      assert.equal((await server.call('DELETE', `${server.org}/webhooks/${id}/`)).status, 204)
      assert.equal(await server.waiting(id), 0)
      const shown = (await server.call('GET', `${server.org}/webhooks/${id}/`)).body as { enabled: boolean }
      assert.equal(shown.enabled, false)
      assert.equal((await server.call('DELETE', `${server.org}/webhooks/999999/`)).status, 404)
    })

    it('do not wait for a receiver that is slow, and give it thirty seconds', async () => {
      const slow = await startReceiver()
      slow.answer = () => {}
      const late = await server.hook(slow.url)
      const { id } = await server.hook(receiver.url)
      for (const secret of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await server.admit(secret)
      assert.equal((await server.attempts(id, 7)).filter(({ success }) => success).length, 7)
      await slow.until(4)
      // It is not called by more than four at once.
      assert.deepEqual([slow.received.length, slow.connections], [4, 4])
      env.pass(29_999)
      await turn()
      assert.equal(slow.received.length, 4)
      env.pass(1)
      const failed = (await server.attempts(late.id, 4)).slice(0, 4)
      for (const { return_code, error } of failed) {
        assert.equal(return_code, 0)
        assert.match(String(error), /no answer within thirty seconds/)
      }
      await slow.close()
    })

    it('reach a receiver that was gone and is back', async () => {
      const { port } = receiver
      await receiver.close()
      const { id } = await server.hook(`http://127.0.0.1:${port}/`)
      await server.admit('a')
      const [first] = await server.attempts(id, 1)
      assert.equal(first?.return_code, 0)
      assert.match(String(first?.error), /ECONNREFUSED/)
      receiver = await startReceiver(port)
      env.pass(5000)
      const [, second] = await server.attempts(id, 2, env)
      assert.deepEqual([second?.return_code, second?.is_retry, receiver.received.length], [200, true, 1])
    })

    it('sign what they say so that the usual library believes it, with both secrets while two are valid', async () => {
      // The library compares with the real time.
      await server.close()
      const elapsed = Date.now()
      env = makeHandEnv(elapsed)
      server = await startHookServer({ database: await engine.open(), env })
      const { id, secret } = await server.hook(receiver.url)
      const believes = (with_: string, { body, headers }: Received): boolean => {
        try {
          new Webhook(with_).verify(body, headers)
          return true
        } catch {
          return false
        }
      }
      await server.admit('a')
      await server.attempts(id, 1)
      const [first] = receiver.received
      assert.ok(first)
      assert.ok(believes(secret, first))
      assert.ok(!believes(secret, { ...first, body: `${first.body} ` }))
      const rotate = `${server.org}/webhooks/${id}/rotate_secret/`
      const rotated = await server.call('POST', rotate, { keep_former_seconds: 60 })
      assert.equal(rotated.status, 200)
      const { secret: fresh, former_valid_until: until } = rotated.body as Record<string, string>
      assert.notEqual(fresh, secret)
      await server.admit('b')
      await server.attempts(id, 2)
      const [, second] = receiver.received
      assert.ok(second)
      assert.ok(believes(secret, second) && believes(String(fresh), second))
      assert.ok(between(new Date(env.now()).toISOString(), String(until)) <= 60)
      env.pass(60_000)
      await server.admit('c')
      await server.attempts(id, 3)
      const [, , third] = receiver.received
      assert.ok(third)
      assert.deepEqual([believes(secret, third), believes(String(fresh), third)], [false, true])
      const at_once = await server.call('POST', rotate, { keep_former_seconds: 0 })
      assert.equal((at_once.body as Record<string, unknown>).former_valid_until, null)
      const shown = JSON.stringify((await server.call('GET', `${server.org}/webhooks/`)).body)
      assert.ok(!shown.includes('whsec_'), 'a secret is shown again')
    })

    it('keep the log of attempts for thirty days', async () => {
      const { id } = await server.hook(receiver.url)
      await server.admit('a')
      await server.attempts(id, 1)
      env.pass(29 * 86_400_000)
      await server.admit('b')
      assert.equal((await server.attempts(id, 2)).length, 2)
      env.pass(2 * 86_400_000)
      const path = `${server.org}/webhooks/${id}/attempts/`
      while (((await server.call('GET', path)).body as { count: number }).count > 1) await turn()
      const [left] = await server.attempts(id, 1)
      assert.deepEqual((await server.call('GET', `${path}${left?.id}/`)).body, left)
      assert.equal(left?.notification_id, sayOf(receiver.received[1] as Received).notification_id)
    })

    it('forget messages that nobody could take for four days', async () => {
      receiver.answer = () => {}
      const { id } = await server.hook(receiver.url)
      for (const secret of ['a', 'b', 'c', 'd', 'e', 'f']) await server.admit(secret)
      await receiver.until(4)
      env.pass(5 * 86_400_000)
      while ((await server.waiting(id)) > 0) await turn()
    })
  })
