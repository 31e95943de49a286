import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import sql from 'sql-template-tag'
import { fileIn } from '../../server/data-address.ts'
import { realEnv } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import { type Running, startServer } from '../../server/serve.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { openDoor } from '../routes/checkin/checkin-door.ts'
import { engines } from '../support/engines/engines.ts'
import { openFile, openMemory, prepareFolder } from '../support/engines/sqlite-image.ts'
import { startPair, until } from '../support/servers/nodes.ts'
import { addOrganizer, addToken, allRights, startTestServer } from '../support/servers/servers.ts'

const start = async (more: object = {}): Promise<Running> => {
  const running = await startServer(
    { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null, ...more },
    realEnv,
    silentLog,
    await openMemory(),
  )
  await running.transactions.write(async (tx) =>
    addToken(tx, await addOrganizer(tx, 'acme'), 'all', allRights),
  )
  return running
}

for (const { name, open } of engines)
  describe(`what a server says of itself, on ${name}`, () => {
    it('is that it runs, and that it can do its work as long as it can', async () => {
      let elapsed = 0
      const env = { ...realEnv, elapsed: () => elapsed }
      const server = await startTestServer(await open(), null, { env })
      const { database } = server.running.transactions
      const ask = async (path: string) => {
        const answer = await fetch(server.url + path)
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
      }
      const good = { serving: 'ok', database: 'ok', schema: 'ok', disk: 'ok' }
      assert.deepEqual(await ask('/healthz'), { status: 200, body: { status: 'ok' } })
      assert.deepEqual(await ask('/readyz'), { status: 200, body: { status: 'ready', checks: good } })
      await database.run(sql`DELETE FROM migration WHERE name = '0012-safety.sql'`)
      elapsed += 999
      assert.equal((await ask('/readyz')).status, 200)
      elapsed += 1
      assert.deepEqual(await ask('/readyz'), {
        status: 503,
        body: { status: 'not ready', checks: { ...good, schema: 'failed' } },
      })
      await database.run(sql`INSERT INTO migration (name) VALUES ('0012-safety.sql')`)
      await database.script('ALTER TABLE node RENAME TO node_away;')
      elapsed += 1000
      assert.deepEqual((await ask('/readyz')).body.checks, { ...good, disk: 'failed' })
      assert.equal((await ask('/healthz')).status, 200)
      await database.script('ALTER TABLE node_away RENAME TO node;')
      await server.close()
    })
  })

describe('a server whose disk fails at something', () => {
  const ask = async (url: string) => {
    const answer = await fetch(`${url}/readyz`)
    const { checks } = (await answer.json()) as { checks: Record<string, string> }
    return { status: answer.status, checks }
  }

  it('is not ready while writes find no room, although a small one would', async () => {
    let elapsed = 0
    const env = { ...realEnv, elapsed: () => elapsed }
    const server = await startTestServer(await openFile(), null, { env })
    const { database } = server.running.transactions
    await database.script('PRAGMA max_page_count = 1;')
    const { status } = await server.call('POST', `${server.ev}/items/`, {
      name: { en: 'Ticket' },
      description: { en: 'd'.repeat(40_000) },
      default_price: '1.00',
    })
    assert.equal(status, 507)
    assert.deepEqual(await ask(server.url), {
      status: 503,
      checks: { serving: 'ok', database: 'ok', schema: 'ok', disk: 'failed' },
    })
    await database.script('PRAGMA max_page_count = 1000000;')
    elapsed += 60_000
    assert.equal((await ask(server.url)).status, 200)
    await server.close()
  })

  it('is not ready once damaged pages were read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-damage-'))
    await prepareFolder(folder)
    const file = fileIn(folder)
    const first = await startTestServer(openSqlite(file))
    const item = await first.call('POST', `${first.ev}/items/`, {
      name: { en: 'Ticket' },
      default_price: '1.00',
    })
    assert.equal(item.status, 201)
    await first.close()
    const raw = new Sqlite(file)
    const page = raw
      .prepare<[], number>(`SELECT rootpage FROM sqlite_master WHERE name = 'item' AND type = 'table'`)
      .pluck()
      .get()
    const size = Number(raw.pragma('page_size', { simple: true }))
    raw.close()
    const bytes = await readFile(file)
    bytes.fill(0xff, (Number(page) - 1) * size, Number(page) * size)
    await writeFile(file, bytes)
    const logged: string[] = []
    const running = await startServer(
      { database: folder, host: '127.0.0.1', port: 0, stationKey: null },
      realEnv,
      { ...silentLog, error: (event) => void logged.push(event) },
    )
    assert.equal((await ask(running.url)).status, 200)
    const answer = await fetch(`${running.url}${first.ev}/items/`, {
      headers: { Authorization: 'Token all' },
    })
    assert.equal(answer.status, 500)
    assert.match(JSON.stringify(await answer.json()), /damaged.*backup/)
    assert.deepEqual(await ask(running.url), {
      status: 503,
      checks: { serving: 'ok', database: 'failed', schema: 'ok', disk: 'ok' },
    })
    assert.deepEqual(logged, ['database damaged'])
    await running.close()
    await rm(folder, { recursive: true })
  })
})

describe('the metrics of a server', () => {
  const lines = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/metrics`, { headers })
    return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') }
  }

  it('count requests by the pattern of their route, scans by their result, and tell what waits', async () => {
    const door = await openDoor(await openMemory())
    await door.sell('planted-secret')
    await door.redeem('planted-secret')
    await door.redeem('planted-secret')
    await door.redeem('planted-unknown')
    await door.server.call('GET', `${door.server.ev}/items/471147114711/`)
    await fetch(`${door.server.url}/somewhere/planted-path`)
    const { status, text: metrics, type } = await lines(door.server.url)
    assert.equal(status, 200)
    assert.match(String(type), /^text\/plain; version=0\.0\.4/)
    const has = (line: string) =>
      assert.ok(metrics.includes(line), `${line} is not in\n${metrics.slice(0, 3000)}`)
    has('gatehouse_scans_total{result="ok",reason=""} 1')
    has('gatehouse_scans_total{result="error",reason="already_redeemed"} 1')
    has('gatehouse_scans_total{result="error",reason="invalid"} 1')
    has(
      'gatehouse_http_requests_total{route="/api/v1/organizers/:organizer/events/:event/items/:id/",method="GET",status="404"} 1',
    )
    has('gatehouse_http_requests_total{route="other",method="GET",status="404"} 1')
    has('gatehouse_queue_length{queue="webhooks"} 0')
    has('nodejs_eventloop_lag_seconds')
    assert.ok(!/planted|471147114711|acme/.test(metrics))
    // Registers are asked again and again.
    assert.equal((await lines(door.server.url)).status, 200)
    await door.server.close()
  })

  for (const { name, open } of engines)
    it(`measure on ${name} how long transactions wait for their turn, and how long commits take`, async () => {
      const door = await openDoor(await open())
      await door.sell('a')
      const numberOf = async (name: string) => {
        const { text: metrics } = await lines(door.server.url)
        return Number(
          metrics
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.slice(name.length),
        )
      }
      const counts = async () => ({
        urgent: await numberOf('gatehouse_database_wait_seconds_count{use="urgent"}'),
        commits: await numberOf('gatehouse_commit_seconds_count'),
      })
      await door.redeem('a')
      const before = await counts()
      await door.redeem('a')
      const after = await counts()
      // Jobs have transactions of their own beside it.
      assert.ok(after.urgent > before.urgent && after.commits > before.commits)
      assert.ok((await numberOf('gatehouse_commit_seconds_sum')) > 0)
      await door.server.close()
    })

  it('measure how long jobs take', async () => {
    const server = await startTestServer()
    const isMeasured = async () =>
      /gatehouse_job_seconds_count\{name="automatic exits"\} [1-9]/.test((await lines(server.url)).text)
    await until('a job has been done', isMeasured)
    await server.close()
  })

  it('count warnings and errors of the log by their event', async () => {
    const server = await startTestServer()
    await fetch(`${server.url}${server.ev}/`, { headers: { Authorization: 'Token planted' } })
    const { text: metrics } = await lines(server.url)
    assert.ok(metrics.includes('gatehouse_log_lines_total{level="warn",event="refused"} 1'), metrics)
    await server.close()
  })

  it('count the stations that have all there is, their streams, and how old the data of a station are', async () => {
    const { central, station } = await startPair(['code'])
    const lineOf = async (url: string, name: string) =>
      (await lines(url)).text.split('\n').find((line) => line.startsWith(`gatehouse_${name} `))
    await until(
      'the station has everything',
      async () => (await lineOf(central.url, 'stations_current')) === 'gatehouse_stations_current 1',
    )
    assert.equal(await lineOf(central.url, 'stations_behind'), 'gatehouse_stations_behind 0')
    await until(
      'its stream is open',
      async () => (await lineOf(central.url, 'station_streams')) === 'gatehouse_station_streams 1',
    )
    assert.equal(await lineOf(central.url, 'data_age_seconds'), undefined)
    assert.match(String(await lineOf(station.url, 'data_age_seconds')), /^gatehouse_data_age_seconds \d+$/)
    await station.close()
    await central.close()
  })

  it('are for this machine, and for others with the token only', async () => {
    const running = await start({ metricsToken: 'metrics-token' })
    const status = async (headers: Record<string, string>) => (await lines(running.url, headers)).status
    assert.deepEqual(
      [
        await status({}),
        await status({ 'X-Forwarded-For': '192.0.2.1' }),
        await status({ Forwarded: 'for=192.0.2.1' }),
        await status({ 'X-Forwarded-For': '192.0.2.1', Authorization: 'Bearer metrics-token' }),
        await status({ Authorization: 'Bearer wrong' }),
      ],
      [200, 403, 403, 200, 403],
    )
    await running.close()
    const other = await start()
    assert.equal((await lines(other.url, { Authorization: 'Bearer ', Via: '1.1 proxy' })).status, 403)
    await other.close()
  })
})

describe('a server on the internet', () => {
  it('closes connections on which requests come too slowly', async () => {
    const running = await start({ timeouts: { head: 60, whole: 120, look: 20 } })
    const port = Number(new URL(running.url).port)
    for (const begun of [
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      'POST /api/v1/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nslow',
    ]) {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.setEncoding('utf8').on('data', (part: string) => {
        answer += part
      })
      // What it still sends can meet a connection that is closed already.
      socket.on('error', () => undefined)
      socket.write(begun)
      await new Promise((resolve) => socket.once('close', resolve))
      assert.match(answer, /^(HTTP\/1\.1 (408|401) |$)/)
    }
    // A machine that stands still for a moment makes this one too slow as well.
    const ask = () => fetch(`${running.url}/healthz`).then(({ status }) => status, String)
    await until('whoever is quick enough is answered', async () => (await ask()) === 200)
    await running.close()
  })

  /** Connections on which nothing is asked, once the server has them. */
  const hold = async (url: string, count: number) => {
    const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    return sockets
  }
  const answerOn = async (url: string) => {
    const [socket] = await hold(url, 1)
    assert.ok(socket)
    let answer = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      answer += part
    })
    socket.on('error', () => undefined)
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    return answer
  }

  it('has a bounded number of connections with one address, and says so to who wants more', async () => {
    const lines: string[] = []
    const log = { ...silentLog, warn: (event: string) => lines.push(event) }
    const running = await startServer(
      {
        ...{ database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null },
        connections: { each: 3, all: 100 },
      },
      realEnv,
      log,
      await openMemory(),
    )
    const held = await hold(running.url, 3)
    // What is written meets a connection that is closed already, whose answer is lost then.
    assert.match(await answerOn(running.url), /^(HTTP\/1\.1 503 .*Retry-After: 10.*Too many connections|$)/s)
    assert.match(await answerOn(running.url), /^(HTTP\/1\.1 503|$)/)
    assert.deepEqual(lines, ['too many connections'])
    for (const socket of held) socket.destroy()
    await until('there is room again', async () => /^HTTP\/1\.1 200/.test(await answerOn(running.url)))
    await running.close()
  })

  it('has a bounded number of connections in all, also behind a proxy', async () => {
    const running = await start({ behindProxy: true, connections: { all: 3 } })
    const held = await hold(running.url, 3)
    assert.equal(await answerOn(running.url), '')
    held[0]?.destroy()
    await until('there is room again', async () => /^HTTP\/1\.1 200/.test(await answerOn(running.url)))
    for (const socket of held) socket.destroy()
    await running.close()
  })

  it('keeps connections for longer than proxies do, so that none sends a request into an end', async () => {
    const server = await start()
    const answer = await fetch(`${server.url}/healthz`)
    await answer.text()
    assert.match(answer.headers.get('keep-alive') ?? '', /^timeout=6[1-9]$/)
    await server.close()
  })

  it('takes no heads beyond sixteen kibibytes', async () => {
    const running = await start()
    const answer = await fetch(`${running.url}/healthz`, { headers: { 'X-Long': 'x'.repeat(17_000) } })
    assert.equal(answer.status, 431)
    await running.close()
  })

  it('says to browsers on every answer what they may do with it', async () => {
    const running = await start()
    for (const [path, status] of [
      ['/healthz', 200],
      ['/metrics', 200],
      ['/api/v1/version', 401],
      ['/nowhere', 404],
      ['/%', 400],
      ['/login', 200],
    ] as const) {
      const answer = await fetch(running.url + path)
      assert.equal(answer.status, status, path)
      assert.match(
        String(answer.headers.get('content-security-policy')),
        /^default-src 'none'.*frame-ancestors 'none'/,
      )
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.match(String(answer.headers.get('referrer-policy')), /same-origin|no-referrer|strict-origin/)
      assert.equal(answer.headers.get('x-powered-by'), null)
      if (path !== '/nowhere' && path !== '/%')
        assert.equal(answer.headers.get('cache-control'), 'no-store', path)
    }
    await running.close()
  })

  it('tells browsers to come by https only where browsers reach it by https', async () => {
    for (const [publicUrl, expected] of [
      ['https://tickets.example.org', 'max-age=63072000; includeSubDomains'],
      ['http://tickets.example.org', null],
      [undefined, null],
    ] as const) {
      const running = await start(publicUrl === undefined ? {} : { publicUrl })
      for (const path of ['/login', '/api/v1/version', '/nowhere'])
        assert.equal((await fetch(running.url + path)).headers.get('strict-transport-security'), expected)
      await running.close()
    }
  })

  it('stops after it has answered what it was asked, and takes nothing new meanwhile', async () => {
    const running = await start()
    const { url } = running
    const slow = request(`${url}/api/v1/organizers/acme/gates/`, {
      method: 'POST',
      headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
    })
    const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      slow.once('error', reject)
      slow.once('response', (answer) =>
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject),
      )
    })
    const [socket] = await Promise.all([once(slow, 'socket'), slow.write('{"name": ')])
    assert.ok(socket)
    // A second request is answered only after the first has arrived.
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    const closed = running.close()
    await assert.rejects(fetch(`${url}/healthz`))
    slow.end('"Last gate"}')
    const { status, body } = await answered
    assert.equal(status, 201)
    assert.equal(JSON.parse(body).name, 'Last gate')
    await closed
  })
})
