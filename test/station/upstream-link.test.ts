import assert from 'node:assert/strict'
import { readUpstreamAnswer, upstreamLink } from '../../server/station/upstream-link.ts'
import type { Sync } from '../../server/sync/node/sync.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'

describe('the upstream server of a station', () => {
  const ok = { status: 'ok', list: { id: 1 } }

  /** What of a node's dealings with the upstream server of a station uses. */
  const syncWith = (ask: (path: string, init: RequestInit) => Promise<Response>): Sync =>
    ({ upstream: {}, client: { ask }, isOffline: false }) as unknown as Sync

  it('is nobody on a server without upstream', () => {
    assert.equal(upstreamLink(undefined, makeHandEnv()), null)
    assert.equal(upstreamLink({ upstream: null, client: null } as unknown as Sync, makeHandEnv()), null)
  })

  it('is asked by its redeeming endpoint, and with names', async () => {
    const asked: unknown[] = []
    const sync = syncWith(async (path, { method, body }) => {
      asked.push([method, path.split('?')[0], JSON.parse(String(body))])
      return Response.json(ok, { status: 201 })
    })
    assert.deepEqual(await upstreamLink(sync, makeHandEnv())?.redeem({ secret: 'x' }), ok)
    assert.deepEqual(asked, [['POST', 'checkinrpc/redeem/', { secret: 'x' }]])
  })

  it('has not answered when the network fails, or when it takes too long', async () => {
    const failing = syncWith(() => Promise.reject(new Error('connection refused')))
    assert.equal(await upstreamLink(failing, makeHandEnv())?.redeem({}), null)
    const env = makeHandEnv()
    const slow = syncWith(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('given up')))
        }),
    )
    const asking = upstreamLink(slow, env)?.redeem({})
    env.pass(30_000)
    assert.equal(await asking, null)
    assert.equal(env.waiting, 0)
  })

  const answers: readonly [number, unknown, boolean][] = [
    [201, ok, true],
    [200, ok, true],
    [400, { status: 'error', reason: 'unpaid' }, true],
    [400, { status: 'incomplete', questions: [] }, true],
    [404, { status: 'error', reason: 'invalid', detail: 'Not found.' }, true],
    [400, { lists: ['Invalid pk "1" - object does not exist.'] }, false],
    [404, { detail: 'Not found.' }, false],
    [200, { status: 'welcome to our wireless network' }, false],
    [201, 'ok', false],
    [201, null, false],
    [401, ok, false],
    [503, ok, false],
    [302, ok, false],
  ]
  for (const [status, body, isAnswer] of answers)
    it(`${isAnswer ? 'has' : 'has not'} decided with ${status} ${JSON.stringify(body)}`, () =>
      assert.deepEqual(readUpstreamAnswer(status, body), isAnswer ? body : null))
})
