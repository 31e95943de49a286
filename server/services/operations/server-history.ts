import sql, { raw, type Sql } from 'sql-template-tag'
import { type Queryable, StorageError } from '../../storage/database.ts'
import { restoredMarks } from './restored-database.ts'

/** What a new epoch is drawn from. */
interface Chance {
  readonly uuid: () => string
  readonly randomBytes: (count: number) => Uint8Array
}

/** The server and its timeline, as PostgreSQL counts them: 8 hexadecimal digits begin the name of what it logs to. */
const place = sql`(SELECT system_identifier FROM pg_control_system()) || '/' ||
  CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END`

/** Servers that do not tell: these functions are missing there, or not for everybody. */
const keptSecret: ReadonlySet<unknown> = new Set(['42501', '42883', '0A000'])

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

/** Where a connection leads, and what stands with the data there. */
interface Found {
  /** Null where the server does not tell. */
  readonly place: string | null
  readonly written_on: string | null
  readonly moved_to: string | null
}

const found = (connection: Queryable, now: Sql): Promise<Found | undefined> =>
  connection.get<Found>(sql`SELECT ${now} AS place, written_on, moved_to FROM node WHERE id = 1`)

async function look(connection: Queryable): Promise<Found | undefined> {
  try {
    return await found(connection, place)
  } catch (cause) {
    if (keptSecret.has(codeOf(cause))) return found(connection, sql`NULL`)
    throw cause
  }
}

const lost = (why: string): StorageError => new StorageError('lost', new Error(why))

/** Notes where the data are; where they were elsewhere before, they are marked as brought back. */
async function follow(connection: Queryable, now: string, chance: Chance): Promise<boolean> {
  await connection.run(raw('BEGIN'))
  try {
    const row = await connection.get<Pick<Found, 'written_on'>>(
      sql`SELECT written_on FROM node WHERE id = 1 FOR UPDATE`,
    )
    const before = row?.written_on ?? null
    const isOther = before !== null && before !== now
    if (isOther) {
      const drawn = Buffer.from(chance.randomBytes(4)).readUInt32BE() / 2 ** 32
      for (const mark of restoredMarks({ epoch: chance.uuid(), chance: drawn })) await connection.run(mark)
    }
    await connection.run(sql`UPDATE node SET written_on = ${now} WHERE id = 1`)
    await connection.run(raw('COMMIT'))
    return isOther
  } catch (cause) {
    await connection.run(raw('ROLLBACK')).catch(() => undefined)
    throw cause
  }
}

/**
 * Looks at a new connection to PostgreSQL whether it leads to the server, and on the timeline, on which the data were
 * written last. Behind a recovery to a moment, or on a replica that took over, acknowledged rows may be missing: a new
 * epoch has all nodes below load anew and report again. `noticed` hears of it. A server that takes no writes yet is as
 * good as none, and so is one from which the data were moved away, also for a program that was not stopped before.
 */
export const followServer =
  (chance: Chance, noticed: () => void) =>
  async (connection: Queryable): Promise<void> => {
    const row = await look(connection)
    if (row?.moved_to) throw lost(`The data were moved to ${row.moved_to}.`)
    if (!row || row.place === null) return
    if (row.place.endsWith('/')) throw lost('The database takes no writes yet.')
    if (row.written_on !== row.place && (await follow(connection, row.place, chance))) noticed()
  }
