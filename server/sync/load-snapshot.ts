import { createHash } from 'node:crypto'
import sql, { bulk, type Sql } from 'sql-template-tag'
import type { SnapshotEnd, SnapshotFrame, SnapshotHead } from '../../schema/sync.ts'
import { named } from '../resource/store.ts'
import { indexOrders } from '../services/order-search-text.ts'
import type { Database, Queryable } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { prepareSearch } from '../storage/search.ts'
import { shaped } from '../storage/shaped.ts'
import { type Cell, type Cut, cellsOf, columnsOf, idOf, type Shape, shapeOf } from './replica-rows.ts'

/** A snapshot that did not arrive as it was sent: it is asked for again from the last good row. */
export class Mangled extends Error {}

/** Who the new copy belongs to. */
export interface ReplicaIdentity {
  readonly organizer: number
  readonly site: number
  /** The site after the last one that this node may give away. */
  readonly siteEnd: number
  /** Names the order of changes that this copy itself will have. */
  readonly epoch: string
}

/** How far a snapshot is loaded. */
export interface LoadProgress {
  readonly rows: number
  readonly total: number
  /** After which row to ask for more, as `RESOURCE:ID`, or null for from the beginning. */
  readonly after: string | null
  /** The first head: from where changes are to be followed, and in which epoch. */
  readonly head: SnapshotHead | null
  /** Whether the last line was read. */
  readonly complete: boolean
}

/** A snapshot on its way into a database. */
export interface SnapshotLoad {
  /** Takes the next bytes; throws Mangled for what cannot be right. */
  feed(chunk: Uint8Array): Promise<LoadProgress>
  /** Forgets a line that was cut off: what follows is a new answer. */
  restart(): Promise<void>
  /** Makes the indexes and the search, and everything durable. */
  finish(): Promise<void>
  /** How many rows point at rows that are not there, once the changes behind the snapshot are applied as well. */
  countDangling(): Promise<number>
  /** Closes what this has opened. */
  close(): Promise<void>
}

interface IndexRow {
  readonly name: string
  readonly sql: string
}

const rowsPerInsert = 50

/**
 * Begins to load a snapshot into an empty SQLite database of its own. Indexes are made after the rows, which takes half
 * the time, and nothing is durable before `finish`: what is cut off by a power failure is thrown away.
 */
export async function beginLoad(database: Database, identity: ReplicaIdentity): Promise<SnapshotLoad> {
  await migrate(database)
  await prepareSearch(database)
  await database.run(
    sql`INSERT INTO node (id, site, next_id, epoch, next_site, site_end)
        VALUES (1, ${identity.site}, 1, ${identity.epoch}, ${identity.site + 1}, ${identity.siteEnd})`,
  )
  await database.script('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;')
  const indexes = await database.all<IndexRow>(
    sql`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT LIKE 'position_search%'`,
  )
  for (const { name } of indexes) await database.script(`DROP INDEX "${name}";`)

  const decoder = { text: new TextDecoder('utf-8', { fatal: true }) }
  const shapes = new Map<string, Loading>()
  let rest = ''
  let progress: LoadProgress = { rows: 0, total: 0, after: null, head: null, complete: false }
  let expectsHead = true

  function readHead(line: string): void {
    const head = parsed(line) as SnapshotHead
    if (typeof head.cursor !== 'string' || typeof head.columns !== 'object' || head.columns === null)
      throw new Mangled('The snapshot does not begin as one.')
    if (progress.head && progress.head.epoch !== head.epoch)
      throw new Error('The server above has begun anew meanwhile.')
    shapes.clear()
    for (const [name, columns] of Object.entries(head.columns)) {
      const shape = shapeOf(name, columns, identity.organizer)
      if (shape) shapes.set(name, loadingOf(shape))
    }
    expectsHead = false
    progress = { ...progress, head: progress.head ?? head, total: head.total, rows: head.before }
  }

  async function readFrame(tx: Queryable, line: string): Promise<void> {
    const frame = parsed(line) as SnapshotFrame | SnapshotEnd
    if ('end' in frame) {
      progress = { ...progress, complete: true }
      return
    }
    const sum = createHash('sha256').update(JSON.stringify(frame.rows)).digest('hex')
    if (sum !== frame.sha256) throw new Mangled('Rows of the snapshot were changed on their way.')
    const loading = shapes.get(frame.resource)
    if (loading) await store(tx, loading, frame.rows)
    const last = frame.rows.at(-1)
    const columns = progress.head?.columns[frame.resource]
    if (last && columns)
      progress = {
        ...progress,
        rows: progress.rows + frame.rows.length,
        after: `${frame.resource}:${loading ? idOf(loading.shape, last) : last[columns.indexOf('id')]}`,
      }
  }

  return {
    async feed(chunk) {
      let text: string
      try {
        text = rest + decoder.text.decode(chunk, { stream: true })
      } catch {
        throw new Mangled('The snapshot is not text.')
      }
      const lines = text.split('\n')
      rest = lines.pop() ?? ''
      if (lines.length === 0) return progress
      const before = progress
      try {
        await database.transaction(async (tx) => {
          // Begun again, it takes up where it was.
          progress = before
          for (const line of lines) {
            if (line.trim() === '') continue
            if (expectsHead) readHead(line)
            else await readFrame(tx, line)
          }
        })
      } catch (cause) {
        progress = before
        throw cause
      }
      return progress
    },
    async restart() {
      decoder.text = new TextDecoder('utf-8', { fatal: true })
      rest = ''
      expectsHead = true
    },
    async finish() {
      await database.script('PRAGMA foreign_keys = OFF;')
      for (const { name, sql: text } of indexes) await makeIndex(database, name, text)
      await indexAll(database, identity.organizer)
      await database.script(
        'PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA foreign_keys = ON;',
      )
    },
    async countDangling() {
      return (await database.all(sql`PRAGMA foreign_key_check`)).length
    },
    async close() {},
  }
}

/** JSON, or what is not. */
function parsed(line: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Mangled('A line of the snapshot is not JSON.')
  }
  if (typeof value !== 'object' || value === null) throw new Mangled('A line of the snapshot is no object.')
  return value
}

interface Loading {
  readonly shape: Shape
  /** The statement for a full batch of rows, put together once. */
  readonly full: (...cells: readonly Cell[]) => Sql
  readonly head: Sql
}

function loadingOf(shape: Shape): Loading {
  const columns = columnsOf(shape)
  const head = sql`INSERT OR REPLACE INTO ${shape.table} (${joined(columns)}) VALUES`
  const full = shaped(
    (...cells: readonly Cell[]) =>
      sql`${head} ${bulk(Array.from({ length: rowsPerInsert }, (_, row) => cells.slice(row * columns.length, (row + 1) * columns.length)))}`,
    rowsPerInsert * columns.length,
  )
  return { shape, full, head }
}

const joined = (columns: readonly string[]): Sql =>
  columns.map(named).reduce((all, one) => sql`${all}, ${one}`)

async function store(tx: Queryable, { shape, full, head }: Loading, rows: readonly Cut[]): Promise<void> {
  for (let first = 0; first < rows.length; first += rowsPerInsert) {
    const part = rows.slice(first, first + rowsPerInsert).map((row) => cellsOf(shape, row))
    await tx.run(part.length === rowsPerInsert ? full(...part.flat()) : sql`${head} ${bulk(part)}`)
  }
}

/**
 * Makes an index again. A snapshot is not of one moment, so two rows may hold for now what only one may: such an index
 * lets them, until the changes that follow have set it right and the next start of a copy makes a strict one.
 */
async function makeIndex(database: Database, name: string, text: string): Promise<void> {
  try {
    await database.script(`${text};`)
  } catch {
    await database.script(`DROP INDEX IF EXISTS "${name}"; ${text.replace(/^CREATE UNIQUE/i, 'CREATE')};`)
  }
}

const ordersPerStep = 200

/** Makes everybody findable. */
async function indexAll(database: Database, organizer: number): Promise<void> {
  for (let last = 0; ; ) {
    const from = last
    const ids = await database.transaction(async (tx) => {
      const rows = await tx.all<{ id: number }>(
        sql`SELECT id FROM orders WHERE organizer = ${organizer} AND id > ${from} ORDER BY id LIMIT ${ordersPerStep}`,
      )
      await indexOrders(
        tx,
        { organizer, event: 0 },
        rows.map((row) => row.id),
      )
      return rows.map((row) => row.id)
    })
    if (ids.length === 0) return
    last = ids.at(-1) ?? last
  }
}
