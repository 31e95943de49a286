import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { SnapshotEnd, SnapshotFrame, SnapshotHead } from '../../schema/sync.ts'
import { named } from '../resource/store.ts'
import { indexNewPositions } from '../services/order-search-text.ts'
import type { Database, Queryable } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { fillingSearch, prepareSearch } from '../storage/search.ts'
import { type PutRows, putterOf } from './bulk-rows.ts'
import { idOf, type Shape, shapeOf } from './replica-rows.ts'

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
  /** Makes the indexes and the search, and everything durable; tells which part of that, up to 1, is done. */
  finish(report: (part: number) => void): Promise<void>
  /** How many rows point at rows that are not there, once the changes behind the snapshot are applied as well. */
  countDangling(): Promise<number>
  /** Closes what this has opened. */
  close(): Promise<void>
}

interface IndexRow {
  readonly name: string
  readonly table: string
  readonly sql: string
}

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
    sql`SELECT name, tbl_name AS "table", sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT LIKE 'position_search%'`,
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
      if (shape) shapes.set(name, { shape, put: putterOf(shape) })
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
    if (hash('sha256', rowsIn(line) ?? JSON.stringify(frame.rows)) !== frame.sha256)
      throw new Mangled('Rows of the snapshot were changed on their way.')
    const loading = shapes.get(frame.resource)
    if (loading) await loading.put(tx, frame.rows)
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
    async finish(report) {
      await database.script('PRAGMA foreign_keys = OFF;')
      const sizes = await sizesOf(
        database,
        indexes.map((one) => one.table),
      )
      const tickets = sizes.get('order_position') ?? 0
      const entries = indexes.reduce((sum, one) => sum + (sizes.get(one.table) ?? 0), 0)
      const whole = Math.max(1, entries + searchEffort * tickets)
      let done = 0
      const advance = (by: number): void => {
        done += by
        report(Math.min(1, done / whole))
      }
      for (const index of indexes) {
        await makeIndex(database, index.name, index.sql)
        advance(sizes.get(index.table) ?? 0)
      }
      await fillingSearch(database, () =>
        indexNewPositions(database, identity.organizer, (count) => advance(searchEffort * count)),
      )
      await database.script(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA foreign_keys = ON;',
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
  readonly put: PutRows
}

const beforeRows = ',"rows":'
const behindRows = ',"sha256":"'

/** The text of a frame's rows as it was sent, so that it need not be written again to be compared; null where it is not to be found. */
function rowsIn(line: string): string | null {
  const from = line.indexOf(beforeRows)
  const to = line.lastIndexOf(behindRows)
  return from > 0 && to > from ? line.slice(from + beforeRows.length, to) : null
}

/** How many rows some tables have. */
async function sizesOf(database: Database, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const table of new Set(tables)) {
    const row = await database.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${named(table)}`)
    sizes.set(table, Number(row?.count ?? 0))
  }
  return sizes
}

/** Making a ticket findable takes as long as so many entries of indexes. */
const searchEffort = 20

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
