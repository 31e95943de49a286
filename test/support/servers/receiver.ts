import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'

/** A message that a receiver was sent. */
export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a message; the number says how many came before it. */
type Answering = (response: ServerResponse, message: Received, before: number) => void

/** A real receiver of webhooks on the loopback interface. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** How many connections were made to it. */
  readonly connections: number
  /** How it answers: at first with 200. */
  answer: Answering
  /** Resolves once so many messages have come. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

const readAll = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      text += part
    })
    request.on('end', () => resolve(text))
    request.on('error', reject)
  })

/** Starts a receiver, on a port of its own if none is given. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const awaited: { readonly count: number; readonly resolve: () => void }[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const take: RequestListener = (request, response) => {
    readAll(request).then(
      (body) => {
        const headers = request.headers as Record<string, string>
        const message = { path: String(request.url), headers, body }
        const before = received.length
        received.push(message)
        receiver.answer(response, message, before)
        for (const one of awaited) if (received.length >= one.count) one.resolve()
      },
      () => {},
    )
  }
  const server = createServer(take)
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  const receiver: Receiver = {
    url: `http://127.0.0.1:${own}/`,
    port: own,
    received,
    get connections() {
      return connections
    },
    answer: (response) => response.end('thanks'),
    until: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => awaited.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return receiver
}

/** Listens with bare sockets and does with each what a test says; what it said is not read. */
export async function startSockets(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createSocketServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    get connections() {
      return connections
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
