import assert from 'node:assert/strict'
import type { Push } from '../../../schema/sync.ts'
import { instantOf } from '../../../server/env.ts'
import { reportAgain } from '../../../server/sync/outbox/outbox.ts'
import {
  type AnswerPush,
  answer,
  openReportingStation,
  type ReportingStation,
  resultsOf,
} from '../receive/reporting-station.ts'

describe('reporting to the upstream server', () => {
  let station: ReportingStation
  /** What the upstream server does; it takes everything unless a test says otherwise. */
  let upstream: AnswerPush
  beforeEach(async () => {
    upstream = (push) => resultsOf(push)
    station = await openReportingStation((push, signal) => upstream(push, signal))
  })
  afterEach(() => station.close())

  const isDone = async (): Promise<boolean> => (await station.states()).waiting === undefined
  const nothingMore = (): Promise<void> => station.quiet()
  /** Lets time pass in steps, each after all that the last one brought about. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await nothingMore()
      station.env.pass(1000)
    }
    await nothingMore()
  }
  const nonces = ({ facts }: Push): string[] => facts.map(({ nonce }) => nonce)

  it('takes 25 requests at most for ten thousand facts, in their order', async () => {
    const happened = await station.happen(10_000)
    station.start()
    await station.until(isDone)
    assert.ok(station.pushes.length <= 25, `${station.pushes.length} requests`)
    assert.deepEqual(station.pushes.flatMap(nonces), happened)
    assert.deepEqual(await station.states(), { done: 10_000 })
  })

  it('tells at once what happens while it runs', async () => {
    station.start()
    await nothingMore()
    const [nonce] = await station.happen(1)
    await station.until(isDone)
    assert.deepEqual(station.pushes.map(nonces), [[nonce]])
    assert.deepEqual(station.reported, [{ nonce, status: 'applied' }])
  })

  it('is to load anew once for a fact, however often it is reported again', async () => {
    const nonces = await station.happen(2)
    upstream = (push) => resultsOf(push, (nonce) => (nonce === nonces[0] ? { rejoin: true } : {}))
    const loop = station.start()
    await station.until(isDone)
    await station.until(() => station.rejoins() === 1)
    upstream = (push) => resultsOf(push, () => ({ status: 'duplicate', rejoin: true }))
    await station.transactions.database.transaction((tx) => reportAgain(tx, nonces.slice(0, 1)))
    loop.wake()
    await station.until(() => station.reported.length === 3)
    await nothingMore()
    assert.equal(station.rejoins(), 1)
    // The first answer to another one was lost, and this is the first that is heard of it.
    await station.transactions.database.transaction((tx) => reportAgain(tx, nonces.slice(1)))
    loop.wake()
    await station.until(() => station.rejoins() === 2)
  })

  it('tells again what got no answer, and nothing that got one', async () => {
    const happened = await station.happen(700)
    upstream = (push) => {
      if (station.pushes.length === 2) throw new TypeError('fetch failed')
      return resultsOf(push)
    }
    station.start()
    await station.until(async () => (await station.states()).done === 500 && station.heard.length === 2)
    await nothingMore()
    assert.deepEqual(station.heard, ['answered', 'silent'])
    station.env.pass(1000)
    await station.until(isDone)
    assert.deepEqual(station.pushes.map(nonces).slice(2).flat(), happened.slice(500))
  })

  const strangers: Readonly<Record<string, () => Response>> = {
    'a page to sign in to the network': () =>
      new Response('<html>', { status: 200, headers: { 'Content-Type': 'text/html' } }),
    'an answer that looks right but is not ours': () =>
      Response.json({ protocol: 1, results: [{ nonce: 'x', status: 'applied' }] }),
    'a redirect': () => new Response(null, { status: 302, headers: { Location: 'http://login.example/' } }),
    'half an answer': () => answer('{"protocol":1,"results":[{"nonce":"'),
    'a failure of a proxy': () => new Response('Bad gateway', { status: 502 }),
    'an answer of another shape': () => answer({ results: 'all of them' }),
  }
  for (const [what, stranger] of Object.entries(strangers))
    it(`takes ${what} for no answer`, async () => {
      await station.happen(3)
      upstream = stranger
      station.start()
      await station.until(() => station.heard.length === 1)
      await nothingMore()
      assert.deepEqual(station.heard, ['silent'])
      assert.deepEqual(await station.states(), { waiting: 3 })
      assert.deepEqual(
        (await station.rows()).map(({ attempts }) => attempts),
        [0, 0, 0],
      )
      upstream = (push) => resultsOf(push)
      station.env.pass(1000)
      await station.until(isDone)
    })

  it('tries more and more seldom while nobody answers, and at once when it is woken', async () => {
    await station.happen(1)
    upstream = () => Promise.reject(new TypeError('fetch failed'))
    const loop = station.start()
    await station.until(() => station.heard.length === 1)
    await pass(300)
    const tried = station.pushes.length
    assert.ok(tried >= 10 && tried <= 30, `${tried} attempts in five minutes`)
    upstream = (push) => resultsOf(push)
    loop.wake()
    await station.until(isDone)
    assert.equal(station.pushes.length, tried + 1)
  })

  it('waits as long as it is asked to, whoever wakes it', async () => {
    await station.happen(1)
    upstream = () => answer({ detail: 'Later.' }, 503, { 'Retry-After': '120' })
    const loop = station.start()
    await station.until(() => station.heard.length === 1)
    upstream = (push) => resultsOf(push)
    await nothingMore()
    station.env.pass(119_000)
    loop.wake()
    await nothingMore()
    assert.equal(station.pushes.length, 1)
    station.env.pass(1000)
    await station.until(isDone)
  })

  it('parks what is refused and holds nobody up for it', async () => {
    const happened = await station.happen(1200)
    const poisons = new Set([happened[0], happened[600], happened[1199]])
    upstream = (push) =>
      resultsOf(push, (nonce) =>
        poisons.has(nonce) ? { status: 'rejected', reason: 'malformed', detail: 'Not readable.' } : {},
      )
    station.start()
    await station.until(isDone)
    assert.equal(station.pushes.length, 3)
    assert.deepEqual(await station.states(), { parked: 3, done: 1197 })
    const parked = (await station.rows()).filter(({ state }) => state === 'parked')
    assert.deepEqual(
      parked.map(({ reason }) => reason),
      ['malformed', 'malformed', 'malformed'],
    )
    await pass(400)
    assert.equal(station.pushes.length, 3)
  })

  it('tells again later what is to be reported again, more and more seldom, and holds nobody up for it', async () => {
    const [first] = await station.happen(20)
    upstream = (push) =>
      resultsOf(push, (nonce) => (nonce === first ? { status: 'retry', reason: 'unknown_order' } : {}))
    station.start()
    await station.until(async () => (await station.states()).done === 19)
    assert.equal(station.pushes.length, 1)
    await pass(900)
    const attempts = station.pushes.length
    assert.ok(attempts >= 9 && attempts <= 16, `${attempts} attempts in a quarter of an hour`)
    assert.deepEqual(station.pushes.slice(1).map(nonces), Array(attempts - 1).fill([first]))
    upstream = (push) => resultsOf(push)
    await pass(300)
    assert.ok(await isDone())
  })

  it('notes when facts became known upstream by the right time, which pages of changes are asked for by', async () => {
    upstream = (push) => resultsOf(push, () => ({ status: station.pushes.length > 1 ? 'applied' : 'retry' }))
    station.start(3_600_000)
    await station.happen(1)
    await pass(5)
    const [fact] = await station.rows()
    assert.deepEqual([fact?.state, fact?.attempts], ['done', 2])
    const right = station.env.now() + 3_600_000
    assert.ok(String(fact?.done_at) > instantOf(right - 6000) && String(fact?.done_at) <= instantOf(right))
  })

  it('tells less at once where it is too much, and more again after', async () => {
    await station.happen(2000)
    upstream = (push) => (push.facts.length > 200 ? answer({ detail: 'Too large.' }, 413) : resultsOf(push))
    station.start()
    await station.until(isDone)
    assert.deepEqual(await station.states(), { done: 2000 })
    assert.ok(station.pushes.length < 30, `${station.pushes.length} requests`)
  })

  it('tells again what came too slowly, as if nothing had been answered', async () => {
    await station.happen(1)
    upstream = () => answer({ detail: 'Too slow.' }, 408)
    station.start()
    await station.until(() => station.heard.length === 1)
    upstream = (push) => resultsOf(push)
    await pass(5)
    const [fact] = await station.rows()
    assert.deepEqual([station.heard, fact?.state, fact?.attempts], [['silent', 'answered'], 'done', 1])
  })

  it('parks a fact that is too large by itself', async () => {
    const [large] = await station.happen(9)
    upstream = (push) =>
      nonces(push).includes(String(large)) ? answer({ detail: 'Too large.' }, 413) : resultsOf(push)
    station.start()
    await station.until(isDone)
    assert.deepEqual(await station.states(), { parked: 1, done: 8 })
  })

  it('never makes a body larger than is read', async () => {
    await station.happen(20, (index) => ({ index, text: 'x'.repeat(400_000) }))
    station.start()
    await station.until(isDone)
    for (const push of station.pushes) assert.ok(JSON.stringify(push).length < 4 * 1024 * 1024)
    assert.ok(station.pushes.length <= 4)
  })

  it('gets past a fact at which the whole server fails', async () => {
    const happened = await station.happen(100)
    upstream = (push) =>
      nonces(push).includes(String(happened[50])) ? answer({ detail: 'Oops.' }, 500) : resultsOf(push)
    station.start()
    await station.until(() => station.heard.length > 0)
    for (let seconds = 0; seconds < 200 && (await station.states()).done !== 99; seconds += 1) {
      await nothingMore()
      station.env.pass(1000)
    }
    assert.deepEqual(await station.states(), { done: 99, waiting: 1 })
  })

  it('goes on offering what it has when it is not let in', async () => {
    await station.happen(2)
    upstream = () => answer({ detail: 'Device access has been revoked.' }, 401)
    station.start()
    await station.until(() => station.heard.length === 1)
    assert.deepEqual(station.heard, ['refused'])
    upstream = (push) => resultsOf(push, () => ({ status: 'quarantined' }))
    await nothingMore()
    station.env.pass(60_000)
    await station.until(isDone)
    assert.deepEqual(await station.states(), { done: 2 })
  })

  it('tells again what a server answered nothing for', async () => {
    const [first, second] = await station.happen(2)
    upstream = () => answer({ protocol: 1, results: [{ nonce: second, status: 'applied' }] })
    station.start()
    await station.until(async () => (await station.states()).done === 1)
    upstream = (push) => resultsOf(push)
    await nothingMore()
    station.env.pass(2000)
    await station.until(isDone)
    assert.deepEqual(station.pushes.map(nonces), [[first, second], [first]])
  })

  it('goes on after a restart where it was', async () => {
    const happened = await station.happen(600)
    const { promise: stuck, resolve } = Promise.withResolvers<Response>()
    upstream = () => stuck
    const loop = station.start()
    await station.until(() => station.pushes.length === 1)
    resolve(answer('cut off'))
    await loop.stop()
    assert.deepEqual(await station.states(), { waiting: 600 })
    upstream = (push) => resultsOf(push, () => ({ status: 'duplicate' }))
    station.start()
    await station.until(isDone)
    assert.deepEqual(station.pushes.slice(1).flatMap(nonces), happened)
  })

  it('gives up an answer that never comes', async () => {
    await station.happen(1)
    upstream = (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    station.start()
    await station.until(() => station.pushes.length === 1)
    station.env.pass(15_000)
    await station.until(() => station.heard.length === 1)
    assert.deepEqual(station.heard, ['silent'])
  })
})
