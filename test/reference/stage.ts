import { operationFor } from '../support/servers/described.ts'
import { compare, type Difference } from './compare.ts'
import { explanationOf } from './differences.ts'
import type { Answered, Ask } from './exchange.ts'
import type { Pairs } from './pairs.ts'

/** A request, both answers and how they differ. */
export interface Exchange {
  readonly method: string
  /** Below `/api/v1/`. */
  readonly path: string
  readonly body: unknown
  /** Such as `POST events/{event}/items/`. */
  readonly operation: string
  readonly theirs: Answered
  readonly differences: readonly Difference[]
}

/** Both servers hold different things from here on, so that no further answer can be compared. */
export class Diverged extends Error {}

/** What an operation is called in the table of differences: its method and path below the organizer. */
export function operationName(method: string, path: string): string {
  const [address = ''] = path.split('?')
  const template = operationFor(method, address)?.path ?? address.replace(/\/\d+(?=\/)/g, '/{id}')
  return `${method} ${template.replace('/api/v1/organizers/{organizer}/', '')}`
}

/** Whether the reference has stored a payment although it has refused it. */
const keepsPayment = (operation: string, { status, body }: Answered): boolean =>
  /mark_paid/.test(operation) && status === 400 && /approved/.test(JSON.stringify(body))

const isTaken = ({ status }: Answered): boolean => status >= 200 && status < 300

/** One organizer on both servers, which are asked the same. */
export class Stage {
  readonly exchanges: Exchange[] = []
  readonly slug: string
  readonly pairs: Pairs
  readonly #ours: Ask
  readonly #theirs: Ask
  readonly #known = new Map<string, unknown[]>()

  constructor(slug: string, servers: { readonly ours: Ask; readonly theirs: Ask; readonly pairs: Pairs }) {
    this.slug = slug
    this.#ours = servers.ours
    this.#theirs = servers.theirs
    this.pairs = servers.pairs
  }

  /** What there is of a kind. */
  of(kind: string): readonly unknown[] {
    return this.#known.get(kind) ?? []
  }

  add(kind: string, value: unknown): void {
    if (value === undefined || value === null) return
    this.#known.set(kind, [...this.of(kind), value])
  }

  drop(kind: string, value: unknown): void {
    this.#known.set(
      kind,
      this.of(kind).filter((one) => one !== value),
    )
  }

  /**
   * Asks both servers and compares what they answer; our answer. The path is below the organizer, or below `/api/v1`
   * where it begins with a slash.
   */
  async ask(method: string, path: string, body?: unknown, authorization?: string): Promise<Answered> {
    const address = path.startsWith('/') ? `/api/v1${path}` : `/api/v1/organizers/${this.slug}/${path}`
    const ours = await this.#ours(method, address, body, authorization)
    const theirPath = String(this.pairs.toTheirs(address))
    const theirBody = this.pairs.toTheirs(body)
    const theirAuthorization = authorization
      ?.split(' ')
      .map((word) => this.pairs.toTheirs(word))
      .join(' ')
    const theirs = await this.#theirs(method, theirPath, theirBody, theirAuthorization)
    const operation = operationName(method, address)
    const differences = compare(ours, theirs, this.pairs)
    this.exchanges.push({
      method,
      path: theirPath,
      body: theirBody,
      operation,
      theirs,
      differences,
    })
    // Who knows what a request has changed that broke the reference.
    if (method !== 'GET' && theirs.status >= 500) throw new Diverged(`${method} ${address}`)
    if (keepsPayment(operation, theirs)) throw new Diverged(address)
    // Scans that fail are stored as well, with why.
    if (operation.includes('redeem') && differences.some(({ at }) => at === '')) throw new Diverged(address)
    // An order that is over here and open there takes part in everything that follows.
    if (/orders\//.test(operation) && differences.some(({ at }) => /^(results\[\]\.)?status$/.test(at)))
      throw new Diverged(address)
    if (method !== 'GET' && isTaken(ours) !== isTaken(theirs)) await this.#undo(method, address, ours, theirs)
    return ours
  }

  /** Asks the reference alone, for what only it has to be told. */
  async askTheirs(method: string, path: string, body: unknown): Promise<void> {
    const { status } = await this.#theirs(method, `/api/v1/organizers/${this.slug}/${path}`, body)
    if (!isTaken({ status, body: '' })) throw new Error(`${method} ${path}: ${status}`)
  }

  /** Asks our server alone until it has carried out what it does later. */
  async waitForOurs(path: string, isOver: (body: unknown) => boolean): Promise<void> {
    while (!isOver((await this.#ours('GET', `/api/v1/organizers/${this.slug}/${path}`)).body));
  }

  /** Takes back what only one of the servers has taken, where that is possible. */
  async #undo(method: string, address: string, ours: Answered, theirs: Answered): Promise<void> {
    const [ask, taken] = isTaken(ours) ? [this.#ours, ours] : [this.#theirs, theirs]
    const id = (taken.body as { id?: unknown } | null)?.id
    const path = isTaken(ours) ? address : String(this.pairs.toTheirs(address))
    // A webhook that is deleted is only disabled there; a position that came and went has changed its order.
    const isCreated =
      method === 'POST' &&
      taken.status === 201 &&
      id !== undefined &&
      !/\/(webhooks|orderpositions)\//.test(path)
    if (isCreated && (await ask('DELETE', `${path}${id}/`)).status === 204) return
    throw new Diverged(`${method} ${address}`)
  }

  /** What differs without an explanation. */
  unexplained(): readonly { exchange: Exchange; difference: Difference }[] {
    return this.exchanges.flatMap((exchange, index) =>
      exchange.differences
        .filter(
          (difference) =>
            !explanationOf(exchange.operation, difference, exchange, this.exchanges.slice(0, index)),
        )
        .map((difference) => ({ exchange, difference })),
    )
  }
}
