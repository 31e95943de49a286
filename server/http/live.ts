import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { Env } from '../env.ts'

/** Sends events to the pages that listen. */
export interface Live {
  readonly listeners: number
  publish(event: string, data: unknown): void
  /** Answers a request with a stream of events that stays open. */
  open(ctx: Context): void
  /** Calls back when it is closed, for those who send events by themselves. */
  onClose(listener: () => void): void
  close(): void
}

const heartbeat = 15_000

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
  const streams = new Set<PassThrough>()
  const whenClosed = new Set<() => void>()
  let stopBeat: (() => void) | undefined
  const beat = (): void => {
    for (const stream of streams) sendPart(stream, ': still here\n\n')
    stopBeat = streams.size > 0 ? env.after(heartbeat, beat) : undefined
  }
  return {
    get listeners() {
      return streams.size
    },
    publish(event, data) {
      const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
      for (const stream of streams) sendPart(stream, text)
    },
    open(ctx) {
      const stream = new PassThrough()
      streams.add(stream)
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
    close() {
      stopBeat?.()
      for (const listener of whenClosed) listener()
      for (const stream of streams) stream.end()
      streams.clear()
    },
  }
}
