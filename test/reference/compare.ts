import type { Answered } from './exchange.ts'
import { firstId, type Name, type Pairs } from './pairs.ts'

/** How two answers differ in one place. */
export interface Difference {
  /** Such as `results[].price`; empty for the whole answer. */
  readonly at: string
  readonly kind:
    | 'status'
    | 'refused fields'
    | 'only ours'
    | 'only theirs'
    | 'type'
    | 'length'
    | 'order'
    | 'other rows'
    | 'value'
  readonly ours: unknown
  readonly theirs: unknown
  /** What is in another order or on another page, whole. */
  readonly rows?: { readonly ours: readonly unknown[]; readonly theirs: readonly unknown[] }
}

/** Fields that a server makes up when it is not told their value. */
const madeUp =
  /^(id|code|secret|web_secret|identifier|token|api_token|pseudonymization_id|initialization_token|unique_serial|external_identifier|device_id|cart_id|checksum)$/

/** Times that the servers take from their clocks are this close; milliseconds. */
const close = 90_000

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)

type Fields = Readonly<Record<string, unknown>>

/** What a row of a list is called. */
function nameOf(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  const { id, code, identifier, device_id: device } = row as Fields
  return id ?? code ?? identifier ?? device
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

class Comparison {
  readonly found: Difference[] = []
  readonly #pairs: Pairs
  /** Whether the answers refuse, whose texts are each server's own. */
  readonly #refused: boolean

  constructor(pairs: Pairs, refused: boolean) {
    this.#pairs = pairs
    this.#refused = refused
  }

  #note(at: string, kind: Difference['kind'], ours: unknown, theirs: unknown): void {
    this.found.push({ at, kind, ours, theirs })
  }

  walk(ours: unknown, theirs: unknown, at: string): void {
    if (ours === theirs) return
    const type = typeOf(ours)
    if (this.#isSame(ours, theirs, at)) return
    if (type !== typeOf(theirs)) this.#note(at, 'type', ours, theirs)
    else if (type === 'list') this.#lists(ours as unknown[], theirs as unknown[], at)
    else if (type === 'object') this.#objects(ours as Fields, theirs as Fields, at)
    else if (!this.#refused) this.#note(at, 'value', ours, theirs)
  }

  #lists(ours: unknown[], theirs: unknown[], at: string): void {
    if (this.#refused && typeof ours[0] === 'string' && typeof theirs[0] === 'string') return
    if (ours.length !== theirs.length) {
      this.#note(at, 'length', ours, theirs)
      return
    }
    const sorted = this.#sortedAs(ours, theirs)
    if (sorted) {
      const rows = { ours, theirs }
      this.found.push({ at, kind: 'order', ours: ours.map(nameOf), theirs: theirs.map(nameOf), rows })
      for (const [index, one] of sorted.entries()) this.walk(one, theirs[index], `${at}[]`)
      return
    }
    if (at === 'results' && this.#areOthers(ours, theirs)) {
      const rows = { ours, theirs }
      this.found.push({ at, kind: 'other rows', ours: ours.map(nameOf), theirs: theirs.map(nameOf), rows })
      return
    }
    // Lists of ids are sets: what the database gives first comes first.
    const isOfIds =
      ours.every((one) => typeof one === 'number') && theirs.every((one) => typeof one === 'number')
    const [first, second] = isOfIds
      ? [(this.#pairs.toTheirs(ours) as number[]).sort(), [...theirs].sort()]
      : [ours, theirs]
    for (const [index, one] of first.entries()) this.walk(one, second[index], `${at}[]`)
  }

  /** The same rows in the order of the others; undefined where they are in it already, or are others. */
  #sortedAs(ours: readonly unknown[], theirs: readonly unknown[]): readonly unknown[] | undefined {
    const names = ours.map((one) => this.#pairs.toTheirs(nameOf(one)))
    const wanted = theirs.map(nameOf)
    if (names.some((name) => name === undefined) || names.every((name, index) => name === wanted[index]))
      return
    const sorted = wanted.map((name) => ours[names.indexOf(name)])
    return sorted.every((one) => one !== undefined) ? sorted : undefined
  }

  /** Whether all rows are known from before, and some of them are not those of the other server. */
  #areOthers(ours: readonly unknown[], theirs: readonly unknown[]): boolean {
    const names = ours.map(nameOf)
    const known = names.map((name) => this.#pairs.toTheirs(name))
    return (
      known.every((name, index) => name !== undefined && name !== names[index]) &&
      known.some((name, index) => name !== nameOf(theirs[index]))
    )
  }

  #objects(ours: Fields, theirs: Fields, at: string): void {
    const below = (key: string) => (at === '' ? key : `${at}.${key}`)
    const own = new Map(Object.keys(ours).map((key) => [String(this.#pairs.toTheirs(key)), key]))
    // Names first, so that what refers to them in the same answer is known.
    const keys = [...new Set([...own.keys(), ...Object.keys(theirs)])].sort(
      (a, b) => Number(madeUp.test(b)) - Number(madeUp.test(a)),
    )
    for (const theirKey of keys) {
      const key = own.get(theirKey)
      if (key === undefined) this.#note(below(theirKey), 'only theirs', undefined, theirs[theirKey])
      else if (!(theirKey in theirs)) this.#note(below(key), 'only ours', ours[key], undefined)
      else this.walk(ours[key], theirs[theirKey], below(key))
    }
  }

  #isSame(ours: unknown, theirs: unknown, at: string): boolean {
    if (typeof ours !== typeof theirs) return false
    const field = at.split('.').at(-1)?.replace('[]', '') ?? ''
    if (typeof ours === 'number')
      return ours >= firstId && typeof theirs === 'number' && theirs >= firstId
        ? this.#names(ours, theirs, field === 'id')
        : false
    if (typeof ours !== 'string' || typeof theirs !== 'string') return false
    if (isInstant(ours) && isInstant(theirs)) return Math.abs(Date.parse(ours) - Date.parse(theirs)) < close
    if (withoutHost(String(this.#pairs.toTheirs(ours))) === withoutHost(theirs)) return true
    return ours !== '' && theirs !== '' && !this.#refused && this.#names(ours, theirs, madeUp.test(field))
  }

  #names(ours: Name, theirs: Name, mayBeNew: boolean): boolean {
    return mayBeNew ? this.#pairs.pair(ours, theirs) : this.#pairs.toTheirs(ours) === theirs
  }
}

/** An address without its host, and with its parameters in one order. */
function withoutHost(text: string): string {
  if (!/^https?:\/\//.test(text)) return text
  const url = new URL(text)
  url.searchParams.sort()
  return url.pathname + url.search
}

/** What a refusal is about: its fields, or the type of a text or a list. */
const aboutOf = (body: unknown): readonly string[] =>
  typeOf(body) === 'object' ? Object.keys(body as Fields).sort() : [`a ${typeOf(body)}`]

/** Refusals of a body with several faults name all that a server has looked at: one of them has to be the same. */
function refusals(ours: unknown, theirs: unknown): readonly Difference[] {
  const [own, other] = [aboutOf(ours), aboutOf(theirs)]
  if (own.some((field) => other.includes(field))) return []
  return [{ at: '', kind: 'refused fields', ours, theirs }]
}

/** How the answers of both servers to one request differ; learns which of their names mean the same. */
export function compare(ours: Answered, theirs: Answered, pairs: Pairs): readonly Difference[] {
  // Whatever the other one does: a server of ours that breaks is a difference that no row explains.
  if (ours.status !== theirs.status || ours.status >= 500)
    return [{ at: '', kind: 'status', ours: [ours.status, ours.body], theirs: [theirs.status, theirs.body] }]
  if (ours.status === 400) return refusals(ours.body, theirs.body)
  const comparison = new Comparison(pairs, ours.status >= 400)
  comparison.walk(ours.body, theirs.body, '')
  return comparison.found
}
