import assert from 'node:assert/strict'
import type { Ping } from '../../../schema/sync.ts'
import { instantOf } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import { createClock } from '../../../server/sync/clock/clock.ts'
import { type Link, startLink } from '../../../server/sync/upstream/link.ts'
import type { Answered, UpstreamClient } from '../../../server/sync/upstream/upstream-client.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'

interface Scene {
  readonly env: HandEnv
  readonly link: Link
  readonly states: string[]
  readonly clock: ReturnType<typeof createClock>
  probes: number
  /** What the next probes meet. */
  answer: 'top' | 'online' | 'alone' | 'nobody'
  /** Lets time pass and everything that follows happen. */
  pass(milliseconds: number): Promise<void>
}

function scene(answer: Scene['answer'], ahead = 0): Scene {
  const env = { ...makeHandEnv(), randomBytes: (count: number) => new Uint8Array(count).fill(128) }
  const clock = createClock(env, 'b')
  const client = {
    async get(): Promise<Answered<Ping>> {
      made.probes += 1
      const { answer: upstream } = made
      if (upstream === 'nobody') return { kind: 'unreachable', detail: 'No network.' }
      const now = instantOf(env.now() + ahead)
      const body = { protocol: 1, oldest_protocol: 1, epoch: 'e', received: now, sent: now, upstream }
      return { kind: 'ok', status: 200, body, headers: new Headers() }
    },
  } as unknown as UpstreamClient
  const made = { env, clock, answer, probes: 0, states: [] as string[] } as unknown as Scene & { link: Link }
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  made.pass = async (milliseconds) => {
    await settle()
    for (let left = milliseconds; left > 0; left -= 100) {
      env.pass(100)
      await settle()
    }
  }
  made.link = startLink({ env, log: silentLog, clock, client })
  made.link.onChange(() => {
    if (made.states.at(-1) !== made.link.state) made.states.push(made.link.state)
  })
  return made
}

describe('the link to the upstream server', () => {
  it('is up with the first answer, and probes every three seconds whatever else goes on', async () => {
    const one = scene('top')
    await one.pass(0)
    assert.equal(one.link.state, 'online')
    await one.pass(30_000)
    assert.equal(one.probes, 11)
    one.link.stop()
    assert.equal(one.env.waiting, 0)
  })

  it('does not believe a single failure, but two', async () => {
    const one = scene('top')
    await one.pass(3000)
    one.answer = 'nobody'
    await one.pass(3000)
    assert.equal(one.link.state, 'online')
    one.answer = 'top'
    await one.pass(1000)
    one.answer = 'nobody'
    await one.pass(4000)
    assert.equal(one.link.state, 'alone')
    assert.equal(one.link.trouble?.kind, 'unreachable')
    one.answer = 'top'
    await one.pass(3000)
    assert.equal(one.link.state, 'alone')
    await one.pass(1000)
    assert.equal(one.link.state, 'online')
    assert.deepEqual(one.states, ['online', 'alone', 'online'])
    one.link.stop()
  })

  it('tells a hub that is cut off from one that reaches the top', async () => {
    const one = scene('online')
    await one.pass(0)
    assert.equal(one.link.state, 'online')
    one.answer = 'alone'
    await one.pass(4000)
    assert.equal(one.link.state, 'hub only')
    one.link.stop()
  })

  it('learns the time from every answer', async () => {
    const one = scene('top', 42_000)
    await one.pass(0)
    assert.equal(one.clock.offset, 42_000)
    one.link.stop()
  })
})
