import assert from 'node:assert/strict'
import type { FactResult, Push } from '../../../schema/sync.ts'
import {
  type AnswerPush,
  answer,
  openReportingStation,
  type ReportingStation,
  resultsOf,
} from '../receive/reporting-station.ts'

const nonces = ({ facts }: Push): string[] => facts.map(({ nonce }) => nonce)

describe('waiting for the confirmation of a fact', () => {
  let station: ReportingStation
  let upstream: AnswerPush
  /** Those being reported at this moment. */
  let onTheWay: string[] = []
  let reported: string[] = []
  beforeEach(async () => {
    onTheWay = []
    reported = []
    upstream = (push) => resultsOf(push)
    station = await openReportingStation(async (push, signal) => {
      for (const nonce of nonces(push)) {
        assert.ok(!onTheWay.includes(nonce), 'told twice at the same time')
        onTheWay.push(nonce)
        reported.push(nonce)
      }
      try {
        return await upstream(push, signal)
      } finally {
        onTheWay = onTheWay.filter((nonce) => !nonces(push).includes(nonce))
      }
    })
  })
  afterEach(() => station.close())

  /** What a promise comes to, once nothing moves any more; `undefined` while it waits. */
  async function soFar(promise: Promise<FactResult | null>): Promise<FactResult | null | undefined> {
    let value: FactResult | null | undefined
    void promise.then((result) => {
      value = result
    })
    await station.quiet()
    return value
  }

  it('gives what the upstream server made of it', async () => {
    const loop = station.start()
    const conflicts = [{ id: 5, kind: 'double_entry' }]
    upstream = (push) => resultsOf(push, () => ({ status: 'conflict', conflicts }))
    const [nonce = ''] = await station.happen(1)
    assert.deepEqual(await loop.confirm(nonce, 400), { nonce, status: 'conflict', conflicts })
    assert.deepEqual(reported, [nonce])
  })

  it('gives what is known already', async () => {
    const loop = station.start()
    const [nonce = ''] = await station.happen(1)
    await station.until(async () => (await station.states()).done === 1)
    assert.deepEqual(await loop.confirm(nonce, 400), { nonce, status: 'applied' })
    assert.deepEqual(reported, [nonce])
  })

  it('gives null when the time is over, and the fact is reported nevertheless', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    upstream = (push) => promise.then(() => resultsOf(push))
    const loop = station.start()
    const [nonce = ''] = await station.happen(1)
    const confirmed = loop.confirm(nonce, 400)
    assert.equal(await soFar(confirmed), undefined)
    station.env.pass(399)
    assert.equal(await soFar(confirmed), undefined)
    station.env.pass(1)
    assert.equal(await confirmed, null)
    resolve()
    await station.until(async () => (await station.states()).done === 1)
  })

  it('gives null at once where nobody wants to wait', async () => {
    const loop = station.start()
    const [nonce = ''] = await station.happen(1)
    assert.equal(await loop.confirm(nonce, 0), null)
    await station.until(async () => (await station.states()).done === 1)
  })

  it('does not wait for what happened before at other tickets', async () => {
    await station.happen(3000, () => ({ row: { position: 1 } }))
    const { promise, resolve } = Promise.withResolvers<void>()
    upstream = (push) => (push.facts.length > 50 ? promise.then(() => resultsOf(push)) : resultsOf(push))
    const loop = station.start()
    await station.until(() => station.pushes.length === 1)
    const [nonce = ''] = await station.happen(1, () => ({ row: { position: 2 } }))
    assert.equal((await loop.confirm(nonce, 400))?.status, 'applied')
    assert.deepEqual(station.pushes.map(nonces)[1], [nonce])
    resolve()
    await station.until(async () => (await station.states()).done === 3001)
    assert.equal(new Set(reported).size, reported.length)
  })

  it('tells what waits about the same ticket from before first', async () => {
    await station.happen(600, () => ({ row: { position: 1 } }))
    const earlier = await station.happen(2, () => ({ row: { position: 77 } }))
    await station.happen(600, () => ({ row: { position: 1 } }))
    upstream = () => new Promise(() => undefined)
    const loop = station.start()
    await station.until(() => station.pushes.length === 1)
    const [nonce = ''] = await station.happen(1, () => ({ row: { position: 77 } }))
    upstream = (push) => resultsOf(push)
    assert.equal((await loop.confirm(nonce, 400))?.status, 'applied')
    assert.deepEqual(station.pushes.map(nonces)[1], [...earlier, nonce])
  })

  it('tries also shortly after an attempt has failed', async () => {
    await station.happen(1)
    upstream = () => Promise.reject(new TypeError('fetch failed'))
    const loop = station.start()
    await station.until(() => station.heard.length === 1)
    await station.quiet()
    upstream = (push) => resultsOf(push)
    const [nonce = ''] = await station.happen(1)
    assert.equal((await loop.confirm(nonce, 400))?.status, 'applied')
  })

  it('does not try while the upstream server has asked to wait', async () => {
    await station.happen(1)
    upstream = () => answer({ detail: 'Later.' }, 429, { 'Retry-After': '10' })
    const loop = station.start()
    await station.until(() => station.heard.length === 1)
    const [nonce = ''] = await station.happen(1)
    const confirmed = loop.confirm(nonce, 400)
    assert.equal(await soFar(confirmed), undefined)
    station.env.pass(400)
    assert.equal(await confirmed, null)
    assert.equal(station.pushes.length, 1)
  })

  it('gives null when the loop is stopped', async () => {
    upstream = (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const loop = station.start()
    const [nonce = ''] = await station.happen(1)
    const confirmed = loop.confirm(nonce, 400)
    await station.quiet()
    await loop.stop()
    assert.equal(await confirmed, null)
    assert.deepEqual(await station.states(), { waiting: 1 })
  })

  it('is answered for each of many scans at once', async () => {
    await station.happen(2000, () => ({ row: { position: 1 } }))
    const loop = station.start()
    const scans = await station.happen(40, (index) => ({ row: { position: 100 + index } }))
    const results = await Promise.all(scans.map((nonce) => loop.confirm(nonce, 400)))
    assert.deepEqual(
      results.map((result) => result?.status),
      scans.map(() => 'applied'),
    )
    await station.until(async () => (await station.states()).done === 2040)
    assert.equal(new Set(reported).size, reported.length)
  })
})
