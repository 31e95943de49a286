import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { fileBody, kibibyte, listBody, mebibyte, rowBody, smallBody } from '../../schema/body-limits.ts'
import { BytesInFlight } from '../../server/http/bytes-in-flight.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import {
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../support/servers/servers.ts'

/** A request of which only what is written has come. */
interface Asking {
  readonly socket: Socket
  /** The answer as far as it has come, once there is one. */
  readonly answer: Promise<string>
  readonly ended: Promise<void>
}

describe('bodies that are received', () => {
  let server: TestServer
  let env: HandEnv
  let open: Asking[]

  beforeEach(async () => {
    env = makeHandEnv()
    server = await startTestServer(undefined, null, { env })
    await server.running.transactions.write((tx) => addToken(tx, server.organizer, 'other', allRights))
    open = []
  })
  afterEach(async () => {
    for (const { socket } of open) socket.destroy()
    await Promise.all(open.map(({ ended }) => ended))
    await server.close()
  })

  /** Sends the head of a request and a part of its body. */
  function begin(
    path: string,
    announced: number,
    credential: string,
    part: string | Buffer = '',
    localAddress = '127.0.0.1',
  ): Asking {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress })
    const heard = Promise.withResolvers<string>()
    const over = Promise.withResolvers<void>()
    socket.setEncoding('latin1')
    socket.once('data', heard.resolve)
    socket.on('error', () => {})
    socket.on('close', () => {
      heard.resolve('')
      over.resolve()
    })
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        'Host: 127.0.0.1',
        'Content-Type: application/json',
        `Content-Length: ${announced}`,
        ...(credential === '' ? [] : [`Authorization: ${credential}`]),
        '',
        '',
      ].join('\r\n'),
    )
    socket.write(part)
    const asking = { socket, answer: heard.promise, ended: over.promise }
    open.push(asking)
    return asking
  }

  const statusOf = async ({ answer }: Asking): Promise<number> =>
    Number(/^HTTP\/1\.1 (\d+)/.exec(await answer)?.[1] ?? 0)

  const post = (path: string, size: number, credential: string) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { Authorization: credential, 'Content-Type': 'application/json' },
      body: `{}${' '.repeat(size - 2)}`,
    })

  /** Resolves once the server has taken in what was sent and waits for more. */
  const waitingFor = async (count: number): Promise<void> => {
    const isKnown = async () => (await fetch(`${server.url}/healthz`)).ok && env.waiting >= count
    while (!(await isKnown()));
  }

  it('are not waited for where nobody known asks, on any path', async () => {
    const { org, ev } = server
    const asked = {
      [`${org}/checkinrpc/redeem/`]: 401,
      [`${ev}/orders/`]: 401,
      [`${org}/sync/push/`]: 401,
      [`${org}/sync/import/`]: 401,
      '/api/v1/upload': 401,
      '/api/v1/nothing/here/': 404,
      [`${org}/checkinrpc/nothing/redeem/`]: 404,
    }
    for (const [path, status] of Object.entries(asked)) {
      const asking = begin(path, fileBody - 1, '')
      assert.equal(await statusOf(asking), status, path)
      await asking.ended
    }
  })

  it('are not waited for where somebody known may not ask', async () => {
    await server.running.transactions.write((tx) => addToken(tx, server.organizer, 'none', {}))
    const asking = begin(`${server.ev}/categories/`, smallBody, 'Token none')
    assert.equal(await statusOf(asking), 403)
  })

  it('end at 64 KiB without a credential', async () => {
    assert.equal((await post('/api/v1/device/initialize', smallBody, '')).status, 400)
    const refused = await post('/api/v1/device/initialize', smallBody + 1, '')
    assert.equal(refused.status, 413)
    assert.match(await refused.text(), /larger than 64 KiB/)
  })

  it('end at what their endpoint declares with one', async () => {
    const { org, ev } = server
    const limits = {
      [`${org}/checkinrpc/redeem/`]: smallBody,
      [`${ev}/categories/`]: rowBody,
      [`${ev}/orders/`]: listBody,
      [`${ev}/vouchers/batch_create/`]: listBody,
      [`${org}/seatingplans/`]: 4 * mebibyte,
    }
    for (const [path, limit] of Object.entries(limits)) {
      assert.equal((await post(path, limit, 'Token all')).status, 400, path)
      assert.equal((await post(path, limit + 1, 'Token all')).status, 413, path)
    }
  })

  it('are not parsed where they hold more values than their size allows', async () => {
    const values = smallBody / 16
    const text = `{"secret":"x","lists":[],"more":[${'1,'.repeat(values)}1]}`
    const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/`, text)
    assert.equal(answer.status, 413)
    assert.match(JSON.stringify(answer.body), /too many values/)
  })

  it('are given up when they stop coming, but not while they come slowly', async () => {
    const path = `${server.org}/checkinrpc/redeem/`
    const before = env.waiting
    const asking = begin(path, smallBody, 'Token all', '{')
    await waitingFor(before + 1)
    env.pass(19_000)
    asking.socket.write(' '.repeat(48 * kibibyte))
    const slow = begin(path, 10, 'Token all', '{')
    await waitingFor(before + 2)
    env.pass(3000)
    assert.deepEqual([await Promise.race([asking.answer, 'waits']), slow.socket.destroyed], ['waits', false])
    env.pass(20_000)
    assert.deepEqual([await statusOf(asking), await statusOf(slow)], [408, 408])
    await asking.ended
    assert.match(await slow.answer, /came too slowly/)
  })

  it('have a bounded room for each caller, which comes back', async () => {
    const path = `${server.org}/checkinrpc/redeem/`
    const half = Buffer.alloc(smallBody - 1, 0x20)
    const most = (4 * mebibyte) / smallBody
    const refused: Asking[] = []
    for (let count = 0; count < most + 6; count += 1) {
      const asking = begin(path, smallBody, 'Token all', half)
      void asking.answer.then(() => refused.push(asking))
    }
    while (refused.length === 0) await fetch(`${server.url}/healthz`)
    const [first] = refused
    assert.match((await first?.answer) ?? '', /^HTTP\/1\.1 429.*Retry-After: 2.*Try again in two seconds/s)
    assert.equal((await post(path, smallBody, 'Token all')).status, 429)
    assert.equal((await post(path, smallBody, 'Token other')).status, 400)
    for (const { socket } of open) socket.destroy()
    await Promise.all(open.map(({ ended }) => ended))
    while ((await post(path, smallBody, 'Token all')).status === 429);
    assert.equal((await post(path, smallBody, 'Token all')).status, 400)
  })

  /** What has not been answered by the time that others were. */
  const waits = async ({ answer }: Asking): Promise<boolean> => {
    for (let count = 0; count < 20; count += 1) await fetch(`${server.url}/healthz`)
    return (await Promise.race([answer, 'waits'])) === 'waits'
  }

  it('that are large come one at a time from each caller', async () => {
    const path = `${server.ev}/orders/`
    const size = rowBody + 1
    const before = env.waiting
    const first = begin(path, size, 'Token all', '{')
    await waitingFor(before + 1)
    const second = begin(path, size, 'Token all', Buffer.alloc(size, 0x20))
    assert.equal((await post(path, size, 'Token other')).status, 400)
    assert.equal((await post(path, rowBody, 'Token all')).status, 400)
    assert.ok(await waits(second))
    first.socket.write(`}${' '.repeat(size - 2)}`)
    assert.deepEqual([await statusOf(first), await statusOf(second)], [400, 400])
  })

  it('that are large let others go on after one that broke off', async () => {
    const path = `${server.ev}/orders/`
    const size = rowBody + 1
    const before = env.waiting
    const first = begin(path, size, 'Token all', '{')
    await waitingFor(before + 1)
    const second = begin(path, size, 'Token all', '{')
    const third = begin(path, size, 'Token all', Buffer.alloc(size, 0x20))
    assert.ok(await waits(third))
    for (const { socket } of [first, second]) socket.destroy()
    assert.equal(await statusOf(third), 400)
  })

  it('that are large wait for one another, and beyond that are refused with when to come again', async () => {
    const path = `${server.org}/seatingplans/`
    const size = 4 * mebibyte
    const send = () => begin(path, size, 'Token all', Buffer.alloc(size, 0x20))
    for (let count = 0; count < 7; count += 1) assert.equal(await statusOf(send()), 400)
    const early = send()
    assert.ok(await waits(early))
    env.pass(3999)
    assert.ok(await waits(early))
    env.pass(1)
    assert.equal(await statusOf(early), 400)
    const waiting = Array.from({ length: 10 }, send)
    const isRefused = (asking: Asking) => asking.answer.then((text) => /^HTTP\/1\.1 429/.test(text))
    const refused = await Promise.any(
      waiting.map(async (asking) => ((await isRefused(asking)) ? asking : Promise.reject(asking))),
    )
    assert.match(await refused.answer, /Retry-After: 4\b.*try again in 4 seconds/s)
    await refused.ended
    assert.equal((await post(path, size, 'Token other')).status, 400)
    assert.equal((await post(path, rowBody, 'Token all')).status, 400)
    let answered = 0
    for (const { answer } of waiting)
      void answer.then(() => {
        answered += 1
      })
    while (answered < waiting.length) {
      env.pass(4000)
      await fetch(`${server.url}/healthz`)
    }
  })

  /** Credentials of the same organizer. */
  const many = async (count: number): Promise<readonly string[]> => {
    const names = Array.from({ length: count }, (_, index) => `many-${index}`)
    await server.running.transactions.write(async (tx) => {
      for (const name of names) await addToken(tx, server.organizer, name, allRights)
    })
    return names.map((name) => `Token ${name}`)
  }

  /** Another organizer, whose token is its name. */
  const addOther = (name: string) =>
    server.running.transactions.write(async (tx) =>
      addToken(tx, await addOrganizer(tx, name), name, allRights),
    )

  it('that are large have one pace for all credentials of an organizer, and of an address', async () => {
    const path = `${server.org}/seatingplans/`
    const size = 4 * mebibyte
    await addOther('far')
    await addOther('near')
    const sent = (await many(30)).map((credential) => begin(path, size, credential, Buffer.alloc(size, 0x20)))
    const statuses: number[] = []
    const heard = sent.map(async (asking) => statuses.push(await statusOf(asking)))
    while (statuses.filter((status) => status === 400).length < 12) await fetch(`${server.url}/healthz`)
    while (statuses.filter((status) => status === 429).length < 12) await fetch(`${server.url}/healthz`)
    const taken = statuses.filter((status) => status === 400).length
    assert.ok(taken <= 13, `${taken} of ${sent.length} large bodies are taken at once`)
    // The same for another organizer from there, but not for one from elsewhere; scans are taken from all.
    const other = (name: string, localAddress: string) =>
      begin(
        `/api/v1/organizers/${name}/seatingplans/`,
        size,
        `Token ${name}`,
        Buffer.alloc(size, 0x20),
        localAddress,
      )
    assert.equal(await statusOf(other('near', '127.0.0.1')), 429)
    assert.equal(await statusOf(other('far', '127.0.0.2')), 400)
    const scan = await post(`${server.org}/checkinrpc/redeem/`, smallBody, 'Token all')
    assert.equal(scan.status, 400)
    const all = Promise.all(heard)
    while ((await Promise.race([all, 'waits'])) === 'waits') {
      env.pass(2000)
      await fetch(`${server.url}/healthz`)
    }
    assert.ok(statuses.filter((status) => status === 400).length <= 18)
  })

  it('leave room for a scan of everybody, whatever others of their organizer do', async () => {
    const path = `${server.org}/checkinrpc/redeem/`
    const half = Buffer.alloc(smallBody - 1, 0x20)
    await addOther('far')
    const refused: Asking[] = []
    for (const credential of await many(10))
      for (let count = 0; count < 40; count += 1) {
        const asking = begin(path, smallBody, credential, half)
        void asking.answer.then(() => refused.push(asking))
      }
    while (refused.length < 100) await fetch(`${server.url}/healthz`)
    for (const { answer } of refused.slice(0, 100))
      assert.match(await answer, /^HTTP\/1\.1 429.*your organizer/s)
    assert.equal((await post(path, smallBody, 'Token all')).status, 400)
    const far = '/api/v1/organizers/far/checkinrpc/redeem/'
    assert.equal((await post(far, smallBody, 'Token far')).status, 400)
  })

  it('of somebody known who sends too much for nothing are not received any more', async () => {
    const path = `${server.org}/checkinrpc/redeem/`
    const refuse = async () => {
      const asking = begin(path, fileBody, 'Token all', Buffer.alloc(kibibyte, 0x20))
      assert.equal(await statusOf(asking), 413)
      return asking
    }
    const received = [await refuse(), await refuse(), await refuse()]
    const ended = await refuse()
    await ended.ended
    assert.deepEqual(
      received.map(({ socket }) => socket.closed),
      [false, false, false],
    )
    env.pass(60_000)
    assert.equal((await refuse()).socket.closed, false)
  })

  it('can be sent again under their key where they broke off', async () => {
    const body = JSON.stringify({ name: { en: 'Again' } })
    const path = `${server.ev}/categories/`
    const broken = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Authorization: Token all',
      'X-Idempotency-Key: once',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const before = env.waiting
    broken.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    await waitingFor(before + 1)
    broken.destroy()
    let answer = await server.call('POST', path, body, { 'X-Idempotency-Key': 'once' })
    while (answer.status === 409)
      answer = await server.call('POST', path, body, { 'X-Idempotency-Key': 'once' })
    assert.equal(answer.status, 201)
  })
})

describe('the bytes that are on the way', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((caller) => ({
    caller,
    groups: [caller === 'c' ? 'others' : 'these'],
  }))
  assert.ok(a && b && c)

  it('are bounded for each and for all, and come back', () => {
    const flight = new BytesInFlight({ free: 0, each: 10, together: 15, all: 15 })
    assert.equal(flight.take(a, 10), 'taken')
    assert.equal(flight.take(a, 1), 'each')
    assert.equal(flight.take(c, 6), 'all')
    assert.equal(flight.take(c, 5), 'taken')
    flight.giveBack(a, 10)
    assert.equal(flight.take(c, 5), 'taken')
    assert.equal(flight.take(a, 5), 'taken')
    assert.equal(flight.take(a, 1), 'all')
  })

  it('are bounded for those who belong together, but for what is free for each', () => {
    const flight = new BytesInFlight({ free: 2, each: 10, together: 12, all: 100 })
    assert.equal(flight.take(a, 10), 'taken')
    assert.equal(flight.take(b, 7), 'together')
    assert.equal(flight.take(b, 6), 'taken')
    assert.equal(flight.take(b, 1), 'together')
    assert.equal(flight.take(c, 10), 'taken')
    assert.equal(flight.take({ ...a, caller: 'd' }, 2), 'taken')
    flight.giveBack(a, 9)
    assert.equal(flight.take(b, 4), 'taken')
    flight.giveBack(a, 1)
    flight.giveBack(b, 10)
    assert.equal(flight.take(a, 10), 'taken')
    assert.equal(flight.take(b, 6), 'taken')
    assert.equal(flight.take(b, 1), 'together')
  })
})
