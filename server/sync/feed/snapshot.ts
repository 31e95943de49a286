import { hash } from 'node:crypto'
import { protocol, type SnapshotEnd, type SnapshotHead } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { impossible } from '../../errors.ts'
import type { Queryable } from '../../storage/database.ts'
import { type RowShape, shapesOf } from './columns.ts'
import { type Cursor, type RowKey, writeCursor } from './cursor.ts'
import { checkCursor, cursorAt, headsOf } from './heads.ts'
import { Portions } from './portions.ts'
import { replicated } from './replicated.ts'
import { countUpTo, rowsAfter } from './rows.ts'
import { startFor } from './starts.ts'
import type { View } from './view.ts'

/** Where an interrupted snapshot goes on: behind a row, with the cursor that it began with. */
export interface Resumption {
  readonly after: RowKey
  readonly cursor: Cursor
}

/** What a snapshot is made from. */
interface SnapshotParts {
  readonly db: Queryable
  readonly env: Env
  readonly view: View
  readonly epoch: string
  /** Null for a snapshot from the beginning. */
  readonly resumption: Resumption | null
}

const rowsPerFrame = 250

/** The place in a snapshot that `RESOURCE:ID` names; 400 where it names none. */
export function readRowKey(text: string): RowKey {
  const [, resource = '', id = ''] = /^([a-z_]+):(\d{1,16})$/.exec(text) ?? []
  if (!replicated.some(({ name }) => name === resource))
    throw impossible('Write after as RESOURCE:ID, the last row that arrived.')
  return { resource, id: Number(id) }
}

/**
 * Begins a snapshot: everything that a device may see, row by row in a fixed order. It is not one moment: rows are read
 * in short statements while the work goes on, and the changes from its cursor on bring what was different by then.
 * 410 when it cannot be gone on with where it was interrupted.
 */
export async function beginSnapshot(parts: SnapshotParts): Promise<AsyncGenerator<string, void, void>> {
  const { db, view, resumption } = parts
  const heads = await headsOf(db, view.organizer)
  if (resumption) checkCursor(resumption.cursor, heads, view)
  const start = await startFor(db, view.organizer, resumption?.cursor)
  return linesOf(parts, resumption?.cursor ?? cursorAt(heads, view, start))
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

async function* linesOf(parts: SnapshotParts, cursor: Cursor): AsyncGenerator<string, void, void> {
  const { db, env, view, epoch, resumption } = parts
  const shapes = shapesOf(view)
  const start = resumption ? rankOf(resumption.after.resource) : -1
  const startId = resumption?.after.id ?? 0
  const rest = resting(env)
  const { before, total } = await countAll(parts, shapes, { start, startId }, rest)
  const columns = Object.fromEntries(shapes.map((shape) => [shape.resource.name, shape.columns]))
  yield line({
    protocol,
    epoch,
    cursor: writeCursor(cursor),
    total,
    before,
    columns,
  } satisfies SnapshotHead)
  let sent = 0
  const portions = new Portions(rowsPerFrame)
  for (const shape of shapes) {
    const { name } = shape.resource
    const rank = rankOf(name)
    if (rank < start) continue
    let after: number | null = rank === start ? startId : 0
    while (after !== null) {
      const limit = portions.next(name)
      const part = await rowsAfter(db, view, shape, { after, limit, event: null })
      after = part.last
      portions.add(name, part.rows)
      sent += part.rows.length
      if (part.rows.length > 0)
        yield frame(shape, JSON.stringify(part.rows.map((row) => shape.cellsOf(row, view))))
      await rest()
    }
  }
  yield line({ end: true, total: before + sent } satisfies SnapshotEnd)
}

// The rows are made into text once: what is hashed is what is sent.
const frame = ({ resource }: RowShape, rows: string): string =>
  `{"resource":${JSON.stringify(resource.name)},"rows":${rows},"sha256":"${hash('sha256', rows)}"}\n`

const rankOf = (resource: string): number => replicated.findIndex(({ name }) => name === resource)

async function countAll(
  { db, view }: SnapshotParts,
  shapes: readonly RowShape[],
  { start, startId }: { readonly start: number; readonly startId: number },
  rest: () => Promise<void>,
): Promise<{ before: number; total: number }> {
  let before = 0
  let total = 0
  for (const shape of shapes) {
    const count = await countUpTo(db, view, shape, { upTo: Number.MAX_SAFE_INTEGER, rest })
    total += count
    const rank = rankOf(shape.resource.name)
    if (rank < start) before += count
    else if (rank === start) before += await countUpTo(db, view, shape, { upTo: startId, rest })
  }
  return { before, total }
}

/** Somebody who took longer than this for a turn had something to do; milliseconds. */
const turn = 0.5

/**
 * After so much work others have their turn; milliseconds. Timers know whole ones, so more often would be mostly rest.
 */
const slice = 3

/**
 * Lets others have their turn once in a while. Where one of them used it, this rests for twice as long as the work
 * before has taken: then most of the time is theirs.
 */
function resting(env: Env): () => Promise<void> {
  let begun = env.elapsed()
  return async () => {
    const ended = env.elapsed()
    const worked = Math.ceil(ended - begun)
    if (worked < slice) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (env.elapsed() - ended > turn)
      await new Promise<void>((resolve) => env.after(Math.min(2 * worked, 50), resolve))
    begun = env.elapsed()
  }
}
