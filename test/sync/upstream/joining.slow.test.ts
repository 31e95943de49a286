import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { silentLog } from '../../../server/log.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { readPairing } from '../../../server/sync/upstream/joining.ts'
import { cutAfter, faultyNetwork } from '../../support/servers/faulty-network.ts'
import {
  countOf,
  followed,
  makeDevice,
  openVenue,
  sell,
  startNode,
  startPair,
  until,
} from '../../support/servers/nodes.ts'
import { addOrganizer, startTestServer } from '../../support/servers/servers.ts'

const codes = (count: number): string[] => Array.from({ length: count }, (_, index) => `T${index}`)

describe('a pairing code', () => {
  it('names the server and the token', () => {
    const code = '{"handshake_version":1,"url":"https://tickets.example/","token":"abcd1234"}'
    assert.deepEqual(readPairing(code, undefined, 'hub'), {
      url: 'https://tickets.example',
      token: 'abcd1234',
      role: 'hub',
    })
  })

  it('may be typed, as the token with the address beside it', () => {
    const pairing = readPairing(' abcd1234 ', 'tickets.example/shop/', 'station')
    assert.deepEqual(pairing, { url: 'https://tickets.example/shop', token: 'abcd1234', role: 'station' })
  })

  const line = 'Scan this with the device, or type there: address http://box-1:8000, token abcd1234efgh5678'
  for (const [what, text] of [
    ['whole', line],
    ['from the address on', line.slice(line.indexOf('address'))],
    ['with its halves swapped', ' Token: abcd1234efgh5678; address: http://box-1:8000/. '],
  ] as const)
    it(`may be pasted as the line that is printed beside the picture, ${what}`, () => {
      assert.deepEqual(readPairing(text, undefined, 'station'), {
        url: 'http://box-1:8000',
        token: 'abcd1234efgh5678',
        role: 'station',
      })
    })

  for (const [address, url] of [
    ['box-1:8000', 'http://box-1:8000'],
    ['hub.local:8000/', 'http://hub.local:8000'],
    ['192.168.0.7:8000/', 'http://192.168.0.7:8000'],
    ['[::1]:8000', 'http://[::1]:8000'],
    ['[2606:4700::1]:8443', 'https://[2606:4700::1]:8443'],
    ['203.0.113.5:8000', 'https://203.0.113.5:8000'],
    ['tickets.example:8443/shop', 'https://tickets.example:8443/shop'],
    ['tickets.example', 'https://tickets.example'],
  ] as const)
    it(`takes ${address} for ${url}`, () => {
      assert.equal(readPairing('abcd1234', address, 'station').url, url)
    })

  for (const [what, code, url] of [
    ['an address without a token', 'address http://box-1:8000', undefined],
    ['a sentence with a token and no address', 'the token abcd1234efgh5678', undefined],
    ['a token without an address', 'abcd1234', undefined],
    ['a ticket', 'a ticket, not a token!', 'https://a.example'],
    ['half a code', '{"handshake_version":1,"url":"https://a', undefined],
    ['another code', '{"hello":"world"}', undefined],
    ['a newer code', '{"handshake_version":2,"url":"https://a.example","token":"abcd"}', undefined],
    ['an address that is none', 'abcd1234', 'file:///etc/passwd'],
    ['an address with a password', 'abcd1234', 'https://me:secret@a.example'],
  ] as const)
    it(`is refused when it is ${what}`, () => {
      assert.throws(() => readPairing(code, url, 'station'), { status: 400 })
    })
})

describe('a station that joins', () => {
  it('loads everything, scans from it, tells of it and hears of what others do', async () => {
    const { central, station, venue } = await startPair(['A1', 'A2', 'A3'])
    try {
      assert.equal(await countOf(station, 'order_position'), 3)
      const first = await station.scan('A1')
      assert.equal(first.status, 'ok')
      await until('central knows of the scan', async () => (await countOf(central.running, 'checkin')) === 1)
      await central.running.transactions.write((tx) =>
        sell(tx, central.organizer, central.event, venue.item, ['B1']),
      )
      await until('the new ticket arrives', async () => (await countOf(station, 'order_position')) === 4)
      assert.equal((await station.scan('B1')).status, 'ok')
      const found = await station.call(
        'GET',
        `${central.org}/checkinrpc/search/?list=${venue.list}&search=Guest%20B1`,
      )
      assert.equal((found.body as { count: number }).count, 1)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is the device that it was admitted as, and says so', async () => {
    const { central, station } = await startPair(['A1'])
    try {
      const link = await station.link()
      assert.equal(link.role, 'station')
      assert.equal(link.state, 'online')
      assert.deepEqual(link.upstream, {
        url: central.url,
        organizer: 'acme',
        device_name: 'North',
        security_profile: 'full',
      })
      assert.deepEqual(
        link.readiness.map(({ name, ok }) => [name, ok]),
        ['data', 'clock', 'disk', 'keys', 'upstream', 'queue'].map((name) => [name, true]),
      )
      assert.equal(await countOf(station, 'device'), 1)
      assert.equal(await countOf(station, 'device', "hardware_brand = 'this machine'"), 0)
      await station.scan('A1')
      await until('central knows of the scan', async () => (await countOf(central.running, 'checkin')) === 1)
      const made = await central.running.transactions.database.get<{ name: string }>(
        sql`SELECT device.name FROM checkin JOIN device ON device.id = checkin.device`,
      )
      assert.equal(made?.name, 'North')
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('keeps what was on the machine before in a file beside', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-join-'))
    const central = await startTestServer()
    try {
      await openVenue(central, codes(30))
      const device = await makeDevice(central, 'North')
      const station = await startNode({ database: folder })
      await station.transactions.write((tx) => addOrganizer(tx, 'demo'))
      await station.join(central.url, String(device.initialization_token))
      await followed(station)
      assert.equal(await countOf(station, 'organizer', "slug = 'demo'"), 0)
      assert.equal(await countOf(station, 'order_position'), 30)
      await station.close()
      const names = (await readdir(folder)).filter((name) => name.endsWith('.sqlite')).sort()
      assert.equal(names.length, 2)
      assert.match(String(names[0]), /^gatehouse\.before-joining-\d{8}-\d{6}\.sqlite$/)
      const before = openSqlite(join(folder, String(names[0])))
      assert.equal((await before.all(sql`SELECT id FROM organizer WHERE slug = 'demo'`)).length, 1)
      await before.close()
      // What was loaded is complete in the file: indexes, strictness and all.
      const again = await startNode({ database: folder })
      await followed(again)
      assert.deepEqual(await again.transactions.database.all(sql`PRAGMA foreign_key_check`), [])
      assert.equal(
        await countOf(again, 'sqlite_master', "name = 'position_secret' AND sql LIKE '%UNIQUE%'"),
        1,
      )
      assert.equal(await countOf(again, 'position_search', 'position_search MATCH \'"guest t7"\''), 1)
      await again.close()
    } finally {
      await central.close()
      await rm(folder, { recursive: true })
    }
  })

  it('goes on where it was cut off, as often as it takes', async () => {
    const network = faultyNetwork()
    let cuts = 0
    const asked: string[] = []
    network.spoil = (url, answer) => {
      if (!url.pathname.endsWith('/snapshot/')) return answer
      asked.push(url.searchParams.get('after') ?? 'beginning')
      if (cuts >= 3) return answer
      cuts += 1
      return cutAfter(answer, 250_000 * cuts)
    }
    const central = await startTestServer()
    await openVenue(central, codes(3000))
    const device = await makeDevice(central, 'North')
    const station = await startNode({ env: network.env })
    try {
      await station.join(central.url, String(device.initialization_token))
      await followed(station)
      assert.equal(await countOf(station, 'order_position'), 3000)
      assert.equal(await countOf(station, 'orders'), 3000)
      assert.equal(asked[0], 'beginning')
      assert.ok(
        asked.slice(1).every((one) => /^order(_position)?:\d+$/.test(one)),
        asked.join(),
      )
      assert.equal(new Set(asked).size, asked.length, asked.join())
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('takes nothing that was changed on its way', async () => {
    const network = faultyNetwork()
    let spoilt = 0
    network.spoil = (url, answer) => {
      if (!url.pathname.endsWith('/snapshot/') || spoilt > 0) return answer
      spoilt += 1
      const decoder = new TextDecoderStream()
      const encoder = new TextEncoderStream()
      const forge = new TransformStream<string, string>({
        transform: (text, controller) => controller.enqueue(text.replaceAll('T1', 'T9')),
      })
      const body = answer.body
        ?.pipeThrough(decoder as never)
        .pipeThrough(forge)
        .pipeThrough(encoder)
      return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, answer)
    }
    const { central, station } = await startPair(codes(5), { env: network.env })
    try {
      assert.equal(spoilt, 1)
      const rows = await station.transactions.database.all<{ secret: string }>(
        sql`SELECT secret FROM order_position ORDER BY secret`,
      )
      assert.deepEqual(
        rows.map((row) => row.secret),
        codes(5),
      )
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('says what to do when it is not let in', async () => {
    const central = await startTestServer()
    const network = faultyNetwork()
    const station = await startNode({ env: network.env })
    const attempt = async (code: string, url?: string) => {
      const answer = await station.call('POST', '/api/v1/station/join/', { code, ...(url ? { url } : {}) })
      return [answer.status, JSON.stringify(answer.body)] as const
    }
    try {
      const device = await makeDevice(central, 'North')
      const token = String(device.initialization_token)
      const [unknown, why] = await attempt('nosuchtoken', central.url)
      assert.equal(unknown, 400)
      assert.equal(JSON.parse(why).reason, 'unknown')
      network.down = true
      const [status, text] = await attempt(token, central.url)
      assert.equal(status, 503)
      assert.match(text, /cannot be reached/)
      assert.equal(JSON.parse(text).reason, 'unreachable')
      network.down = false
      network.instead = () =>
        new Response('<html>Accept our terms</html>', { headers: { 'Content-Type': 'text/html' } })
      assert.match((await attempt(token, central.url))[1], /no server of the right kind/)
      network.instead = () => undefined
      assert.equal((await attempt(token, central.url))[0], 202)
      await followed(station)
      assert.equal((await attempt(token, central.url))[0], 409)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is admitted with the same token where its disk did not take at first who it is', async () => {
    const central = await startTestServer()
    const station = await startNode()
    const { database } = station.transactions
    const join = async (code: unknown) =>
      (await station.call('POST', '/api/v1/station/join/', { code, url: central.url })).status
    try {
      await openVenue(central, codes(2))
      const token = (await makeDevice(central, 'North')).initialization_token
      await database.script(
        "CREATE TRIGGER full BEFORE INSERT ON upstream BEGIN SELECT RAISE(ABORT, 'no room'); END",
      )
      assert.equal(await join(token), 500)
      assert.equal(await countOf(central.running, 'device', 'initialized IS NOT NULL'), 1)
      // Another token is another device, and one that nobody knows changes nothing.
      assert.equal(await join('nosuchtoken'), 400)
      assert.equal(await join(token), 500)
      await database.script('DROP TRIGGER full')
      assert.equal(await join(token), 202)
      await followed(station)
      assert.equal(await countOf(station, 'order_position'), 2)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('says in its log what to do about a token that the server does not know', async () => {
    const central = await startTestServer()
    const logged: string[] = []
    const log = {
      ...silentLog,
      warn: (event: string, about = {}) => logged.push(JSON.stringify({ event, ...about })),
    }
    const upstream = { url: central.url, token: 'nosuchtoken', role: 'hub' as const }
    const hub = await startNode({ upstream, log })
    try {
      await until('the log says so', () => logged.length > 0)
      assert.equal(
        logged[0],
        JSON.stringify({
          event: 'not admitted yet',
          why: 'The server does not know this token, or it was used already: make a new device there with device create, and start again with its token after --device-token.',
        }),
      )
      const { problem } = await hub.link()
      assert.match(String(problem), /^The server does not know this token.*make a new device/)
    } finally {
      await hub.close()
      await central.close()
    }
  })

  it('goes on joining after a restart, with the access it was given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-join-'))
    const central = await startTestServer()
    const network = faultyNetwork()
    network.instead = (url) =>
      url.pathname.endsWith('/snapshot/') ? new Response('no', { status: 502 }) : undefined
    try {
      await openVenue(central, codes(3))
      const device = await makeDevice(central, 'North')
      const station = await startNode({ database: folder, env: network.env })
      await station.join(central.url, String(device.initialization_token))
      await until('the snapshot is asked for', () =>
        [...network.asked.keys()].some((path) => path.endsWith('/snapshot/')),
      )
      await station.close()
      const again = await startNode({ database: folder })
      await followed(again)
      assert.equal(await countOf(again, 'order_position'), 3)
      await again.close()
    } finally {
      await central.close()
      await rm(folder, { recursive: true })
    }
  })

  it('can be given its server when it is started, without any screen', async () => {
    const central = await startTestServer()
    const venue = await openVenue(central, codes(2))
    const device = await makeDevice(central, 'Hub')
    const upstream = { url: central.url, token: String(device.initialization_token), role: 'hub' as const }
    const hub = await startNode({ upstream })
    try {
      await followed(hub)
      assert.equal((await hub.link()).role, 'hub')
      await hub.setUp(venue.list)
      assert.equal((await hub.scan('T0')).status, 'ok')
    } finally {
      await hub.close()
      await central.close()
    }
  })
})
