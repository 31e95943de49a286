import { link, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { refuseUnknown, StrangeDatabase } from './migrate.ts'

const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  )

/** What a file says it has been brought through. */
interface History {
  readonly migrations: readonly string[]
  /** The version of the program that did so last; null where it does not say. */
  readonly writtenBy: string | null
}

/** What a file has been brought through; undefined where it has tables and none of them is ours. */
function historyOf(file: string): History | undefined {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    const tables = database
      .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .pluck()
      .all()
    if (tables.length === 0) return { migrations: [], writtenBy: null }
    const columns = database
      .prepare<[], string>(`SELECT name FROM pragma_table_info('migration')`)
      .pluck()
      .all()
    if (columns.join() !== 'name') return undefined
    const migrations = database.prepare<[], string>('SELECT name FROM migration').pluck().all()
    // Whoever was ended in the middle of making it has left a table of migrations and nothing else.
    if (tables.length > 1 && !tables.includes('node')) return undefined
    const notes = database.prepare<[], string>(`SELECT name FROM pragma_table_info('node')`).pluck().all()
    const writtenBy = notes.includes('program')
      ? database.prepare<[], string | null>('SELECT program FROM node WHERE id = 1').pluck().get()
      : null
    return { migrations, writtenBy: writtenBy ?? null }
  } finally {
    database.close()
  }
}

/** Looks at a file without changing it, and throws where it is not a database of ours that this program can use. */
export async function checkFile(file: string): Promise<void> {
  const found = await stat(file)
  // What is no file at all is refused by the library, in words that are known.
  if (!found.isFile()) return
  if (found.size === 0)
    throw new StrangeDatabase(
      `${file} is empty, which no database is. Bring a backup back with "restore", or remove the file to begin anew.`,
    )
  const history = historyOf(file)
  if (history === undefined)
    throw new StrangeDatabase(`${file} is a database of another program. Choose another one.`)
  await refuseUnknown(history.migrations, history.writtenBy)
}

/**
 * Makes a file for a database where there is none. It appears with something in it or not at all, so that an empty one
 * can only be what is left of a damaged one.
 */
export async function makeFile(file: string): Promise<void> {
  if ((await sizeOf(file)) !== null) return
  const fresh = `${file}.${process.pid}.new`
  try {
    await rm(fresh, { force: true })
    const database = new Sqlite(fresh)
    database.pragma('user_version = 1')
    database.close()
    // Some file systems have no links; on all others nobody's file is replaced.
    await link(fresh, file).catch(async () => (await sizeOf(file)) ?? rename(fresh, file))
  } finally {
    await rm(fresh, { force: true })
  }
}

/** Locks a file for one program, for as long as that runs or until the function that is given is called. */
export function lockForServing(lock: string): () => void {
  const database = new Sqlite(lock, { timeout: 0 })
  try {
    // Unlike a note that somebody is there, it ends with the program, however that ends.
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if (!(cause instanceof Sqlite.SqliteError) || cause.code !== 'SQLITE_BUSY') throw cause
    throw new StrangeDatabase(
      `A server is running on ${dirname(lock)} already. Use that one, stop it first, or choose another folder with --data.`,
    )
  }
  return () => database.close()
}
