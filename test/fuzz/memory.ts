import type { RowData } from '../../server/resource/codec.ts'
import { description, operationFor } from '../support/servers/described.ts'
import type { Memory, Request } from './requests.ts'

const most = 40

/** What is never asked for by its own name, such as `team 5`: whoever asks needs it. */
type Kept = ReadonlySet<string>

const isRow = (value: unknown): value is RowData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const keyOf = (row: RowData): unknown =>
  row.id ?? row.device_id ?? row.identifier ?? row.code ?? row.local_id ?? row.slug

/** Remembers what the answers of a server tell there is, so that what is asked next is about something. */
export class Recollection implements Memory {
  readonly #byPath = new Map<string, unknown[]>()
  readonly #byName = new Map<string, unknown[]>()
  readonly #kept: Kept
  /** Bodies that were taken, by operation and event. */
  readonly #taken = new Map<string, string[]>()
  #event = 'gala'
  readonly organizer: string

  constructor(kept: Kept, organizer = 'acme') {
    this.#kept = kept
    this.organizer = organizer
  }

  enter(event: string): void {
    this.#event = event
  }

  below(collection: string): readonly unknown[] {
    const known = this.#byPath.get(collection)
    if (known) return known
    return /\/positions\/$/.test(collection)
      ? [...this.of('order_position'), ...this.of('secret')]
      : (this.#byPath.get(collection.replace(/\/events\/tour\//, '/events/gala/')) ?? [])
  }

  of(name: string): readonly unknown[] {
    const meant = name === 'lists' || name === 'list' ? 'checkin_list' : name
    return this.#byName.get(`${this.#event} ${meant}`) ?? this.#byName.get(` ${meant}`) ?? []
  }

  #add<T>(map: Map<string, T[]>, key: string, value: T): void {
    if (value === undefined || value === null) return
    const values = map.get(key) ?? []
    if (values.includes(value)) return
    if (values.length >= most) values.splice(5, 1)
    values.push(value)
    map.set(key, values)
  }

  taken(operation: string): readonly string[] {
    return this.#taken.get(`${this.#event} ${operation}`) ?? []
  }

  /** What something is called by that has this id or word. */
  called(value: unknown): string | null {
    if (typeof value !== 'number' && typeof value !== 'string') return null
    for (const [key, values] of this.#byName)
      if (values.some((one) => String(one) === String(value))) return key.slice(key.indexOf(' ') + 1)
    return null
  }

  /** Says what a name can stand for everywhere. */
  know(name: string, value: unknown): void {
    this.#add(this.#byName, ` ${name}`, value)
  }

  /** Drops what was deleted. */
  #forget(address: string): void {
    const collection = address.replace(/[^/]+\/$/, '')
    const key = decodeURIComponent(address.slice(collection.length, -1))
    for (const [path, values] of [...this.#byPath, ...this.#byName])
      if (path === collection || !path.startsWith('/')) {
        const index = values.findIndex((value) => String(value) === key)
        if (index >= 0) values.splice(index, 1)
      }
  }

  /** Takes from an answer what it tells of. */
  learn(request: Request, status: number, body: unknown): void {
    const [address = ''] = request.path.split('?')
    if (request.method === 'DELETE' && status === 204) this.#forget(address)
    if (status >= 300) return
    const found = operationFor(request.method, address)
    const event = /\/events\/([^/]+)\//.exec(address)?.[1] ?? ''
    if (found?.operation && request.body && request.body.length < 20_000)
      this.#add(this.#taken, `${event || this.#event} ${found.operation.operationId}`, request.body)
    if (!isRow(body)) return
    const list = found && description.paths[found.path]?.get
    if (!list?.operationId.endsWith('_list')) return
    const name = list.operationId.replace(/_list$/, '').replace(/^date_/, '')
    const rows = Array.isArray(body.results) ? body.results.filter(isRow) : [body]
    for (const row of rows) {
      if (this.#kept.has(`${name} ${keyOf(row)}`)) continue
      this.#add(this.#byPath, address, keyOf(row))
      this.#add(this.#byName, `${event} ${name}`, keyOf(row))
      this.#inside(address, event, name, row)
    }
  }

  #inside(address: string, event: string, name: string, row: RowData): void {
    const base = address.replace(/[^/]+\/$/, '')
    if (name === 'order')
      for (const one of Array.isArray(row.positions) ? row.positions.filter(isRow) : []) {
        this.#add(this.#byPath, `${base}orderpositions/`, one.id)
        this.#add(this.#byName, `${event} order_position`, one.id)
        this.#add(this.#byName, `${event} secret`, one.secret)
      }
    if (name === 'order')
      for (const one of Array.isArray(row.fees) ? row.fees.filter(isRow) : [])
        this.#add(this.#byName, `${event} order_fee`, one.id)
    if (name === 'item')
      for (const one of Array.isArray(row.variations) ? row.variations.filter(isRow) : []) {
        this.#add(this.#byPath, `${address}${String(row.id)}/variations/`, one.id)
        this.#add(this.#byName, `${event} variation`, one.id)
      }
    if (name === 'device') this.know('token', row.initialization_token)
    if (name === 'voucher' && typeof row.code === 'string')
      this.#add(this.#byName, `${event} voucher__code`, row.code)
  }
}
