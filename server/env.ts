import { randomBytes, randomUUID } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import type { ServerResponse } from 'node:http'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, isIP } from 'node:net'

/** A message to one address: the name in its URL is not asked for again, but the receiver must prove that it is it. */
interface Outgoing {
  readonly url: URL
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** How many bytes of the answer's body are read. */
  readonly limit: number
  /** Breaks it off. */
  readonly signal: AbortSignal
}

/** An answer as far as it was read. */
interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

/** What is told of a connection; it is closed once, also where it was never open. */
export interface ConnectionEvents {
  readonly opened: () => void
  readonly received: (piece: Uint8Array) => void
  /** Whether it broke, so that what was written last may not have arrived. */
  readonly closed: (isBroken: boolean) => void
}

/** A connection to a machine. */
export interface TcpConnection {
  write(bytes: Uint8Array): void
  /** Closes it once everything that was written is sent. */
  end(): void
  close(): void
}

/** The outside world: clock, chance, timers and network. Everything else in the server is handed one of these. */
export interface Env {
  /** Milliseconds since 1970, by the machine's clock. */
  now(): number
  /** Milliseconds since some moment, never going back. */
  elapsed(): number
  randomBytes(count: number): Uint8Array
  uuid(): string
  /** Calls back once after some milliseconds; the result takes it back. */
  after(milliseconds: number, callback: () => void): () => void
  fetch: typeof fetch
  /** The addresses that DNS gives for a name; throws where there is none. */
  resolve(name: string): Promise<readonly string[]>
  /** Posts to an address. Follows nobody elsewhere; once the status is known, what becomes of the body is no failure. */
  post(message: Outgoing): Promise<Incoming>
  /** Connects to a machine by TCP. */
  connect(host: string, port: number, events: ConnectionEvents): TcpConnection
}

/** Waits for some milliseconds, for which the program goes on running: unlike what is due later. */
export const waitRunning = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

const portionSize = 8192
let portion = new Uint8Array()
let taken = 0

/** Random bytes from a portion that is fetched at once: asking for a few of them costs as much as asking for many. */
function takeRandomBytes(count: number): Uint8Array {
  if (count > portionSize / 16) return randomBytes(count)
  if (taken + count > portion.length) {
    portion = randomBytes(portionSize)
    taken = 0
  }
  const bytes = Uint8Array.from(portion.subarray(taken, taken + count))
  // Nobody finds here later what became somebody's secret.
  portion.fill(0, taken, taken + count)
  taken += count
  return bytes
}

/** The real world. */
export const realEnv: Env = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  randomBytes: takeRandomBytes,
  uuid: () => randomUUID(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds)
    // What is due later does not keep a program from ending.
    timer.unref()
    return () => clearTimeout(timer)
  },
  fetch: (input, init) => fetch(input, init),
  resolve: resolveName,
  post: postTo,
  connect: connectTo,
}

/**
 * Asks DNS itself, in both families at once: the usual way would go through the few threads that files and passwords
 * need as well, and a name whose server is slow would hold them up.
 */
async function resolveName(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const [failure] = found.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (addresses.length === 0) throw failure ?? new Error('The name has no address.')
  return addresses
}

function postTo({ url, address, headers, body, limit, signal }: Outgoing): Promise<Incoming> {
  const isSecure = url.protocol === 'https:'
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return new Promise((resolve, reject) => {
    const asking = (isSecure ? secureRequest : plainRequest)({
      agent: false,
      host: address,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      method: 'POST',
      path: url.pathname + url.search,
      setHost: false,
      headers: { ...headers, Host: url.host, 'Content-Length': Buffer.byteLength(body) },
      maxHeaderSize: 16_384,
      signal,
      // The certificate must be that of the name; an address proves itself.
      ...(isSecure ? { servername: isIP(name) === 0 ? name : '' } : {}),
    })
    asking.on('error', reject)
    asking.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('The receiver wants to speak another protocol.'))
    })
    asking.on('response', (answer) => {
      const parts: Buffer[] = []
      let size = 0
      const end = (): void => {
        const read = Buffer.concat(parts).subarray(0, limit)
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read })
        asking.destroy()
      }
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size >= limit) end()
      })
      answer.on('end', end)
      answer.on('error', end)
      answer.on('close', end)
    })
    asking.end(body)
  })
}

/** A moment in milliseconds as the 27 characters that are stored: UTC with microseconds. */
export const instantOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`

/** Calls back whenever nothing has gone over the connection of an answer, either way, for so many milliseconds. */
export function whenUnmoved(answer: ServerResponse, milliseconds: number, callback: () => void): void {
  answer.setTimeout(milliseconds, callback)
}

function connectTo(
  host: string,
  port: number,
  { opened, received, closed }: ConnectionEvents,
): TcpConnection {
  const socket = connect({ host, port, noDelay: true })
  socket.on('connect', opened)
  socket.on('data', received)
  // What went wrong is not said to anybody: it is closed then.
  socket.on('error', () => socket.destroy())
  socket.on('close', closed)
  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    close: () => socket.destroy(),
  }
}
