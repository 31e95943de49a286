import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What happens to what is sent: it passes, connections are cut in an orderly way, nothing arrives any more while they
 * stay open, they are reset, or the sign-in page of a network answers for the server.
 */
export type Weather = 'pass' | 'cut' | 'stall' | 'reset' | 'portal'

/** A cable between a server and those below it, with what goes wrong on it. */
export interface Wire {
  /** What those below take for the server's address. */
  readonly url: string
  weather: Weather
  /** Where the server is; another one after a restart. */
  target: string
  /** Requests whose path is like this arrive, but their answers do not. */
  losing: RegExp | null
  /** How many answers were lost. */
  readonly lost: number
  /** Method and path of each request that has passed. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

interface Pair {
  readonly below: Socket
  readonly upstream: Socket
  /** The last request that was seen on it. */
  path: string
}

const signIn = '<html><body>Accept our terms to use the network.</body></html>'

const portalAnswer = [
  'HTTP/1.1 200 OK',
  'Content-Type: text/html',
  `Content-Length: ${signIn.length}`,
  'Connection: close',
  '',
  signIn,
].join('\r\n')

/** Lays a cable to a server. */
export async function layWire(target: string): Promise<Wire> {
  const pairs = new Set<Pair>()
  const asked: string[] = []
  let weather: Weather = 'pass'
  let lost = 0

  const end = ({ below, upstream }: Pair, isReset: boolean): void => {
    for (const socket of [below, upstream])
      if (isReset) socket.resetAndDestroy()
      else socket.destroy()
  }

  const server = createServer((below) => {
    below.on('error', () => undefined)
    if (weather === 'cut' || weather === 'reset') {
      if (weather === 'reset') below.resetAndDestroy()
      else below.destroy()
      return
    }
    if (weather === 'portal') {
      below.once('data', () => below.end(portalAnswer))
      return
    }
    const { hostname, port } = new URL(wire.target)
    const upstream = connect(Number(port), hostname)
    const pair: Pair = { below, upstream, path: '' }
    pairs.add(pair)
    upstream.on('error', () => undefined)
    below.on('data', (chunk: Buffer) => {
      const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1/.exec(chunk.toString('latin1', 0, 2000)) ?? []
      if (method && path) {
        pair.path = path
        asked.push(`${method} ${path}`)
      }
      if (!upstream.write(chunk)) below.pause()
    })
    upstream.on('data', (chunk: Buffer) => {
      if (wire.losing?.test(pair.path)) {
        lost += 1
        end(pair, false)
      } else if (!below.write(chunk)) upstream.pause()
    })
    below.on('drain', () => weather !== 'stall' && upstream.resume())
    upstream.on('drain', () => weather !== 'stall' && below.resume())
    for (const socket of [below, upstream])
      socket.on('close', () => {
        pairs.delete(pair)
        end(pair, false)
      })
    if (weather === 'stall') below.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const wire: Wire = {
    url: `http://127.0.0.1:${port}`,
    target,
    losing: null,
    get lost() {
      return lost
    },
    asked,
    get weather() {
      return weather
    },
    set weather(next) {
      weather = next
      for (const pair of [...pairs])
        for (const socket of [pair.below, pair.upstream])
          if (next === 'stall') socket.pause()
          else if (next === 'pass') socket.resume()
          else end(pair, next === 'reset')
    },
    async close() {
      for (const pair of [...pairs]) end(pair, false)
      server.close()
      await once(server, 'close')
    },
  }
  return wire
}
