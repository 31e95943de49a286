import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// A thread of its own that attacks a server with bodies, so that what it does is not what is measured.

/** How a stranger tries to stop scanning. */
export type BodyAttack = 'escaped' | 'nested' | 'stalled' | 'refused' | 'uploads' | 'plans' | 'unread'

/** What the thread is started with. */
export interface AttackOrder {
  readonly port: number
  readonly attack: BodyAttack
  /** Sent as `Authorization`; empty for none. */
  readonly credential: string
  /** Milliseconds between two bodies on the same connection; as soon as possible unless given. */
  readonly pause?: number
}

/** What the thread reports: how many requests got which answer; 0 where the connection was ended without one. */
export type AttackReport = Readonly<Record<number, number>>

/** Who holds hundreds of connections opens each again after so many milliseconds, or it would be a flood of heads. */
const pace = 1000

/** Bodies of this size were read from anybody once. */
const size = 9_800_000

const redeem = '/api/v1/organizers/acme/checkinrpc/redeem/'

const bodies: Readonly<Record<BodyAttack, { path: string; text: () => string; connections: number }>> = {
  // A list is asked for, and no more than the beginning of the answer is read.
  unread: { path: '/api/v1/organizers/acme/events/gala/items/', text: () => '', connections: 60 },
  escaped: {
    path: redeem,
    text: () => `["\\u0041"${',1'.repeat((size - 10) / 2)}]`,
    connections: 3,
  },
  nested: { path: '/api/v1/nothing/here/', text: () => '['.repeat(size), connections: 3 },
  // All but the last bytes come, and then nothing more.
  stalled: { path: redeem, text: () => `"${'x'.repeat(size - 2)}`, connections: 300 },
  refused: { path: redeem, text: () => `"${'x'.repeat(size - 2)}"`, connections: 8 },
  uploads: { path: '/api/v1/upload', text: () => `%PDF-1.4\n${'x'.repeat(size - 9)}`, connections: 8 },
  plans: {
    path: '/api/v1/organizers/acme/seatingplans/',
    text: () =>
      `{"name":"x","layout":{"zones":[${'{"name":"a","rows":[]},'.repeat(60_000)}{}]}}`.padEnd(4_000_000),
    connections: 8,
  },
}

/** Attacks by what is held, not by what is sent. */
const lasting: ReadonlySet<BodyAttack> = new Set(['stalled', 'unread'])

const order: AttackOrder = workerData
const counts: Record<number, number> = {}
const open = new Set<Socket>()
let isOver = false

/** Sends one body; resolves with the status of the answer once the connection has ended. */
async function send(path: string, body: Buffer): Promise<number> {
  const socket = connect(order.port, '127.0.0.1')
  open.add(socket)
  let answer = ''
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    answer = answer.length < 100 ? answer + part : answer
    if (order.attack === 'unread' && answer.startsWith('HTTP/1.1 200')) socket.pause()
    // Who attacks does not wait until they are hung up on.
    else if (order.attack !== 'stalled') socket.destroy()
  })
  socket.on('error', () => {})
  socket.write(
    [
      `${order.attack === 'unread' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...(order.attack === 'uploads'
        ? ['Content-Type: application/pdf', 'Content-Disposition: attachment; filename="flood.pdf"']
        : ['Content-Type: application/json']),
      `Content-Length: ${body.length}`,
      ...(order.credential === '' ? [] : [`Authorization: ${order.credential}`]),
      '',
      '',
    ].join('\r\n'),
  )
  socket.write(body)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  open.delete(socket)
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
}

/** Attacks on one connection after the other until it is told to end. */
async function attack(path: string, body: Buffer): Promise<void> {
  while (!isOver) {
    const status = await send(path, body)
    if (!isOver || status !== 0) counts[status] = (counts[status] ?? 0) + 1
    if (pause > 0 && !isOver) await wait(pause)
  }
}

const pause = order.pause ?? (lasting.has(order.attack) ? pace : 0)
const { path, text, connections } = bodies[order.attack]
const whole = Buffer.from(text())
const running = Array.from({ length: connections }, () => attack(path, whole))
parentPort?.once('message', async () => {
  isOver = true
  for (const socket of open) socket.destroy()
  await Promise.all(running)
  parentPort?.postMessage(counts satisfies AttackReport)
})
