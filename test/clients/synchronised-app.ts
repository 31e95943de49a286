import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/fields.ts'
import {
  type AppKind,
  checkinReads,
  type Download,
  downloads,
  initializedReads,
  positionReads,
} from './contract.ts'
import { readAs } from './reads.ts'

/** What a server has answered, as the library tells answers apart. */
type Got =
  | { readonly kind: 'data'; readonly body: JsonObject; readonly headers: Headers; readonly status: number }
  | { readonly kind: 'unchanged' | 'unknown path' | 'denied' | 'revoked' | 'failed'; readonly status: number }

const hardware = {
  hardware_brand: 'Zebra',
  hardware_model: 'TC52',
  os_name: 'Android',
  os_version: '13',
  software_brand: 'pretixSCAN',
  software_version: '2.8.0',
}

/** A device that does what the library inside of the apps does, on what it has read before. */
export class SynchronisedApp {
  readonly #url: string
  readonly #ask: typeof fetch
  token = ''
  organizer = ''
  profile = ''
  /** What was read, by the name of the list and the key of the row. */
  readonly held = new Map<string, Map<string, JsonObject>>()
  readonly #since = new Map<string, string>()
  /** What was asked for and answered by the last synchronisation. */
  readonly asked: { name: string; status: number; rows: number }[] = []

  constructor(url: string, ask: typeof fetch = fetch) {
    this.#url = url
    this.#ask = ask
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Got> {
    const answer = await this.#ask(path.startsWith('http') ? path : `${this.#url}/api/v1/${path}`, {
      method,
      headers: {
        ...(this.token ? { Authorization: `Device ${this.token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status } = answer
    const text = await answer.text()
    if (status >= 500 || status === 429) return { kind: 'failed', status }
    if (status === 404 && !text.startsWith('{')) return { kind: 'unknown path', status }
    if (status === 304) return { kind: 'unchanged', status }
    if (status === 403) return { kind: 'denied', status }
    if (status >= 405) return { kind: 'failed', status }
    const read: unknown = JSON.parse(text)
    const data = (Array.isArray(read) ? { content: read } : read) as JsonObject
    if (status === 401 && data.detail === 'Device access has been revoked.') {
      this.held.clear()
      this.#since.clear()
      return { kind: 'revoked', status }
    }
    return { kind: 'data', body: data, headers: answer.headers, status }
  }

  /** Sets itself up with a one-time code, and says what it is. */
  async initialize(code: string): Promise<void> {
    const got = await this.call('POST', 'device/initialize', { token: code, ...hardware })
    assert.equal(got.kind, 'data')
    if (got.kind !== 'data') return
    const own = readAs(initializedReads, got.body, 'device')
    this.token = String(own.api_token)
    this.organizer = String(own.organizer)
    this.profile = String(own.security_profile)
  }

  /** What the app does of its kind by its profile, once. Throws where the library would give up. */
  async synchronise(kind: AppKind, event: string): Promise<void> {
    this.asked.length = 0
    const info = await this.call('GET', 'device/info')
    if (info.kind === 'data') {
      const server = readAs({ version: 'object' }, info.body.server, 'server')
      readAs({ pretix_numeric: 'long' }, server.version, 'version')
      readAs({ name: 'text', gate: 'object?' }, info.body.device, 'device')
    }
    for (const download of downloads.filter(({ kinds }) => kinds.includes(kind)))
      await this.#download(download, event)
  }

  async #download(download: Download, event: string): Promise<void> {
    const { name, path, query, since } = download
    const place = `organizers/${this.organizer}/`
    const base = place + path.replace('~', `events/${event}/`).replace('EVENT', event)
    const before = this.#since.get(name)
    const further = [
      query,
      typeof since === 'object' && before ? since.query + encodeURIComponent(before) : undefined,
    ]
    const search = further.filter(Boolean).join('&')
    const headers = since === 'header' && before ? { 'If-Modified-Since': before } : undefined
    let next: string | null = base + (search ? `?${search}` : '')
    let rows = 0
    for (let page = 0; next !== null; page += 1) {
      const got = await this.call('GET', next, undefined, headers)
      if (got.kind !== 'data') {
        this.asked.push({ name, status: got.status, rows })
        if (got.kind === 'unchanged' || (got.kind === 'unknown path' && download.mayLack) || download.mayFail)
          return
        throw new Error(`The synchronisation ends at ${name}: ${got.kind} (${got.status}).`)
      }
      if (download.isSingle) {
        this.#keep(download, got.body)
        this.asked.push({ name, status: got.status, rows: 1 })
        return
      }
      const results = readAs({ count: 'long', results: 'list', next: 'text?' }, got.body, name)
        .results as JsonObject[]
      for (const row of results) this.#keep(download, row)
      rows += results.length
      if (page === 0) this.#remember(download, got.headers, results)
      next = (got.body.next as string | null) ?? null
    }
    this.asked.push({ name, status: 200, rows })
  }

  #remember({ name, since }: Download, headers: Headers, rows: readonly JsonObject[]): void {
    if (since === undefined) return
    const from = since === 'header' ? 'Last-Modified' : since.from
    const value = /^[A-Z]/.test(from) ? headers.get(from) : rows[0] && String(rows[0][from])
    if (since === 'header' || /^[A-Z]/.test(from)) assert.ok(value, `${name} comes without ${from}`)
    if (value) this.#since.set(name, value)
  }

  #keep({ name, fields }: Download, value: JsonObject): void {
    const row = readAs(fields, value, name)
    if (name === 'orders')
      for (const position of row.positions as unknown[]) {
        const read = readAs(positionReads, position, 'position')
        for (const checkin of read.checkins as unknown[]) readAs(checkinReads, checkin, 'checkin')
      }
    const rows = this.held.get(name) ?? new Map<string, JsonObject>()
    rows.set(String(row.code ?? row.id ?? row.slug ?? 'one'), row)
    this.held.set(name, rows)
  }

  rows(name: string): JsonObject[] {
    return [...(this.held.get(name)?.values() ?? [])]
  }

  /** What it says about a ticket without a connection, from what it holds. */
  decide(secret: string, listId: number): string {
    const list = this.rows('checkinlists').find(({ id }) => id === listId)
    const order = this.rows('orders').find((one) =>
      (one.positions as JsonObject[]).some((position) => position.secret === secret),
    )
    const position = (order?.positions as JsonObject[] | undefined)?.find((one) => one.secret === secret)
    if (this.rows('revokedsecrets').some((one) => one.secret === secret)) return 'revoked'
    if (!list || !order || !position) return 'invalid'
    if (order.status === 'c') return 'canceled'
    if (order.status === 'n' && !order.valid_if_pending) return 'unpaid'
    const products = list.limit_products as number[]
    if (!list.all_products && !products.includes(Number(position.item))) return 'product'
    const entries = (position.checkins as JsonObject[]).filter(({ list: id }) => id === listId)
    return entries.length > 0 && !list.allow_multiple_entries ? 'already_redeemed' : 'ok'
  }

  /** Uploads a scan that was decided before, or scans with a connection. */
  scan(secret: string, list: number, more: JsonObject = {}): Promise<Got> {
    return this.call(
      'POST',
      `organizers/${this.organizer}/checkinrpc/redeem/?expand=answers.question&pdf_data=true`,
      {
        force: false,
        ignore_unpaid: false,
        type: 'entry',
        source_type: 'barcode',
        answers: {},
        questions_supported: true,
        canceled_supported: true,
        secret,
        lists: [list],
        ...more,
      },
    )
  }
}
