import sql, { raw } from 'sql-template-tag'
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

/** Refusals of servers that do not tell: their functions are missing, or not for everybody. */
const untold = new Set(['42501', '42883', '0A000'])

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

async function placeOf(connection: Queryable): Promise<string | null> {
  try {
    const row = await connection.get<{ place: string }>(sql`SELECT ${place} AS place`)
    return row?.place ?? null
  } catch (cause) {
    if (untold.has(String(codeOf(cause)))) return null
    throw cause
  }
}

const lastPlace = async (connection: Queryable, lock: 'FOR UPDATE' | ''): Promise<string | null> => {
  const row = await connection.get<{ written_on: string | null }>(
    sql`SELECT written_on FROM node WHERE id = 1 ${raw(lock)}`,
  )
  return row?.written_on ?? null
}

/** Notes where the data are; where they were elsewhere before, they are marked as brought back. */
async function follow(connection: Queryable, now: string, chance: Chance): Promise<boolean> {
  await connection.run(raw('BEGIN'))
  try {
    const before = await lastPlace(connection, 'FOR UPDATE')
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
 * good as none.
 */
export const followServer =
  (chance: Chance, noticed: () => void) =>
  async (connection: Queryable): Promise<void> => {
    const now = await placeOf(connection)
    if (now === null) return
    if (now.endsWith('/')) throw new StorageError('lost', new Error('The database takes no writes yet.'))
    if ((await lastPlace(connection, '')) === now) return
    if (await follow(connection, now, chance)) noticed()
  }
