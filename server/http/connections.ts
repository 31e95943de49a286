import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Stream } from 'node:stream'
import type { Middleware, Response } from 'koa'
import { kibibyte, mebibyte } from '../../schema/body-limits.ts'
import { type Env, whenUnmoved } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { addressKey } from './rate-limits.ts'

/** How many connections there are at a time. */
export interface ConnectionBounds {
  /** From one address; none behind a proxy, whose address all of them have. */
  readonly each?: number
  readonly all: number
}

/** What is said to who has too many connections; there is no request yet that it would be the answer to. */
const refusal = (() => {
  const body = JSON.stringify({ detail: 'Too many connections: close some, and try again in ten seconds.' })
  const head = [
    'HTTP/1.1 503 Service Unavailable',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Retry-After: 10',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
})()

/** Milliseconds between two lines of the log about refused connections. */
const quietFor = 60_000

/** Refuses connections beyond some bounds before anything is read from them. */
export function boundConnections(
  server: Server,
  { each = Number.POSITIVE_INFINITY, all }: ConnectionBounds,
  { env, log }: { readonly env: Pick<Env, 'elapsed'>; readonly log: Log },
): void {
  const open = new Map<string, number>()
  let quietUntil = 0
  function note(from: 'one address' | 'all addresses'): void {
    if (env.elapsed() < quietUntil) return
    quietUntil = env.elapsed() + quietFor
    log.warn('too many connections', { from })
  }
  server.maxConnections = all
  server.on('drop', () => note('all addresses'))
  const serve = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = addressKey(socket.remoteAddress ?? '')
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (count <= each) {
      for (const listener of serve) Reflect.apply(listener, server, [socket])
      return
    }
    note('one address')
    socket.on('error', () => {})
    socket.resume()
    socket.end(refusal, () => socket.destroy())
  })
}

/**
 * Knows on which connections of a server nothing is being asked. Browsers open some in advance, which do not count as
 * idle to the server itself because they were never used, and so keep it from closing. `closeUnused` closes these, and those in use once they are answered.
 */
export function watchConnections(server: Server): { closeUnused(): void } {
  const unused = new Set<Socket>()
  let closing = false
  const waits = (socket: Socket): void => {
    if (closing) socket.end()
    else if (!socket.destroyed) unused.add(socket)
  }
  server.on('connection', (socket: Socket) => {
    waits(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }, answer) => {
    unused.delete(socket)
    answer.once('close', () => waits(socket))
  })
  return {
    closeUnused() {
      closing = true
      for (const socket of unused) socket.destroy()
    },
  }
}

/** How much is kept of answers that are not read. */
export interface AnswerBounds {
  /** Bytes that wait for one address; beyond that it is given nothing more to read. */
  readonly each: number
  /** Bytes that wait for all of them together; beyond that the oldest large answers are ended with their connections. */
  readonly all: number
  /** Milliseconds after which a connection that takes nothing of its answer is ended. */
  readonly patience: number
}

const usualAnswers: AnswerBounds = { each: 32 * mebibyte, all: 256 * mebibyte, patience: 30_000 }

/** Ends the connections of a server on which nothing is taken of an answer. */
export function endUntaken(server: Server, { patience }: AnswerBounds = usualAnswers): void {
  server.on('request', (_, answer: ServerResponse) =>
    whenUnmoved(answer, patience, () => {
      if (answer.writableLength > 0) answer.destroy()
    }),
  )
}

/** Scans, and what is sent to pages that listen, have shorter answers. */
const largeAnswer = 64 * kibibyte

/** Ends large answers, the oldest first, until no more bytes wait than there may with so many to come. */
function makeRoom(inOrder: ReadonlySet<ServerResponse>, all: number, coming: number): void {
  let waiting = coming
  for (const { writableLength } of inOrder) waiting += writableLength
  for (const answer of inOrder) {
    if (waiting <= all) return
    if (answer.writableLength <= largeAnswer) continue
    waiting -= answer.writableLength
    answer.destroy()
  }
}

/**
 * How many bytes an answer has. One in JSON has to be written to know that, so what was written is sent; of what answers a
 * change, which is looked at before it is sent, as many are assumed as raise the question.
 */
function lengthOf(response: Response, method: string): number {
  const { body } = response
  const isJson = typeof body === 'object' && body !== null && response.is('json') && !isSent(body)
  if (isJson && method !== 'GET') return largeAnswer
  if (isJson) response.body = JSON.stringify(body)
  return response.length ?? largeAnswer
}

/** What is sent as it is. */
const isSent = (body: object): boolean =>
  body instanceof Uint8Array || body instanceof Stream || body instanceof ReadableStream

/** Bounds what is kept for callers who ask for more than they read. */
export function boundAnswers({ each, all }: AnswerBounds = usualAnswers): Middleware {
  const open = new Map<string, Set<ServerResponse>>()
  const inOrder = new Set<ServerResponse>()
  const check = (answers: ReadonlySet<ServerResponse>): void => {
    let waiting = 0
    for (const { writableLength } of answers) waiting += writableLength
    if (waiting > each)
      throw new Refusal(
        429,
        {
          detail: 'Too much of what you asked for waits to be read. Read it, and try again in five seconds.',
        },
        { 'Retry-After': '5' },
      )
  }
  return async ({ method, ip, res, response }, next) => {
    const key = addressKey(ip)
    const answers = open.get(key) ?? new Set()
    open.set(key, answers.add(res))
    inOrder.add(res)
    // A streamed answer is watched by as many already as raise no warning.
    res.setMaxListeners(res.getMaxListeners() + 1)
    res.once('close', () => {
      answers.delete(res)
      inOrder.delete(res)
      if (answers.size === 0 && open.get(key) === answers) open.delete(key)
    })
    // What was changed is always answered, and so is a scan.
    if (method === 'GET') check(answers)
    await next()
    // Others may have been answered meanwhile; what comes as a stream waits by itself.
    if (method === 'GET' && !(response.body instanceof Stream)) check(answers)
    const length = lengthOf(response, method)
    if (length >= largeAnswer) makeRoom(inOrder, all, length)
  }
}
