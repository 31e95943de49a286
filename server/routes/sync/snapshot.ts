import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Context } from 'koa'
import type { Env } from '../../env.ts'
import { impossible, Refusal } from '../../errors.ts'
import type { Query } from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { readCursor } from '../../sync/feed/cursor.ts'
import { beginSnapshot, type Resumption, readRowKey } from '../../sync/feed/snapshot.ts'
import type { SnapshotAdmissions } from '../../sync/feed/snapshot-admission.ts'
import { feedViewOf, gone, type View } from '../../sync/feed/view.ts'
import type { FeedWatch } from '../../sync/feed/watch.ts'
import { textIn } from './access.ts'

/** What a snapshot is sent with. */
interface SnapshotSending {
  readonly db: Queryable
  readonly env: Env
  readonly watch: FeedWatch
  readonly admissions: SnapshotAdmissions
  readonly view: View
  readonly epoch: string
}

/** A receiver that takes nothing for so long is not there any more; milliseconds. */
const patience = 60_000

/** Answers with a snapshot as lines of JSON, compressed where that is understood; 503 when others have their turn. */
export async function sendSnapshot(ctx: Context, parts: SnapshotSending): Promise<void> {
  const { db, env, watch, admissions, view, epoch } = parts
  const resumption = resumptionIn(ctx.query)
  let end = (): void => {}
  const admission = admissions.ask(`${view.organizer}/${view.device}`, () => end())
  if ('retryAfter' in admission)
    throw new Refusal(
      503,
      { detail: 'Other devices are being loaded. This one has its turn in a moment.' },
      { 'Retry-After': String(admission.retryAfter) },
    )
  const { admitted } = admission
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  // Speed first: the stations are on the same network, and this machine has scans to judge.
  const out = isCompressed ? createGzip({ level: 1 }) : new PassThrough()
  end = () => out.destroy()
  try {
    const lines = await beginSnapshot({ db, env, view, epoch, resumption })
    const dog = watchdog(env, end)
    const forgetRights = endWithRights(parts, end)
    const forgetStop = watch.onStop(end)
    pipeline(Readable.from(dog.watched(lines)), out, (failure) => {
      admitted.leave()
      dog.end()
      forgetRights()
      forgetStop()
      // What was sent so far is good; that the end is missing tells that there is more.
      if (failure) ctx.res.destroy()
    })
  } catch (cause) {
    admitted.leave()
    throw cause
  }
  ctx.status = 200
  ctx.set('Content-Type', 'application/x-ndjson')
  ctx.set('Vary', 'Accept-Encoding')
  if (isCompressed) ctx.set('Content-Encoding', 'gzip')
  ctx.body = out
}

/** Where a snapshot goes on, or null for from the beginning. */
function resumptionIn(query: Query): Resumption | null {
  const after = textIn(query, 'after')
  if (after === undefined) return null
  const text = textIn(query, 'cursor')
  if (text === undefined) throw impossible('Send the cursor of the interrupted snapshot with after.')
  const cursor = readCursor(text)
  if (!cursor) throw gone('unreadable', 'The cursor is none of this server. Begin the snapshot anew.')
  return { after: readRowKey(after), cursor }
}

/** Ends a snapshot when the device is revoked, or may see other events than when it began. */
function endWithRights({ db, watch, view }: SnapshotSending, end: () => void): () => void {
  const { organizer, device, withOrders, tag, events } = view
  return watch.listen((touched) => {
    if (!touched.has(organizer, 0)) return
    feedViewOf(db, organizer, device, withOrders).then((now) => {
      // Events that it has won are sent with the changes.
      if (now.tag !== tag || [...events.keys()].some((event) => !now.events.has(event))) end()
    }, end)
  })
}

interface Watchdog {
  watched(lines: AsyncIterable<string>): AsyncGenerator<string, void, void>
  end(): void
}

function watchdog(env: Env, bite: () => void): Watchdog {
  let cancel = env.after(patience, bite)
  return {
    async *watched(lines) {
      for await (const line of lines) {
        cancel()
        cancel = env.after(patience, bite)
        yield line
      }
    },
    end: () => cancel(),
  }
}
