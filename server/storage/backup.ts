import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { copyFile, rename, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'

/** How many pages are copied before others have their turn. */
const pagesPerTurn = 500
/** So many pages are written before they are on the disk: all at once, they would keep every scan waiting for it. */
const unsettledPages = 1000

/**
 * Copies a SQLite file as it is at one moment, also while programs write to it; `progress` hears how much of it is
 * there, 0 to 1.
 */
export async function copyDatabase(
  from: string,
  to: string,
  progress: (part: number) => void = () => undefined,
): Promise<void> {
  await requireRoom(from, to)
  const database = new Sqlite(from, { readonly: true, fileMustExist: true })
  const settled = openSync(to, 'a', 0o600)
  let unsettled = 0
  try {
    database.pragma('busy_timeout = 5000')
    // Without a moment that stays, whatever is written meanwhile would make it begin anew, without end.
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    await database.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        progress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages)
        unsettled += pagesPerTurn
        if (unsettled >= unsettledPages) fdatasyncSync(settled)
        unsettled %= unsettledPages
        return pagesPerTurn
      },
    })
  } finally {
    database.close()
    closeSync(settled)
  }
  // A copy that others write to as well is one file only: its log is put into it.
  const copy = new Sqlite(to)
  try {
    copy.pragma('journal_mode = DELETE')
  } finally {
    copy.close()
  }
}

/** The disk of a server stays free enough for what it has to store. */
async function requireRoom(from: string, to: string): Promise<void> {
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(from), statfs(dirname(to))])
  if (bavail * bsize > size * 1.5) return
  throw Object.assign(new Error(`There is no room for a copy of ${size} bytes.`), { code: 'ENOSPC' })
}

/** What is wrong with a SQLite file in the database's own words, or null. */
export function damageOf(file: string): string | null {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    const found = database.pragma('integrity_check(1)', { simple: true })
    return found === 'ok' ? null : String(found)
  } finally {
    database.close()
  }
}

/** Whether another program has a SQLite file open for writing. */
export function isInUse(file: string): boolean {
  const database = new Sqlite(file, { timeout: 0 })
  try {
    // Only a program that is alone with the file can leave the mode of a log beside it.
    database.pragma('journal_mode = DELETE')
    database.pragma('journal_mode = WAL')
    return false
  } catch (cause) {
    if (cause instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(cause.code)) return true
    throw cause
  } finally {
    database.close()
  }
}

/** Puts a copy in the place of a SQLite file that no program uses; what was there keeps its data under another name. */
export async function putInPlaceOf(copy: string, file: string, aside: string): Promise<void> {
  await copyFile(copy, `${file}.restoring`)
  const isThere = await stat(file).then(
    () => true,
    () => false,
  )
  if (isThere) await rename(file, aside)
  await rename(`${file}.restoring`, file)
}

/** How far a SQLite file had come with the ids and sites that it gives out; undefined where it cannot say. */
export function givenOutIn(
  file: string,
): { readonly next_id: number; readonly next_site: number } | undefined {
  try {
    const database = new Sqlite(file, { readonly: true, fileMustExist: true })
    try {
      return database
        .prepare<[], { next_id: number; next_site: number }>('SELECT next_id, next_site FROM node')
        .get()
    } finally {
      database.close()
    }
  } catch {
    // A file that is damaged is why something is brought back.
    return undefined
  }
}
