import sql, { join } from 'sql-template-tag'
import { impossible } from '../../errors.ts'
import type { Cells, Database, Queryable } from '../../storage/database.ts'
import { newestMigration } from '../../storage/migrate.ts'
import { fileFormat, isHead, type MoveHead, type MovePortion, readMoveFile } from './move-file.ts'

/** What a whole file says, as far as it is kept in mind. */
export interface InspectedFile {
  readonly head: MoveHead
  /** The rows of each table. */
  readonly counts: Readonly<Record<string, number>>
  /** Whether the organizer was here before, went away and comes back. */
  readonly isBack: boolean
}

async function refuseOtherVersion(path: string, { format, version, migration }: MoveHead): Promise<void> {
  const own = await newestMigration()
  if (format > fileFormat || migration > own)
    throw impossible(
      `${path} was written by a newer Gatehouse (${version}), and this one does not know all that is in it. Update this program first.`,
    )
  if (migration !== own)
    throw impossible(
      `${path} was written by an older Gatehouse (${version}). Update the program there, start it once, and export again with the same command.`,
    )
}

/** Whether an organizer comes back to where it is noted as moved; throws where it, its name or its number is in use. */
async function comesBack(db: Queryable, { id, slug }: MoveHead['organizer']): Promise<boolean> {
  const rows = await db.all<{ id: number; slug: string; moved_to: string | null }>(
    sql`SELECT o.id, o.slug, v.moved_to FROM organizer o LEFT JOIN organizer_move v ON v.id = o.id
        WHERE o.id = ${id} OR o.slug = ${slug}`,
  )
  const [found, ...others] = rows
  if (!found) return false
  if (others.length === 0 && found.id === id && found.slug === slug) {
    if (found.moved_to !== null) return true
    throw impossible(
      `The organizer "${slug}" is here already, and served. Nothing is to be done; where this is not the server that it was to be moved to, look at --data and --database.`,
    )
  }
  const named = rows.find((row) => row.slug === slug)
  throw impossible(
    named
      ? `There is another organizer "${slug}" here. Import into a server of its own, or an empty one.`
      : `The organizer "${found.slug}" has the same number (${id}) here that "${slug}" has in the file, and stations know it by that. Import into a server of its own, or an empty one.`,
  )
}

const cellsIn = ({ columns, rows }: MovePortion, name: string): readonly Cells[string][] => {
  const at = columns.indexOf(name)
  return rows.map((row) => row[at] ?? null)
}

/** SQLite finds tickets by their numbers alone: two organizers in one file cannot have the same. */
async function refuseTakenTickets(database: Database, portion: MovePortion): Promise<void> {
  const ids = cellsIn(portion, 'id')
  const taken = await database.get(
    sql`SELECT rowid FROM position_search WHERE rowid IN (${join([...ids])}) LIMIT 1`,
  )
  if (taken)
    throw impossible(
      'Tickets of another organizer have the same numbers here, which SQLite cannot hold side by side. Import into a PostgreSQL, or into an empty folder.',
    )
}

/** Throws where the organizer went on here after what is in the file was written. */
async function refuseOlder(database: Database, id: number, reached: ReadonlyMap<number, number>) {
  const here = await database.all<{ event: number; seq: number }>(
    sql`SELECT event, seq FROM feed WHERE organizer = ${id}`,
  )
  // The note that it went away counts as one.
  if (here.some(({ event, seq }) => seq - (event === 0 ? 1 : 0) > (reached.get(event) ?? 0)))
    throw impossible(
      'The organizer was here after this file was written, and more has happened since. Export it again where it is served now.',
    )
}

/** Reads a whole file before anything is changed; throws where it is damaged, or cannot be imported here. */
export async function inspectFile(
  database: Database,
  path: string,
  progress: (rows: number, all: number) => void,
): Promise<InspectedFile> {
  let found: { head: MoveHead; isBack: boolean } | undefined
  const counts: Record<string, number> = {}
  const reached = new Map<number, number>()
  let done = 0
  for await (const line of readMoveFile(path)) {
    if (isHead(line)) {
      await refuseOtherVersion(path, line)
      found = { head: line, isBack: await comesBack(database, line.organizer) }
      continue
    }
    counts[line.table] = (counts[line.table] ?? 0) + line.rows.length
    if (line.table === 'feed') {
      const numbers = cellsIn(line, 'seq')
      for (const [index, event] of cellsIn(line, 'event').entries())
        reached.set(Number(event), Number(numbers[index]))
    }
    if (line.table === 'order_position' && database.engine === 'sqlite' && !found?.isBack)
      await refuseTakenTickets(database, line)
    done += line.rows.length
    progress(done, found?.head.rows ?? done)
  }
  if (!found) throw impossible(`${path} is empty.`)
  if (found.isBack) await refuseOlder(database, found.head.organizer.id, reached)
  return { ...found, counts }
}
