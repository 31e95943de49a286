import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import type { ScanResult } from '../../../schema/bodies/scan-result.ts'
import type { ScanInput } from '../../../schema/bodies/station.ts'
import type { Choices, DemoProgress, Settings, StationState } from '../../../schema/bodies/station-state.ts'
import { openFakeJudge } from './fake-judge.ts'

/** The content policy that the station sends with every answer. */
const contentPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; " +
  "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A stand-in for the station's server: the same HTTP contract over a handful of tickets in memory. */
export interface FakeStation {
  readonly url: string
  /** Milliseconds that each scan takes. */
  delay: number
  /** How many of the next scans are answered 500. */
  failing: number
  /** How many of the next scans are judged without an answer getting through. */
  losing: number
  /** Every scan that arrived, in order. */
  readonly scans: readonly ScanInput[]
  /** A scan by the station's own scanner. */
  hid(code: string): ScanResult
  /** Tells all pages something. */
  tell(event: string, data: unknown): void
  close(): Promise<void>
}

/** How a fake station starts: set up already, or as on the first start. */
interface FakeStationOptions {
  readonly ready?: boolean
  readonly locale?: 'en' | 'de'
  readonly port?: number
}

/** Starts a fake station on the loopback interface. */
export async function startFakeStation(options: FakeStationOptions = {}): Promise<FakeStation> {
  const ready = options.ready ?? true
  const lines = new Set<ServerResponse>()
  const scans: ScanInput[] = []
  let made = ready
  let making: ReturnType<typeof setInterval> | undefined
  let demo: DemoProgress = { state: 'none', done: 0, total: 0, message: null }
  let counts = { checkin_count: 1204, position_count: 5000, inside_count: 1187 }
  let settings: Settings | null = ready ? { ...settled, locale: options.locale ?? 'en' } : null

  const stateNow = (): StationState => ({
    is_kiosk: false,
    ready: settings !== null,
    version: '0.1.0',
    settings,
    counts: settings && counts,
    scanners: [],
  })
  const judge = openFakeJudge((by, direction) => {
    const { checkin_count, position_count, inside_count } = counts
    const inward = direction === 'entry' ? by : 0
    counts = {
      checkin_count: checkin_count + inward,
      position_count,
      inside_count: inside_count + (inward || -by),
    }
    fake.tell('counts', counts)
  })

  const fake: FakeStation = {
    url: '',
    delay: 0,
    failing: 0,
    losing: 0,
    scans,
    tell(event, data) {
      for (const line of lines) line.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    hid(code) {
      const result = judge.judge({
        code,
        source: 'hid',
        type: settings?.direction ?? 'entry',
        nonce: randomUUID(),
      })
      fake.tell('result', result)
      return result
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(making)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  function makeDemo(): void {
    demo = { state: 'running', done: 0, total: 5000, message: null }
    making = setInterval(() => {
      demo = { ...demo, done: Math.min(demo.total, demo.done + 125) }
      if (demo.done === demo.total) {
        demo = { ...demo, state: 'done' }
        made = true
        clearInterval(making)
      }
      fake.tell('demo', demo)
    }, 50)
  }

  function scan(input: ScanInput, response: ServerResponse): void {
    scans.push(input)
    if (fake.failing > 0) {
      fake.failing--
      reply(response, 500, { detail: 'Something went wrong.' })
      return
    }
    const result = judge.judge(input)
    if (fake.losing > 0) {
      fake.losing--
      response.destroy()
      return
    }
    setTimeout(() => reply(response, 200, result), fake.delay)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://station')
    if (!url.pathname.startsWith('/api/')) return file(url.pathname, response)
    if (url.pathname.endsWith('/checkinrpc/search/')) {
      const found = judge.search(url.searchParams.get('search') ?? '')
      return reply(response, 200, {
        count: found.length,
        next: null,
        previous: null,
        results: found.slice(0, 20),
      })
    }
    const body = request.method === 'GET' ? {} : await bodyOf(request)
    switch (`${request.method} ${url.pathname.replace('/api/v1/station/', '')}`) {
      case 'GET ':
        return reply(response, 200, stateNow())
      case 'GET choices/':
        return reply(response, 200, made ? choices : { organizers: [] })
      case 'GET demo/':
        return reply(response, 200, demo)
      case 'POST demo/':
        makeDemo()
        return reply(response, 202, { state: 'running' })
      case 'PUT settings/':
        settings = { ...settled, ...settings, ...body }
        return reply(response, 200, stateNow())
      case 'POST scan/':
        return scan(body as unknown as ScanInput, response)
      case 'POST undo/':
        return judge.undo(String(body.nonce))
          ? reply(response, 200, { status: 'ok' })
          : reply(response, 404, { detail: 'No such check-in.' })
      case 'GET live':
        response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' }).write(': hello\n\n')
        lines.add(response)
        response.on('close', () => lines.delete(response))
        return
      default:
        return reply(response, 404, { detail: 'Not found.' })
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => reply(response, 500, { detail: 'Something went wrong.' }))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return Object.assign(fake, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

const settled: Settings = {
  organizer: 'demo',
  event: 'festival',
  event_name: 'Riverside Festival',
  list: 12,
  list_name: 'Main gate',
  lists: [{ id: 12, name: 'Main gate', event: 'festival', event_name: 'Riverside Festival' }],
  missing_lists: [],
  direction: 'entry',
  gate: 3,
  gate_name: 'North',
  sound: true,
  camera: false,
  locale: 'en',
  name: 'Station 1',
  timezone: 'Europe/Berlin',
  sells: true,
  task: 'entrance',
  asks_staff: false,
  profile: 'full',
}

const list = (id: number, name: string) => ({ id, name, subevent: null, subevent_name: null })
const gates = [
  { id: 3, name: 'North' },
  { id: 4, name: 'South' },
]
const festival = {
  slug: 'festival',
  name: { en: 'Riverside Festival', de: 'Festival am Fluss' },
  date_from: '2026-07-10T16:00:00Z',
  timezone: 'Europe/Berlin',
  lists: [list(12, 'Main gate'), list(13, 'Backstage')],
}
const choices: Choices = {
  sells: false,
  organizers: [{ slug: 'demo', name: 'Demo organizer', events: [festival], gates }],
}

const headers = { 'content-security-policy': contentPolicy, 'x-content-type-options': 'nosniff' }

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

const dist = join(import.meta.dirname, '../../../renderer/dist')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

async function file(path: string, response: ServerResponse): Promise<void> {
  const name = normalize(path === '/' ? '/index.html' : path)
  try {
    const content = await readFile(join(dist, name))
    response.writeHead(200, { ...headers, 'content-type': types[extname(name)] ?? 'text/plain' }).end(content)
  } catch {
    reply(response, 404, { detail: 'Not found.' })
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , port, first] = process.argv
  const station = await startFakeStation({ ready: first !== 'first', port: Number(port ?? 0) })
  process.stdout.write(`${station.url}\n`)
}
