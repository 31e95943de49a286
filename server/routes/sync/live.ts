import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import type { Env } from '../../env.ts'
import { answerWithEvents, sendPart } from '../../http/live.ts'
import type { Queryable } from '../../storage/database.ts'
import { writeCursor } from '../../sync/feed/cursor.ts'
import { cursorAt, headsOf } from '../../sync/feed/heads.ts'
import { startFor } from '../../sync/feed/starts.ts'
import type { View } from '../../sync/feed/view.ts'
import type { FeedWatch, Touched } from '../../sync/feed/watch.ts'

/** What a stream of news is made from. */
interface FeedStreamParts {
  readonly db: Queryable
  readonly env: Env
  readonly watch: FeedWatch
  readonly device: number
  readonly streams: OpenStreams
  /** What the device may see by now; rejects when it may see nothing any more. */
  readonly view: () => Promise<View>
}

const heartbeat = 15_000

/** How many streams a device has at a time: it needs one, and one more while the server still holds a lost one. */
const streamsEach = 4

/** The streams of devices that are open. */
export interface OpenStreams {
  readonly count: number
  /** Notes one until it is closed; where a device has too many, its oldest ends. */
  add(device: number, stream: PassThrough): void
}

/** Bounds what is kept for devices that open streams and do not read them, whatever addresses they come from. */
export function createOpenStreams(): OpenStreams {
  const open = new Map<number, Set<PassThrough>>()
  return {
    get count() {
      return [...open.values()].reduce((sum, { size }) => sum + size, 0)
    },
    add(device, stream) {
      const streams = open.get(device) ?? new Set()
      open.set(device, streams.add(stream))
      stream.once('close', () => {
        streams.delete(stream)
        if (streams.size === 0 && open.get(device) === streams) open.delete(device)
      })
      const [oldest] = streams
      if (streams.size > streamsEach) oldest?.destroy()
    },
  }
}

/**
 * Answers with a stream that says when there is something new for a device: `change` with the cursor that it will get
 * to, and `conflict` for each contradiction that was found, changed or withdrawn. It ends when the device's rights do.
 */
export async function openFeedStream(
  ctx: Context,
  { db, env, watch, device, streams, view }: FeedStreamParts,
): Promise<void> {
  let seen = await view()
  let sent = ''
  const stream = new PassThrough()

  const send = (text: string): void => sendPart(stream, text)

  const reached = async (): Promise<string> =>
    writeCursor(cursorAt(await headsOf(db, seen.organizer), seen, await startFor(db, seen.organizer)))

  async function announce(touched: Touched): Promise<void> {
    if (touched.has(seen.organizer, 0)) seen = await view()
    const { organizer, events } = seen
    for (const { place, resource, row, op } of touched.changes)
      if (resource === conflict.name && place.organizer === organizer && events.has(place.event))
        send(`event: conflict\ndata: ${JSON.stringify({ event: place.event, id: row, op })}\n\n`)
    if (!touched.has(organizer, 0) && ![...events.keys()].some((event) => touched.has(organizer, event)))
      return
    const cursor = await reached()
    if (cursor === sent) return
    sent = cursor
    send(`event: change\ndata: ${JSON.stringify({ cursor })}\n\n`)
  }

  // What was there before the stream is no news; who hears its first word asks for that.
  const opened = reached().then((cursor) => {
    sent = cursor
  })
  let busy = opened.catch(() => undefined)
  const forget = watch.listen((touched) => {
    // Who may not hear of it any more, or cannot, is let go and asks again.
    busy = busy.then(() => announce(touched)).catch(() => void stream.end())
  })
  const forgetStop = watch.onStop(() => stream.end())
  let stopBeat = env.after(heartbeat, function beat() {
    send(': still here\n\n')
    stopBeat = env.after(heartbeat, beat)
  })
  ctx.res.once('close', () => {
    forget()
    forgetStop()
    stopBeat()
    stream.destroy()
  })
  await opened
  streams.add(device, stream)
  answerWithEvents(ctx, stream)
  send('retry: 1000\n\n')
}
