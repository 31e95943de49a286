import sql from 'sql-template-tag'
import { event } from '../../../schema/resources/events/event.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Cursor, FeedAt } from './cursor.ts'
import { askedTag, gone, type View } from './view.ts'

/** The newest number of a feed, and up to where its deletions are forgotten. */
interface FeedHead {
  readonly seq: number
  readonly pruned: number
}

/** The heads of an organizer's feeds by event, 0 for its own. */
export type Heads = ReadonlyMap<number, FeedHead>

/** Reads the heads of all feeds of an organizer. */
export async function headsOf(db: Queryable, organizer: number): Promise<Heads> {
  const rows = await db.all<{ event: number; seq: number; pruned: number }>(
    sql`SELECT event, seq, pruned FROM feed WHERE organizer = ${organizer}`,
  )
  return new Map(rows.map(({ event, seq, pruned }) => [event, { seq, pruned }]))
}

const nothing: FeedHead = { seq: 0, pruned: 0 }

/** The head of one feed, also of one in which nothing has happened yet. */
export const headAt = (heads: Heads, event: number): FeedHead => heads.get(event) ?? nothing

/** A cursor at the heads: from where a node goes on that has everything up to here. */
export const cursorAt = (heads: Heads, view: View, start?: string): Cursor => ({
  view: view.tag,
  start,
  organizer: atHead(heads, 0),
  events: new Map(
    [...view.events.keys()].map((id) => [id, { ...atHead(heads, id), asked: askedTag(view, id) }]),
  ),
})

const atHead = (heads: Heads, event: number): FeedAt => {
  const { seq } = headAt(heads, event)
  return { seq, gone: seq, loading: null, asked: '' }
}

/** Refuses with 410 a cursor from where a node cannot go on. */
export function checkCursor(cursor: Cursor, heads: Heads, view: View): void {
  if (cursor.view !== view.tag)
    throw gone('profile', 'This device is given other data than before. It needs to be loaded anew.')
  for (const [id, at] of [[0, cursor.organizer] as const, ...cursor.events]) {
    if (id !== 0 && !view.events.has(id)) continue
    const head = headAt(heads, id)
    if (at.seq > head.seq)
      throw gone(
        'ahead',
        'The device knows more than this server does, which was restored from a backup or is another one.',
      )
    if (at.gone < head.pruned)
      throw gone(
        'pruned',
        'The device was away for so long that what was deleted meanwhile is forgotten here.',
      )
  }
}

/** The first resource of an event: where giving a node all of its rows begins. */
const beforeAll = { resource: event.name, id: Number.MAX_SAFE_INTEGER } as const

/**
 * Where a node is with an event: as it says, or at the beginning if it has nothing of it, or not the answers that are
 * asked for by now.
 */
export function startOf(cursor: Cursor, heads: Heads, view: View, id: number): FeedAt {
  const at = cursor.events.get(id)
  const asked = askedTag(view, id)
  if (at?.asked === asked) return at
  const { seq } = headAt(heads, id)
  return { seq, gone: at?.gone ?? seq, loading: beforeAll, asked }
}
