import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { SnapshotEnd, SnapshotFrame, SnapshotHead } from '../../../schema/sync.ts'
import { indexNewPositions, indexTickets } from '../../services/orders/order-search-text.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { migrate } from '../../storage/migrate.ts'
import { fillingSearch, prepareSearch } from '../../storage/search.ts'
import { type PutRows, putterOf } from './bulk-rows.ts'
import { idOf, type ReplicaShape, shapeOf } from './replica-rows.ts'
import type { SearchBeside } from './search-beside.ts'
import { dropIndexes, makeIndex, type SnapshotIndex, sizesOf } from './snapshot-indexes.ts'
import { gatherLines, linesIn, Mangled, parsedLine, rowsIn } from './snapshot-lines.ts'
import { gatherWords, type SnapshotWords } from './snapshot-words.ts'

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
  const indexes = await dropIndexes(database)
  return new LoadingReplica({ database, organizer: identity.organizer, beside, indexes })
}

interface LoadParts {
  readonly database: Database
  readonly organizer: number
  readonly beside: SearchBeside | null
  /** The indexes to be made again. */
  readonly indexes: readonly SnapshotIndex[]
}

class LoadingReplica implements SnapshotLoad {
  readonly #parts: LoadParts
  readonly #database: Database
  readonly #shapes = new Map<string, Loading>()
  readonly #words: SnapshotWords
  readonly #lines = gatherLines()
  #progress: LoadProgress = { rows: 0, total: 0, after: null, head: null, complete: false }
  #expectsHead = true

  constructor(parts: LoadParts) {
    this.#parts = parts
    this.#database = parts.database
    this.#words = gatherWords(parts.organizer)
  }

  async feed(chunk: Uint8Array): Promise<LoadProgress> {
    const whole = this.#lines.add(chunk)
    if (whole === null) return this.#progress
    if (!isUtf8(whole)) throw new Mangled('The snapshot is not text.')
    const before = this.#progress
    try {
      await this.#database.transaction(async (tx) => {
        // Begun again, it takes up where it was.
        this.#progress = before
        this.#words.forget()
        for (const line of linesIn(whole)) {
          if (this.#expectsHead) this.#readHead(line)
          else await this.#readFrame(tx, line)
        }
      })
    } catch (cause) {
      this.#progress = before
      throw cause
    }
    const texts = this.#words.settle()
    if (texts.length > 0) await this.#parts.beside?.add(texts)
    return this.#progress
  }

  async restart(): Promise<void> {
    this.#lines.restart()
    this.#expectsHead = true
  }

  async finish(report: (part: number) => void): Promise<void> {
    // What is sorted for an index of very many rows is not to fill the memory.
    await this.#database.script('PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE;')
    await this.#makeIndexesAndSearch(report)
    report(1)
    await this.#database.script(
      'PRAGMA temp_store = MEMORY; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA foreign_keys = ON;',
    )
  }

  async countDangling(): Promise<number> {
    return (await this.#database.all(sql`PRAGMA foreign_key_check`)).length
  }

  async close(): Promise<void> {}

  #readHead(line: Buffer): void {
    const { organizer } = this.#parts
    const head = parsedLine(line) as SnapshotHead
    if (typeof head.cursor !== 'string' || typeof head.columns !== 'object' || head.columns === null)
      throw new Mangled('The snapshot does not begin as one.')
    const first = this.#progress.head ?? head
    if (first.epoch !== head.epoch) throw new Error('The upstream server has begun anew meanwhile.')
    this.#shapes.clear()
    for (const [name, columns] of Object.entries(head.columns)) {
      const shape = shapeOf(name, columns, organizer)
      if (shape) this.#shapes.set(name, { shape, put: putterOf(shape) })
    }
    this.#expectsHead = false
    this.#progress = { ...this.#progress, head: first, total: head.total, rows: head.before }
  }

  async #readFrame(tx: Queryable, line: Buffer): Promise<void> {
    const frame = parsedLine(line) as SnapshotFrame | SnapshotEnd
    if ('end' in frame) {
      this.#progress = { ...this.#progress, complete: true }
      return
    }
    if (hash('sha256', rowsIn(line) ?? JSON.stringify(frame.rows)) !== frame.sha256)
      throw new Mangled('Rows of the snapshot were changed on their way.')
    const loading = this.#shapes.get(frame.resource)
    if (loading) {
      await loading.put(tx, frame.rows)
      if (this.#parts.beside) await this.#words.take(tx, loading.shape, frame.rows)
    }
    this.#advance(frame, loading)
  }

  #advance({ resource, rows }: SnapshotFrame, loading: Loading | undefined): void {
    const last = rows.at(-1)
    const columns = this.#progress.head?.columns[resource]
    if (!last || !columns) return
    const id = loading ? idOf(loading.shape, last) : last[columns.indexOf('id')]
    const count = this.#progress.rows + rows.length
    this.#progress = { ...this.#progress, rows: count, after: `${resource}:${id}` }
  }

  async #makeIndexesAndSearch(report: (part: number) => void): Promise<void> {
    const { organizer, beside, indexes } = this.#parts
    const database = this.#database
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
      await makeIndex(database, index)
      advance(sizes.get(index.table) ?? 0)
    }
    if (beside) await this.#takeSearch(beside)
    else
      await fillingSearch(database, () =>
        indexNewPositions(database, organizer, (count) => advance(searchEffort * count)),
      )
  }

  /** Has what was made findable beside taken over, and adds what could not be. */
  async #takeSearch(made: SearchBeside): Promise<void> {
    await made.finish()
    const place = { organizer: this.#parts.organizer, event: 0 }
    for (const some of this.#words.late())
      await this.#database.transaction((tx) => indexTickets(tx, place, some))
  }
}

interface Loading {
  readonly shape: ReplicaShape
  readonly put: PutRows
}

/** Making a ticket findable takes as long as so many entries of indexes. */
const searchEffort = 20
