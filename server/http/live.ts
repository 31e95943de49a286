import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { Env } from '../env.ts'

/** Sends events to the pages that listen: to the screens of this machine, or to another audience by its name. */
export interface Live {
  /** How many screens listen. */
  readonly listeners: number
  /** Sends an event; answers to how many pages. */
  publish(event: string, data: unknown, audience?: string): number
  /** Answers a request with a stream of events that stays open. */
  open(ctx: Context, audience?: string): void
  /** Calls back when it is closed, for those who send events by themselves. */
  onClose(listener: () => void | Promise<void>): void
  /** Ends all streams at once; done when those who were called back are. */
  close(): Promise<void>
}

const heartbeat = 15_000

/** The audience of whoever names none. */
const screens = 'screens'

/** Who reads nothing for so long that this many bytes wait is not there any more. */
const mostWaiting = 65_536

/** Sends a part of a stream of events, which ends where nobody reads it. */
export function sendPart(stream: PassThrough, text: string): void {
  if (stream.writableEnded || stream.destroyed) return
  if (stream.writableLength > mostWaiting) stream.destroy()
  else stream.write(text)
}

/** Answers a request with a stream of events, which is closed with its connection. */
export function answerWithEvents(ctx: Context, stream: PassThrough): void {
  ctx.set('Content-Type', 'text/event-stream')
  ctx.set('Cache-Control', 'no-store')
  // A connection that is kept for another request would keep a server from stopping.
  ctx.set('Connection', 'close')
  ctx.set('X-Accel-Buffering', 'no')
  ctx.status = 200
  ctx.body = stream
}

/** A place where pages listen for events; a comment now and then keeps the connections alive. */
export function createLive(env: Env): Live {
  /** With the audience that each belongs to. */
  const streams = new Map<PassThrough, string>()
  const of = (audience: string) => [...streams].flatMap(([stream, own]) => (own === audience ? [stream] : []))
  const whenClosed = new Set<() => void | Promise<void>>()
  let stopBeat: (() => void) | undefined
  const beat = (): void => {
    for (const stream of streams.keys()) sendPart(stream, ': still here\n\n')
    stopBeat = streams.size > 0 ? env.after(heartbeat, beat) : undefined
  }
  return {
    get listeners() {
      return of(screens).length
    },
    publish(event, data, audience = screens) {
      const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
      const hearing = of(audience)
      for (const stream of hearing) sendPart(stream, text)
      return hearing.length
    },
    open(ctx, audience = screens) {
      const stream = new PassThrough()
      streams.set(stream, audience)
      ctx.req.on('close', () => {
        streams.delete(stream)
        stream.end()
      })
      answerWithEvents(ctx, stream)
      stream.write('retry: 1000\n\n')
      stopBeat ??= env.after(heartbeat, beat)
    },
    onClose(listener) {
      whenClosed.add(listener)
    },
    async close() {
      stopBeat?.()
      const called = [...whenClosed].map((listener) => listener())
      for (const stream of streams.keys()) stream.end()
      streams.clear()
      await Promise.all(called)
    },
  }
}
