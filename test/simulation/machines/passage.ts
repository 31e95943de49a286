import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Chance } from '../plan/chance.ts'
import type { Timeline } from '../plan/timeline.ts'
import type { Boot } from './machine.ts'
import type { Mishap } from './network.ts'
import type { Weather } from './weather.ts'

/** The way back of one request: what the client hears of its answer, and when. */
export interface Passage {
  readonly response: Promise<Response>
  /** The server answers. */
  answer(status: number, headers: OutgoingHttpHeaders, body: Readable): void
  /** Something else answers, at once. */
  give(answer: Response): void
  /** The client learns that nobody is there. */
  fail(cause: Error): void
  /** The server is gone: the client learns it soon, or never. */
  drop(): void
  /** Calls back when the client does not want the answer any more, with how long that is on its way. */
  onHungUp(listener: (wayThere: number) => void): void
}

/** What a way back depends on. */
interface PassageParts {
  readonly timeline: Timeline
  readonly client: Boot
  readonly from: string
  readonly to: string
  readonly path: string
  readonly chance: Chance
  readonly weather: Weather
  readonly delay: () => number
  /** How long the client's hanging up is on its way. */
  readonly wayThere: () => number
  readonly mishap: (kind: Mishap) => void
  readonly signal: AbortSignal | null
  readonly givesUpAfter: number
}

const isStream = (headers: OutgoingHttpHeaders): boolean =>
  /event-stream|ndjson/.test(headers['content-type'] ?? '')

const headersOf = (headers: OutgoingHttpHeaders): Headers => {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result.set(name, Array.isArray(value) ? value.join(', ') : String(value))
  return result
}

const isBodyless = (status: number): boolean => status === 204 || status === 304

/** Opens the way back of a request. */
export function createPassage(parts: PassageParts): Passage {
  const { timeline, client, from, to, chance, weather, signal } = parts
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  // Whoever asked may be gone before the answer comes.
  promise.catch(() => undefined)
  const listeners = new Set<(wayThere: number) => void>()
  let streaming: ReadableStreamDefaultController<Uint8Array> | null = null
  let isOver = false

  /** Tells the client something after the way back, if it still listens. */
  const later = (milliseconds: number, what: string, work: () => void): void => {
    timeline.after(milliseconds, `${to}>${from} ${what}`, () =>
      client.machine.as(client, () => {
        if (!isOver) work()
      }),
    )
  }

  function end(): void {
    isOver = true
    forget()
    signal?.removeEventListener('abort', abort)
    client.onEnd.delete(hangUp)
  }

  function hangUp(): void {
    end()
    for (const listener of listeners) listener(parts.wayThere())
  }

  function broken(cause: unknown): void {
    if (isOver) return
    hangUp()
    if (streaming) streaming.error(cause)
    else reject(cause)
  }

  function abort(): void {
    broken(signal?.reason ?? new DOMException('This operation was aborted', 'AbortError'))
  }

  const brokenOff = (): TypeError => new TypeError('terminated', { cause: new Error('connection reset') })
  const forget = timeline.after(parts.givesUpAfter, `${from} gives up`, () => {
    if (!streaming) client.machine.as(client, () => broken(new TypeError('fetch failed')))
  })
  client.onEnd.add(hangUp)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)

  /** An answer in one piece; some end in the middle. */
  function deliver(status: number, headers: Headers, bytes: Buffer): void {
    if (weather.isCut(to, from) || chance.happens(weather.between(to, from).lossBack)) {
      parts.mishap('response lost')
      return
    }
    const isCutShort = chance.happens(weather.between(to, from).cut) && bytes.length > 1
    if (isCutShort) parts.mishap('cut')
    later(parts.delay(), `answers ${status} to ${parts.path}`, () => {
      end()
      if (isBodyless(status)) return resolve(new Response(null, { status, headers }))
      if (!isCutShort) return resolve(new Response(new Uint8Array(bytes), { status, headers }))
      const half = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(bytes.subarray(0, bytes.length >> 1)))
        },
        pull(controller) {
          controller.error(brokenOff())
        },
      })
      resolve(new Response(half, { status, headers }))
    })
  }

  /** An answer that comes bit by bit, each after the one before; a cut or a lost piece breaks it off. */
  function follow(status: number, headers: Headers, body: Readable): void {
    let arrives = timeline.now
    const inOrder = (work: () => void): void => {
      // What is due at one moment would come in any order.
      arrives = Math.max(arrives + 0.001, timeline.now + parts.delay())
      later(arrives - timeline.now, 'streams', work)
    }
    const isLost = (): boolean =>
      weather.isCut(to, from) || chance.happens(weather.between(to, from).lossBack / 4)
    const breakOff = (): void => {
      parts.mishap('cut')
      body.removeAllListeners('data')
      body.resume()
      later(1000 + chance.around(10_000), 'breaks off', () => broken(brokenOff()))
    }
    inOrder(() => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          streaming = controller
        },
        cancel() {
          if (!isOver) hangUp()
        },
      })
      resolve(new Response(stream, { status, headers }))
    })
    body.on('data', (part: Buffer) => {
      if (isLost()) return breakOff()
      const copy = new Uint8Array(part)
      inOrder(() => streaming?.enqueue(copy))
    })
    body.on('end', () =>
      inOrder(() => {
        end()
        streaming?.close()
      }),
    )
  }

  return {
    response: promise,
    answer(status, headers, body) {
      if (isOver) return void body.resume()
      if (isStream(headers)) return follow(status, headersOf(headers), body)
      const bits: Buffer[] = []
      body.on('data', (part: Buffer) => bits.push(part))
      body.on('end', () => deliver(status, headersOf(headers), Buffer.concat(bits)))
    },
    give(answer) {
      if (isOver) return
      client.machine.as(client, () => {
        end()
        resolve(answer)
      })
    },
    fail(cause) {
      later(parts.delay(), 'refuses', () => broken(cause))
    },
    drop() {
      if (isOver) return
      // Often the client's system is told; sometimes nothing more is ever heard.
      if (chance.happens(0.7)) later(parts.delay(), 'resets', () => broken(brokenOff()))
    },
    onHungUp(listener) {
      listeners.add(listener)
    },
  }
}
