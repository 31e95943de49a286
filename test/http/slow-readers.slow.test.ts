import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import Koa from 'koa'
import { kibibyte, mebibyte } from '../../schema/body-limits.ts'
import { item } from '../../schema/resources/catalogue/item.ts'
import { createLive } from '../../server/http/live.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'
import { addRow } from '../support/ticketing/orders.ts'

/** More than what the system keeps of an answer on the way. */
const description = { en: 'x'.repeat(240 * kibibyte) }
const items = 50

interface Bounds {
  readonly each: number
  readonly all?: number
  readonly patience: number
}

describe('answers that are not read', () => {
  let server: TestServer
  let open: Socket[]

  async function start({ all = 256 * mebibyte, ...answers }: Bounds): Promise<void> {
    server = await startTestServer(undefined, null, { answers: { ...answers, all } })
    const place = { organizer: server.organizer, event: server.event }
    await server.running.transactions.write(async (tx) => {
      for (let count = 0; count < items; count += 1)
        await addRow(tx, item, place, { name: { en: 'T' }, default_price: '1.00', description })
    })
  }

  beforeEach(() => {
    open = []
  })
  afterEach(async () => {
    for (const socket of open) socket.destroy()
    await server.close()
  })

  /** Asks for the list, and reads no more of the answer than its beginning; the status. */
  async function askWithoutReading(
    localAddress = '127.0.0.1',
    path = `${server.ev}/items/`,
  ): Promise<number> {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress })
    open.push(socket)
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token all\r\n\r\n`)
    const [part] = await once(socket, 'data')
    socket.pause()
    return Number(/^HTTP\/1\.1 (\d+)/.exec(String(part))?.[1] ?? 0)
  }

  /** The status of a list that is read, asked for from an address of this machine. */
  const list = (localAddress = '127.0.0.1'): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: 'Token all' }
      const asking = request(`${server.url}${server.ev}/items/`, { localAddress, headers, agent: false })
      asking.on('error', reject).on('response', (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      asking.end()
    })

  it('are bounded for each address, however many ask at once', async () => {
    await start({ each: 8 * mebibyte, patience: 60_000 })
    const statuses = await Promise.all(Array.from({ length: 12 }, () => askWithoutReading()))
    const given = statuses.filter((status) => status === 200).length
    assert.ok(given >= 1 && given <= 4, `${given} of ${statuses.length} answers of ${items} texts are kept`)
    assert.deepEqual(new Set(statuses), new Set([200, 429]))
    const refused = await server.call('GET', `${server.ev}/items/`)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.match(JSON.stringify(refused.body), /Read it, and try again/)
    // What is changed, and a scan, is answered all the same, and so is everybody else.
    assert.equal((await server.call('POST', `${server.ev}/categories/`, { name: { en: 'C' } })).status, 201)
    const scan = await server.call('POST', `${server.org}/checkinrpc/redeem/`, { secret: 'x', lists: [1] })
    assert.equal(scan.status, 400)
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    assert.equal(await list('127.0.0.2'), 200)
    for (const socket of open) socket.destroy()
    while ((await list()) === 429);
    assert.equal(await list(), 200)
  })

  it('are bounded for all addresses together: the oldest go, scans and those who read are answered', async () => {
    await start({ each: 1024 * mebibyte, all: 40 * mebibyte, patience: 600_000 })
    const addresses = Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 2}`)
    for (const address of addresses) assert.equal(await askWithoutReading(address), 200)
    const scan = await server.call('POST', `${server.org}/checkinrpc/redeem/`, { secret: 'x', lists: [1] })
    assert.equal(scan.status, 400)
    assert.equal(await list('127.0.0.99'), 200)
    // Its beginning was read before.
    const whole = (items - 1) * description.en.length
    const isGiven = await Promise.all(
      open.map(async (socket) => {
        let taken = 0
        return new Promise<boolean>((resolve) => {
          socket
            .on('close', () => resolve(taken >= whole))
            .on('data', (part) => {
              taken += part.length
              if (taken >= whole) resolve(true)
            })
          socket.resume()
        })
      }),
    )
    const given = isGiven.filter(Boolean).length
    assert.ok(given >= 1 && given <= 3, `${given} answers were kept`)
    assert.deepEqual(
      isGiven,
      addresses.map((_, index) => index >= addresses.length - given),
    )
  })

  it('are given up with their connection where nothing is taken for a while', async () => {
    await start({ each: mebibyte, patience: 200 })
    assert.equal(await askWithoutReading(), 200)
    while ((await list()) === 429);
    const [silent] = open
    assert.ok(silent)
    let taken = 0
    silent.on('data', (part) => {
      taken += part.length
    })
    silent.resume()
    await once(silent, 'close')
    assert.ok(taken < items * description.en.length, `${taken} bytes came of what was given up`)
  })
})

describe('a page that reads nothing of what it listens for', () => {
  it('is let go before much waits for it', async () => {
    const live = createLive(makeHandEnv())
    const app = new Koa().use((ctx) => live.open(ctx))
    app.silent = true
    const server = createServer(app.callback()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const page = connect((server.address() as AddressInfo).port, '127.0.0.1')
    page.on('error', () => {})
    page.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await once(page, 'data')
    page.pause()
    const event = 'x'.repeat(16 * kibibyte)
    let sent = 0
    while (live.listeners > 0 && sent < 64 * mebibyte) {
      live.publish('result', event)
      sent += event.length
      await turn()
    }
    assert.equal(live.listeners, 0)
    page.destroy()
    await live.close()
    server.close()
  })
})
