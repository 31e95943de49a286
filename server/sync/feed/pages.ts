import type { Changes } from '../../../schema/sync.ts'
import type { Queryable } from '../../storage/database.ts'
import { isEmptyPage, readChanges } from './changes.ts'
import { readCursor } from './cursor.ts'
import { headsOf } from './heads.ts'
import { gone, type View } from './view.ts'

/** What a device asks for. */
interface PageAsked {
  readonly after: string
  readonly limit: number
}

/** A page as it is sent. */
export interface PageSent {
  readonly text: string
  /** Whether it tells nothing new. */
  readonly isEmpty: boolean
  /** Whether there is more behind it. */
  readonly hasMore: boolean
}

/** Reads pages; many stations that follow the same feeds ask for the same one at the same time, which is read once. */
interface Pages {
  read(db: Queryable, view: View, epoch: string, asked: PageAsked): Promise<PageSent>
}

const remembered = 16

/** Pages of changes, the last few of which are remembered. */
export function createPages(): Pages {
  const recent = new Map<string, Promise<PageSent>>()
  return {
    async read(db, view, epoch, { after, limit }) {
      const cursor = readCursor(after)
      if (!cursor)
        throw gone('unreadable', 'The cursor is none of this server. The device needs to be loaded anew.')
      const make = async (): Promise<PageSent> =>
        sent(await readChanges(db, view, { epoch, cursor, limit }), after)
      // Hubs get the access of their own devices, each of others.
      if (view.sites.length > 0) return make()
      const heads = await headsOf(db, view.organizer)
      const seen = [0, ...view.events.keys()].map((event) => `${event}:${heads.get(event)?.seq ?? 0}`)
      const key = JSON.stringify([epoch, view.organizer, view.tag, after, limit, seen])
      const known = recent.get(key)
      if (known) return known
      const page = make()
      recent.set(key, page)
      const [oldest] = recent.keys()
      if (recent.size > remembered && oldest !== undefined) recent.delete(oldest)
      page.catch(() => recent.delete(key))
      return page
    },
  }
}

const sent = (page: Changes, after: string): PageSent => ({
  text: JSON.stringify(page),
  isEmpty: isEmptyPage(page, after),
  hasMore: page.more,
})
