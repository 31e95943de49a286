import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/fields.ts'
import {
  type IosList,
  iosChoices,
  iosDownloads,
  iosInitializedReads,
  iosInPosition,
  iosInside,
  iosOrders,
  iosPositionReads,
  iosReasons,
  iosScanReads,
  iosStatuses,
  iosStatusReads,
} from './ios-contract.ts'
import { type Reads, readAll, readAs } from './reads.ts'

/** What an answer is to the app: whatever it has no case for is a failure like any other. */
type IosAnswer =
  | { readonly kind: 'data'; readonly status: number; readonly body: JsonObject; readonly headers: Headers }
  | { readonly kind: 'unchanged' | 'unauthorized' | 'forbidden' | 'not found' | 'failed' }
  | { readonly kind: 'later'; readonly seconds: number }

const kinds: Readonly<Record<number, 'unchanged' | 'unauthorized' | 'forbidden' | 'not found'>> = {
  304: 'unchanged',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
}

/** A scan that was decided without a connection. */
export interface QueuedScan {
  readonly secret: string
  readonly list: number
  readonly body: JsonObject
}

const hardware = {
  hardware_brand: 'Apple',
  hardware_model: 'iPhone14,7',
  os_name: 'iOS',
  os_version: '17.5',
  software_brand: 'pretixSCAN iOS',
  software_version: '1.14.0',
}

/** Reads what is inside of a field: an object, the rows of a list, or nothing. */
function readInside(reads: Reads, value: unknown, what: string): void {
  if (Array.isArray(value)) readAll(reads, value, what)
  else if (value !== null && value !== undefined) readAs(reads, value, what)
}

/** Reads a position with all that is in it. */
function readPosition(value: unknown): JsonObject {
  const position = readAs(iosPositionReads, value, 'position')
  for (const [field, reads] of Object.entries(iosInPosition))
    readInside(reads, position[field], `position.${field}`)
  return position
}

/** A device that asks and reads as pretixSCAN for iOS does, and holds what it has read. */
export class IosApp {
  readonly #url: string
  readonly #ask: typeof fetch
  readonly #modified = new Map<string, string>()
  #token = ''
  #organizer = ''
  #event = ''
  #ordersSince: string | null = null
  readonly held = new Map<string, Map<unknown, JsonObject>>()
  /** What the last synchronisation has got, each with the rows that came. */
  readonly asked: { name: string; kind: IosAnswer['kind']; rows: number }[] = []
  /** What waits to be uploaded. */
  readonly queue: QueuedScan[] = []

  constructor(url: string, ask: typeof fetch = fetch) {
    this.#url = url
    this.#ask = ask
  }

  /** Asks for a path below `/api/v1/`; the type of a body is said even where there is none. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<IosAnswer> {
    const answer = await this.#ask(`${this.#url}/api/v1/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(this.#token ? { Authorization: `Device ${this.#token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status } = answer
    if (status === 429) return { kind: 'later', seconds: Number(answer.headers.get('Retry-After')) }
    const text = await answer.text()
    if (![200, 201, 400].includes(status)) return { kind: kinds[status] ?? 'failed' }
    return { kind: 'data', status, body: JSON.parse(text), headers: answer.headers }
  }

  /** Sets itself up with a one-time code; what it is told where that is refused. */
  async initialize(token: string): Promise<string | null> {
    const got = await this.call('POST', 'device/initialize', { token, ...hardware })
    assert.equal(got.kind, 'data')
    if (got.kind !== 'data') return null
    if (Array.isArray(got.body.token)) return String(got.body.token[0])
    const own = readAs(iosInitializedReads, got.body, 'device')
    this.#token = String(own.api_token)
    this.#organizer = String(own.organizer)
    return null
  }

  /** Says which program it is, and reads the version that the server offers. */
  async bump(): Promise<number> {
    assert.equal((await this.call('POST', 'device/update', hardware)).kind, 'data')
    const got = await this.call('GET', 'device/info')
    assert.ok(got.kind === 'data')
    readAs({ gate: 'object?' }, got.body.device, 'device')
    const { version } = readAs({ version: 'object' }, got.body.server, 'server')
    return Number(readAs({ pretix: 'text', pretix_numeric: 'long' }, version, 'version').pretix_numeric)
  }

  /** What there is to choose from before an event and a list are chosen. */
  async choose(event: string, ago: Date): Promise<void> {
    this.#event = event
    for (const list of iosChoices) {
      const query = list.query?.map((one) => one.replace('AGO', encodeURIComponent(ago.toISOString())))
      const got = await this.#download(list, query)
      assert.equal(got, 'data', `${list.name}: ${got}`)
    }
  }

  /** Downloads what there is or has changed, then uploads what waits; false where something was refused. */
  async synchronise(isOffline: boolean): Promise<boolean> {
    this.asked.length = 0
    for (const list of iosDownloads) {
      const kind = await this.#download(list, list.query)
      if (kind !== 'data' && kind !== 'unchanged') return false
    }
    if (isOffline && !(await this.#downloadOrders())) return false
    return this.upload()
  }

  async #downloadOrders(): Promise<boolean> {
    const since = this.#ordersSince
    const order = since === null ? 'datetime' : '-last_modified'
    const changed = since === null ? [] : [`modified_since=${encodeURIComponent(since)}`]
    const query = [...changed, ...(iosOrders.query ?? [])]
    return (await this.#download(iosOrders, query, order)) === 'data'
  }

  async #download(list: IosList, query: readonly string[] = [], order = 'datetime') {
    const { name, path, isConditional, pages = Number.POSITIVE_INFINITY } = list
    const place = `organizers/${this.#organizer}/${path.replace('~', `events/${this.#event}/`)}`
    const modified = isConditional ? this.#modified.get(name) : undefined
    let rows = 0
    for (let page = 1; page <= pages; page += 1) {
      const headers: Record<string, string> = modified && page === 1 ? { 'If-Modified-Since': modified } : {}
      const search = [`page=${page}`, `ordering=${order}`, ...query].join('&')
      const got = await this.call('GET', `${place}?${search}`, undefined, headers)
      if (got.kind !== 'data') {
        this.asked.push({ name, kind: got.kind, rows })
        return got.kind
      }
      assert.equal(got.status, 200, `${name}: ${JSON.stringify(got.body)}`)
      const read = readAs(
        { count: 'long', next: 'text?', previous: 'text?', results: 'list' },
        got.body,
        name,
      )
      rows += this.#keep(list, read.results)
      if (page === 1) this.#remember(list, got.headers)
      if (read.next === null) break
    }
    this.asked.push({ name, kind: 'data', rows })
    return 'data'
  }

  #remember({ name, isConditional }: IosList, headers: Headers): void {
    const [modified, generated] = [headers.get('Last-Modified'), headers.get('X-Page-Generated')]
    if (isConditional && modified) this.#modified.set(name, modified)
    if (name === 'orders') this.#ordersSince = generated
  }

  #keep({ name, reads }: IosList, results: unknown): number {
    const rows = readAll(reads, results, name)
    const held = this.held.get(name) ?? new Map<unknown, JsonObject>()
    for (const row of rows) {
      for (const [field, inside] of Object.entries(iosInside[name] ?? {}))
        readInside(inside, row[field], `${name}.${field}`)
      if (name === 'orders') for (const position of row.positions as unknown[]) readPosition(position)
      held.set(row.id ?? row.code ?? row.slug, row)
    }
    this.held.set(name, held)
    return rows.length
  }

  rows(name: string): JsonObject[] {
    return [...(this.held.get(name)?.values() ?? [])]
  }

  #list(list: number): string {
    return `organizers/${this.#organizer}/events/${this.#event}/checkinlists/${list}`
  }

  /** Scans with a connection; what was answered, or how it failed. */
  async redeem(secret: string, list: number, more: JsonObject = {}): Promise<IosAnswer> {
    const path = `${this.#list(list)}/positions/${encodeURIComponent(secret)}/redeem/`
    const body = {
      ...{ questions_supported: true, force: false, ignore_unpaid: false, type: 'entry' },
      ...more,
    }
    const got = await this.call('POST', path, body)
    if (got.kind !== 'data') return got
    const { status, reason, position, questions } = readAs(iosScanReads, got.body, 'scan')
    assert.ok(iosStatuses.includes(String(status)), `status ${status}`)
    assert.ok(reason === undefined || iosReasons.includes(String(reason)), `reason ${reason}`)
    if (position) readPosition(position)
    const asked = iosDownloads.find(({ name }) => name === 'questions')
    for (const question of (questions ?? []) as unknown[]) readAs(asked?.reads ?? {}, question, 'question')
    return got
  }

  /** Positions that a search finds on a list. */
  async search(words: string, list: number): Promise<JsonObject[] | IosAnswer['kind']> {
    const query = `search=${encodeURIComponent(words)}&ignore_status=true`
    const got = await this.call('GET', `${this.#list(list)}/positions/?${query}`)
    return got.kind === 'data' ? (got.body.results as unknown[]).map(readPosition) : got.kind
  }

  /** The counts of a list. */
  async status(list: number): Promise<JsonObject> {
    const got = await this.call('GET', `${this.#list(list)}/status/`)
    assert.ok(got.kind === 'data', got.kind)
    const status = readAs(iosStatusReads.list, got.body, 'status')
    for (const item of readAll(iosStatusReads.item, status.items, 'items'))
      readInside(iosStatusReads.variation, item.variations, 'variations')
    return status
  }

  /** Says that somebody was refused, as the app does for every reason. */
  failed(list: number, scan: JsonObject): Promise<IosAnswer> {
    return this.call('POST', `${this.#list(list)}/failed_checkins/`, scan)
  }

  /** Decides without a connection and puts the scan where it waits. */
  decide(secret: string, list: number, at: Date, nonce: string): string {
    const positions = this.rows('orders').flatMap((order) =>
      (order.positions as JsonObject[]).map((position) => ({ order, position })),
    )
    const found = positions.find(({ position }) => position.secret === secret)
    if (this.rows('revokedsecrets').some((one) => one.secret === secret)) return 'revoked'
    if (!found) return 'invalid'
    if (found.order.status === 'n') return 'unpaid'
    if (found.order.status !== 'p') return 'canceled'
    const used = (found.position.checkins as JsonObject[]).some((one) => one.list === list)
    if (used || this.queue.some((one) => one.secret === secret)) return 'already_redeemed'
    this.queue.push({ secret, list, body: { force: true, nonce, datetime: at.toISOString() } })
    return 'ok'
  }

  /** Uploads what waits, one after the other; false where the rest has to wait. */
  async upload(): Promise<boolean> {
    for (let next = this.queue[0]; next; next = this.queue[0]) {
      const got = await this.redeem(next.secret, next.list, next.body)
      const isDone = got.kind === 'data' || got.kind === 'forbidden' || got.kind === 'not found'
      if (!isDone) return false
      this.queue.shift()
    }
    return true
  }
}
