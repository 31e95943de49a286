import sql from 'sql-template-tag'
import { mebibyte } from '../../../schema/body-limits.ts'
import { type Changes, protocol, type RowsOf } from '../../../schema/sync.ts'
import { doneShreddings } from '../../services/operations/shredded-facts.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { closePage, type FeedPageParts, type Gathered, gatherClosure, parentsFirst } from './closure.ts'
import { type RowShape, shapesOf } from './columns.ts'
import { type Cursor, type FeedAt, writeCursor } from './cursor.ts'
import { checkCursor, type Heads, headAt, headsOf, startOf } from './heads.ts'
import { Portions } from './portions.ts'
import { replicated } from './replicated.ts'
import { rowsAfter, rowsById } from './rows.ts'
import { startFor } from './starts.ts'
import type { View } from './view.ts'

interface Entry {
  readonly resource: string
  readonly row_id: number
  readonly seq: number
  readonly op: string
}

/** Where a page of changes begins, and about how many rows it has where these are small. */
interface ChangesAsked {
  readonly epoch: string
  readonly cursor: Cursor
  readonly limit: number
}

/** What a page is read from. */
interface PageBasis extends Omit<ChangesAsked, 'epoch'> {
  readonly db: Queryable
  readonly view: View
  readonly heads: Heads
}

const attempts = 5

/** A page ends behind the row with which it is larger than this. */
const pageSize = 4 * mebibyte
const rowsPerStatement = 500

const ranks: ReadonlyMap<string, number> = new Map(replicated.map(({ name }, index) => [name, index]))

/**
 * The changes of a device's feeds behind a cursor: about `limit` rows of them, fewer where these are large, and what
 * they point at where the device may not have it. Deletions come with the last page, when nothing that is still to come can point at what goes. 410
 * when the cursor cannot be followed.
 *
 * A page is read by several statements without a transaction, so that no scan waits for it. Each feed is numbered in
 * the order of its commits, and the organizer's, to which the others point, is read first; what else can change between
 * the statements shows as a row that points at a deleted one, and then the page is read again.
 */
export async function readChanges(
  db: Queryable,
  view: View,
  { epoch, cursor, limit }: ChangesAsked,
): Promise<Changes> {
  // Read first: all that a deletion has changed is then behind the heads that are read below.
  const shredded = (await doneShreddings(db, view.organizer)).filter(({ event }) => view.events.has(event))
  for (let attempt = 1; ; attempt += 1) {
    const heads = await headsOf(db, view.organizer)
    checkCursor(cursor, heads, view)
    const start = await startFor(db, view.organizer, cursor)
    const page = new Page({ db, view, cursor, heads, limit })
    if ((await page.read()) || attempt >= attempts) {
      const answer = page.answer(epoch, start)
      return answer.more || shredded.length === 0 ? answer : { ...answer, shredded }
    }
  }
}

/** Whether a page tells nothing that the cursor did not say already. */
export const isEmptyPage = (page: Changes, after: string): boolean => page.cursor === after

class Page {
  readonly #db: Queryable
  readonly #parts: FeedPageParts
  readonly #heads: Heads
  readonly #rows: Gathered = new Map()
  readonly #gone = new Map<string, Set<number>>()
  readonly #events: Map<number, FeedAt>
  readonly #lost: readonly number[]
  #organizer: FeedAt
  readonly #portions = new Portions(rowsPerStatement)
  #left: number
  #more = false

  constructor({ db, view, cursor, heads, limit }: PageBasis) {
    const shapes = shapesOf(view)
    const starts = [...view.events.keys()].map((id) => [id, startOf(cursor, heads, view, id)] as const)
    this.#db = db
    this.#heads = heads
    this.#left = limit
    this.#organizer = cursor.organizer
    this.#events = new Map(starts)
    this.#lost = [...cursor.events.keys()].filter((id) => !view.events.has(id))
    this.#parts = {
      view,
      shapes: new Map(shapes.map((shape) => [shape.resource.name, shape])),
      ranks,
      cursor: { ...cursor, events: new Map(starts) },
    }
  }

  get #isFull(): boolean {
    return this.#left <= 0 || this.#portions.bytes > pageSize
  }

  /** Reads everything; whether it fits together. */
  async read(): Promise<boolean> {
    const { cursor } = this.#parts
    this.#organizer = await this.#follow(0, cursor.organizer)
    // What happens goes before what is only new to the node.
    const inTurn = [...cursor.events].sort(
      ([, a], [, b]) => Number(a.loading !== null) - Number(b.loading !== null),
    )
    for (const [id, at] of inTurn) {
      if (this.#isFull && (at.loading || headAt(this.#heads, id).seq > at.seq)) this.#more = true
      else this.#events.set(id, at.loading ? await this.#load(id, at) : await this.#follow(id, at))
    }
    if (!this.#more) {
      this.#organizer = await this.#tellGone(0, this.#organizer)
      for (const [id, at] of this.#events) this.#events.set(id, await this.#tellGone(id, at))
    }
    return closePage(this.#db, this.#parts, this.#rows)
  }

  /** Takes what has changed in a feed; how far it has come then. */
  async #follow(event: number, at: FeedAt): Promise<FeedAt> {
    const { seq: head } = headAt(this.#heads, event)
    if (head <= at.seq || this.#isFull) {
      if (head > at.seq) this.#more = true
      return at
    }
    const found = await this.#db.all<Entry>(
      sql`SELECT resource, row_id, seq, op FROM change
          WHERE organizer = ${this.#parts.view.organizer} AND event = ${event} AND seq > ${at.seq} ORDER BY seq LIMIT ${this.#left + 1}`,
    )
    const most = Math.min(found.length, this.#left)
    let taken = 0
    while (taken < most && !this.#isFull) {
      const portion = this.#portionOf(found.slice(taken, most))
      await this.#put(portion)
      taken += portion.length
      this.#left -= portion.length
    }
    if (found.length > taken) this.#more = true
    const last = found[taken - 1]?.seq ?? at.seq
    return { ...at, seq: found.length > taken ? last : Math.max(head, last) }
  }

  /** The first of some entries, as many as are read at a time. */
  #portionOf(entries: readonly Entry[]): readonly Entry[] {
    const end = entries.findIndex(({ resource }, index) => index >= this.#portions.next(resource))
    return end < 0 ? entries : entries.slice(0, end)
  }

  /** Takes the rows that some entries are about. */
  async #put(entries: readonly Entry[]): Promise<void> {
    const ids = new Map<string, number[]>()
    for (const { resource, row_id, op } of entries)
      if (op === 'put') ids.set(resource, [...(ids.get(resource) ?? []), row_id])
    for (const [resource, wanted] of ids) {
      const shape = this.#parts.shapes.get(resource)
      if (!shape) continue
      const rows = await rowsById(this.#db, this.#parts.view, shape, wanted)
      gatherClosure(this.#rows, shape, rows)
      this.#portions.add(resource, rows)
    }
  }

  /** Takes more of all rows of an event that the node has nothing of; how far it has come then. */
  async #load(event: number, at: FeedAt): Promise<FeedAt> {
    const { shapes, ranks, view } = this.#parts
    const eventShape = shapes.get('event')
    if (eventShape) gatherClosure(this.#rows, eventShape, await rowsById(this.#db, view, eventShape, [event]))
    let reached = at.loading
    for (const [name, shape] of shapes) {
      const start = ranks.get(reached?.resource ?? '') ?? 0
      const rank = ranks.get(name) ?? 0
      if (shape.resource.scope !== 'event' || rank < start) continue
      let after: number | null = rank === start ? (reached?.id ?? 0) : 0
      while (after !== null) {
        if (this.#isFull) {
          this.#more = true
          return { ...at, loading: reached }
        }
        const limit = Math.min(this.#left, this.#portions.next(name))
        const part = await rowsAfter(this.#db, view, shape, { after, limit, event })
        gatherClosure(this.#rows, shape, part.rows)
        this.#portions.add(name, part.rows)
        this.#left -= part.rows.length
        after = part.last
        reached = { resource: name, id: after ?? Number.MAX_SAFE_INTEGER }
      }
    }
    return { ...at, loading: null }
  }

  /** Takes what was deleted in a feed up to where the page comes. */
  async #tellGone(event: number, at: FeedAt): Promise<FeedAt> {
    if (at.gone >= at.seq) return at
    const found = await this.#db.all<Entry>(
      sql`SELECT resource, row_id, seq, op FROM change
          WHERE organizer = ${this.#parts.view.organizer} AND event = ${event} AND op = 'delete' AND seq > ${at.gone} AND seq <= ${at.seq} ORDER BY seq`,
    )
    for (const { resource, row_id } of found) {
      // Events that go are sent as lost, with everything they hold.
      if (!this.#parts.shapes.has(resource) || resource === 'event') continue
      this.#gone.set(resource, (this.#gone.get(resource) ?? new Set()).add(row_id))
    }
    return { ...at, gone: at.seq }
  }

  answer(epoch: string, start: string | undefined): Changes {
    const { view, shapes } = this.#parts
    const rows: Record<string, RowsOf> = {}
    for (const [name, shape] of shapes) {
      const found = this.#rows.get(name)
      if (found && found.size > 0) rows[name] = rowsIn(shape, view, parentsFirst(shape, found))
    }
    const gone = [...shapes.keys()].reverse().flatMap((name) => {
      const ids = this.#gone.get(name)
      return ids ? [[name, [...ids]] as const] : []
    })
    return {
      protocol,
      epoch,
      cursor: writeCursor({ view: view.tag, start, organizer: this.#organizer, events: this.#events }),
      more: this.#more,
      rows,
      gone: Object.fromEntries(gone),
      lost: this.#lost,
    }
  }
}

const rowsIn = (shape: RowShape, view: View, rows: readonly Cells[]): RowsOf => ({
  columns: shape.columns,
  rows: rows.map((row) => shape.cellsOf(row, view)),
})
