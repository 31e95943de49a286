import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { makeScanIntake } from '../../../main/scanners/scan-intake.ts'
import { makeHandClock } from '../common/hand-clock.ts'
import { makeInbox } from '../common/inbox.ts'

interface Taken {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body: unknown
  answer(status: number): void
}

const scan = (code: string, symbology: string | null = null) => ({ code, symbology })

describe('the intake of scans', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** A server that lets the test answer each request. */
  async function listen() {
    const taken = makeInbox<Taken>()
    const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
      const body: unknown = JSON.parse(await text(request))
      taken.put({
        method: request.method ?? '',
        path: request.url ?? '',
        key: request.headers.authorization ?? '',
        body,
        answer(status) {
          response.statusCode = status
          response.end('{}')
        },
      })
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { taken, address: { url, open: `${url}/open`, key: 'k1' } }
  }

  function makeIntake(maxWaiting?: number) {
    const clock = makeHandClock()
    const logged = makeInbox<string>()
    return { clock, logged, intake: makeScanIntake(clock, logged.put, maxWaiting) }
  }

  /** Moves the clock as soon as the intake has planned to try again. */
  async function retry(clock: ReturnType<typeof makeHandClock>) {
    for (const end = Date.now() + 30_000; clock.planned().length === 0; ) {
      assert(Date.now() < end, 'it does not try again')
      await new Promise((resolve) => setImmediate(resolve))
    }
    clock.advance(500)
  }

  const codeOf = ({ body }: Taken) => (body as { code: string }).code
  const nonceOf = ({ body }: Taken) => (body as { nonce: string }).nonce

  it('posts a scan as the station, with its symbology and a nonce', async () => {
    const { taken, address } = await listen()
    const { intake } = makeIntake()
    intake.connect(address)
    intake.add(scan('ABC', ']Q1'))
    const request = await taken.next()
    assert.deepEqual(
      [request.method, request.path, request.key],
      ['POST', '/api/v1/station/scan/', 'Station k1'],
    )
    const { nonce, ...body } = request.body as { nonce: string }
    assert.deepEqual(body, { code: 'ABC', source: 'hid', symbology: ']Q1' })
    assert.match(nonce, /^[0-9a-f-]{36}$/)
    request.answer(200)
  })

  it('posts one after the other, in the order of reading', async () => {
    const { taken, address } = await listen()
    const { intake } = makeIntake()
    intake.connect(address)
    for (const code of ['one', 'two', 'three']) intake.add(scan(code))
    for (const code of ['one', 'two', 'three']) {
      const request = await taken.next()
      assert.equal(codeOf(request), code)
      assert.deepEqual(taken.rest(), [])
      request.answer(200)
    }
  })

  it('keeps scans while the server is away', async () => {
    const { taken, address } = await listen()
    const { intake, logged } = makeIntake()
    intake.add(scan('one'))
    intake.add(scan('two'))
    assert.equal(await logged.next(), 'The server is away; scans waiting: 1')
    intake.connect(address)
    for (const code of ['one', 'two']) {
      const request = await taken.next()
      assert.equal(codeOf(request), code)
      request.answer(200)
    }
  })

  it('tells the time of reading of a scan that had to wait', async () => {
    const { taken, address } = await listen()
    const { intake, clock } = makeIntake()
    const readAt = new Date(clock.now()).toISOString()
    intake.add(scan('one'))
    clock.advance(60_000)
    intake.add(scan('two'))
    intake.connect(address)
    const times: unknown[] = []
    for (const _ of [1, 2]) {
      const request = await taken.next()
      times.push((request.body as { datetime?: string }).datetime)
      request.answer(200)
    }
    assert.deepEqual(times, [readAt, undefined])
  })

  it('goes on at the new address after a restart, with the same nonce', async () => {
    const [before, afterwards] = [await listen(), await listen()]
    const { intake, clock } = makeIntake()
    intake.connect(before.address)
    intake.add(scan('one'))
    const cut = await before.taken.next()
    servers[0]?.closeAllConnections()
    intake.disconnect()
    intake.add(scan('two'))
    intake.connect({ ...afterwards.address, key: 'k2' })
    await retry(clock)
    const again = await afterwards.taken.next()
    assert.equal(again.key, 'Station k2')
    assert.deepEqual([codeOf(again), nonceOf(again)], [codeOf(cut), nonceOf(cut)])
    again.answer(200)
    const second = await afterwards.taken.next()
    assert.equal(codeOf(second), 'two')
    second.answer(200)
  })

  for (const status of [401, 403, 429, 500, 503]) {
    it(`tries again after an answer of ${status}`, async () => {
      const { taken, address } = await listen()
      const { intake, clock } = makeIntake()
      intake.connect(address)
      intake.add(scan('one'))
      const first = await taken.next()
      first.answer(status)
      await retry(clock)
      const second = await taken.next()
      assert.equal(nonceOf(second), nonceOf(first))
      second.answer(200)
    })
  }

  it('does not let one scan that always fails hold up the others', async () => {
    const { taken, address } = await listen()
    const { intake, clock, logged } = makeIntake()
    intake.connect(address)
    intake.add(scan('bad'))
    intake.add(scan('good'))
    let tries = 0
    let request = await taken.next()
    while (codeOf(request) === 'bad') {
      tries++
      request.answer(500)
      if (tries < 20) await retry(clock)
      request = await taken.next()
    }
    assert.equal(codeOf(request), 'good')
    request.answer(200)
    assert.equal(await logged.next(), 'A scan was not judged: status 500 (1 since the start)')
  })

  it('says that nothing is set up yet, and does not ask again', async () => {
    const { taken, address } = await listen()
    const { intake, logged } = makeIntake()
    intake.connect(address)
    intake.add(scan('one'))
    intake.add(scan('two'))
    const first = await taken.next()
    first.answer(409)
    assert.match(
      await logged.next(),
      /no event and check-in list are chosen yet, or the station sells \(1 since/,
    )
    const second = await taken.next()
    second.answer(400)
    assert.match(await logged.next(), /status 400 \(2 since/)
  })

  it('keeps no more than its bound, and counts the others', async () => {
    const { taken, address } = await listen()
    const { intake, logged } = makeIntake(2)
    for (const code of ['one', 'two', 'three', 'four']) intake.add(scan(code))
    const lines = [await logged.next(), await logged.next(), await logged.next(), await logged.next()]
    assert.match(lines[2] ?? '', /not kept, because 2 are waiting.*\(1 since/)
    assert.match(lines[3] ?? '', /\(2 since/)
    intake.connect(address)
    for (const code of ['one', 'two']) {
      const request = await taken.next()
      assert.equal(codeOf(request), code)
      request.answer(200)
    }
  })

  it('never puts a code into the log', async () => {
    const { intake, logged } = makeIntake(1)
    intake.add(scan('SECRET'))
    intake.add(scan('SECRET'))
    intake.stop()
    assert.equal(logged.rest().length, 3)
    assert(!logged.rest().join().includes('SECRET'))
  })

  it('says how many scans were left at the end', () => {
    const { intake, logged, clock } = makeIntake()
    intake.add(scan('one'))
    intake.stop()
    assert.equal(logged.rest().at(-1), 'Scans read and not sent before the end: 1')
    assert.deepEqual(clock.planned(), [])
  })

  it('tells the server of the scanners, before scans and after each restart', async () => {
    const { taken, address } = await listen()
    const { intake } = makeIntake()
    const scanners = [{ name: 'HR32', connected: true }]
    intake.setScanners(scanners)
    intake.add(scan('one'))
    intake.connect(address)
    const put = await taken.next()
    assert.deepEqual([put.method, put.path], ['PUT', '/api/v1/station/scanners/'])
    assert.deepEqual(put.body, scanners)
    put.answer(204)
    const post = await taken.next()
    post.answer(200)
    intake.disconnect()
    intake.connect(address)
    const again = await taken.next()
    assert.deepEqual(again.body, scanners)
    again.answer(204)
  })

  it('does not hold scans up when the list of scanners is refused', async () => {
    const { taken, address } = await listen()
    const { intake, logged } = makeIntake()
    intake.connect(address)
    intake.setScanners([{ name: 'HR32', connected: true }])
    intake.add(scan('one'))
    const put = await taken.next()
    put.answer(500)
    const post = await taken.next()
    assert.equal(post.method, 'POST')
    post.answer(200)
    assert.match(await logged.next(), /did not take the list of scanners/)
  })
})
