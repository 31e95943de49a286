import { connect, type Socket } from 'node:net'

// A process of its own that asks a server as fast as it answers, over connections that stay open, and tells its parent
// how long that took. It reads no more of an answer than it needs, so that the server is what is measured.

/** What the parent asks for. */
export interface LoadOrder {
  readonly port: number
  readonly connections: number
  /** Whole requests, head and body, each asked once. */
  readonly requests: readonly string[]
  /** The status line that every answer must have. */
  readonly expected: string
}

/** What the parent is told: times in milliseconds. */
export interface LoadResult {
  readonly took: number
  readonly latencies: readonly number[]
  readonly unexpected: readonly string[]
}

const headEnd = '\r\n\r\n'

function ask(order: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = []
  const unexpected: string[] = []
  let next = 0
  const started = performance.now()
  const work = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let text = ''
      let sent = 0
      const send = (): void => {
        const request = order.requests[next]
        if (request === undefined) {
          socket.end()
          resolve()
          return
        }
        next += 1
        text = ''
        sent = performance.now()
        socket.write(request)
      }
      socket.on('data', (part: string) => {
        text += part
        const end = text.indexOf(headEnd)
        if (end < 0) return
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        if (text.length < end + headEnd.length + length) return
        latencies.push(performance.now() - sent)
        if (!text.startsWith(order.expected)) unexpected.push(text.slice(0, 500))
        send()
      })
      socket.on('error', reject)
      send()
    })
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
      // Answers are counted in bytes, which this encoding keeps apart.
      socket.setEncoding('latin1')
      socket.once('error', reject)
      socket.once('connect', () => work(socket).then(resolve, reject))
    })
  return Promise.all(Array.from({ length: order.connections }, open)).then(() => ({
    took: performance.now() - started,
    latencies,
    unexpected,
  }))
}

process.on('message', (order: LoadOrder) => {
  ask(order).then(
    (result) => process.send?.(result),
    (cause: unknown) => {
      console.error(cause)
      process.exit(1)
    },
  )
})
