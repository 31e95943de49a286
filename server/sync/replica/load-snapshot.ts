import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { SnapshotEnd, SnapshotFrame, SnapshotHead } from '../../../schema/sync.ts'
import { named } from '../../resource/store.ts'
import { indexNewPositions, indexTickets } from '../../services/orders/order-search-text.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { migrate } from '../../storage/migrate.ts'
import { fillingSearch, prepareSearch } from '../../storage/search.ts'
import { type PutRows, putterOf } from './bulk-rows.ts'
import { idOf, type Shape, shapeOf } from './replica-rows.ts'
import type { SearchBeside } from './search-beside.ts'
import { gatherLines, linesIn, Mangled, parsed, rowsIn } from './snapshot-lines.ts'
import { gatherWords } from './snapshot-words.ts'

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
 * the time, and nothing is durable before `finish`: what is cut off by a power failure is thrown away. With `beside`,
 * tickets are made findable there while others are still loaded, and taken over in the end.
 */
export async function beginLoad(
  database: Database,
  identity: ReplicaIdentity,
  beside: SearchBeside | null = null,
): Promise<SnapshotLoad> {
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

  const shapes = new Map<string, Loading>()
  const words = gatherWords(identity.organizer)
  const lines = gatherLines()
  let progress: LoadProgress = { rows: 0, total: 0, after: null, head: null, complete: false }
  let expectsHead = true

  function readHead(line: Buffer): void {
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

  async function readFrame(tx: Queryable, line: Buffer): Promise<void> {
    const frame = parsed(line) as SnapshotFrame | SnapshotEnd
    if ('end' in frame) {
      progress = { ...progress, complete: true }
      return
    }
    if (hash('sha256', rowsIn(line) ?? JSON.stringify(frame.rows)) !== frame.sha256)
      throw new Mangled('Rows of the snapshot were changed on their way.')
    const loading = shapes.get(frame.resource)
    if (loading) {
      await loading.put(tx, frame.rows)
      if (beside) await words.take(tx, loading.shape, frame.rows)
    }
    const last = frame.rows.at(-1)
    const columns = progress.head?.columns[frame.resource]
    if (last && columns)
      progress = {
        ...progress,
        rows: progress.rows + frame.rows.length,
        after: `${frame.resource}:${loading ? idOf(loading.shape, last) : last[columns.indexOf('id')]}`,
      }
  }

  /** Has what was made findable beside taken over, and adds what could not be. */
  async function takeSearch(made: SearchBeside): Promise<void> {
    await made.finish()
    const place = { organizer: identity.organizer, event: 0 }
    for (const some of words.late()) await database.transaction((tx) => indexTickets(tx, place, some))
  }

  return {
    async feed(chunk) {
      const whole = lines.add(chunk)
      if (whole === null) return progress
      if (!isUtf8(whole)) throw new Mangled('The snapshot is not text.')
      const before = progress
      try {
        await database.transaction(async (tx) => {
          // Begun again, it takes up where it was.
          progress = before
          words.forget()
          for (const line of linesIn(whole)) {
            if (expectsHead) readHead(line)
            else await readFrame(tx, line)
          }
        })
      } catch (cause) {
        progress = before
        throw cause
      }
      const texts = words.settle()
      if (texts.length > 0) await beside?.add(texts)
      return progress
    },
    async restart() {
      lines.restart()
      expectsHead = true
    },
    async finish(report) {
      // What is sorted for an index of very many rows is not to fill the memory.
      await database.script('PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE;')
      const sizes = await sizesOf(
        database,
        indexes.map((one) => one.table),
      )
      const tickets = sizes.get('order_position') ?? 0
      const entries = indexes.reduce((sum, one) => sum + (sizes.get(one.table) ?? 0), 0)
      const whole = Math.max(1, entries + (beside ? 0 : searchEffort * tickets))
      let done = 0
      const advance = (by: number): void => {
        done += by
        report(Math.min(1, done / whole))
      }
      for (const index of indexes) {
        await makeIndex(database, index.name, index.sql)
        advance(sizes.get(index.table) ?? 0)
      }
      if (beside) await takeSearch(beside)
      else
        await fillingSearch(database, () =>
          indexNewPositions(database, identity.organizer, (count) => advance(searchEffort * count)),
        )
      report(1)
      await database.script(
        'PRAGMA temp_store = MEMORY; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA foreign_keys = ON;',
      )
    },
    async countDangling() {
      return (await database.all(sql`PRAGMA foreign_key_check`)).length
    },
    async close() {},
  }
}

interface Loading {
  readonly shape: Shape
  readonly put: PutRows
}

/** How many rows some tables have. */
async function sizesOf(database: Database, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const table of new Set(tables)) {
    const row = await database.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${named(table)}`)
    sizes.set(table, row?.count ?? 0)
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
