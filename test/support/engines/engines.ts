import type { Database } from '../../../server/storage/database.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { isFull } from '../mocha/amount.ts'
import { openBareEmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'
import { openBareServerPostgres, openServerPostgres } from './server-postgres.ts'
import { openBareFile, openFile, openMemory } from './sqlite-image.ts'

/** A kind of database that the server runs on. What is opened has nothing in it, and is gone once it is closed. */
export interface Engine {
  readonly name: string
  /** Opens a database with the schema in place, which takes no time: it is copied, or was used before and emptied. */
  open(): Promise<Database>
  /** Opens a database without the schema, for those who test how it is made. */
  openBare(): Promise<Database>
}

const server = process.env.GATEHOUSE_TEST_POSTGRES

/** The one that needs the least, for what has nothing to do with the kind of database. */
export const quickest: Engine = {
  name: 'SQLite in memory',
  open: openMemory,
  openBare: async () => openSqlite(':memory:'),
}

const inFile: Engine = { name: 'SQLite in a file', open: openFile, openBare: openBareFile }

const embedded: Engine = {
  name: 'PostgreSQL embedded',
  open: openEmbeddedPostgres,
  openBare: openBareEmbeddedPostgres,
}

const servers: readonly Engine[] = server
  ? [
      {
        name: 'PostgreSQL on a server',
        open: () => openServerPostgres(server),
        openBare: () => openBareServerPostgres(server),
      },
    ]
  : []

const isQuick = Boolean(process.env.GATEHOUSE_TEST_QUICK)

/** Every kind of database there is here: a PostgreSQL server only where GATEHOUSE_TEST_POSTGRES names one. */
export const everyEngine: readonly Engine[] = isQuick ? [quickest] : [quickest, inFile, embedded, ...servers]

const onAll = [quickest, inFile, ...(server ? servers : [embedded])]

const chosen = (usual: readonly Engine[]): readonly Engine[] => {
  if (isQuick) return [quickest]
  return isFull ? onAll : usual
}

/**
 * SQLite and PostgreSQL, for what could differ between them: PostgreSQL where there is a server, as in CI. The check before
 * a commit, which sets GATEHOUSE_TEST_QUICK, makes do with the quickest; what is the same on all is to be tested on that one
 * alone.
 */
export const engines: readonly Engine[] = chosen([inFile, ...servers])

/** The same, with PostgreSQL also where there is no server: for every resource, and for what asks it in words of its own. */
export const bothEngines: readonly Engine[] = chosen([inFile, embedded, ...servers])
