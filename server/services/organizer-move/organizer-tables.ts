import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../storage/database.ts'
import { migrate } from '../../storage/migrate.ts'
import { openSqlite } from '../../storage/sqlite.ts'
import { type CopiedTable, tablesInOrder } from '../../storage/table-order.ts'

const people = 'people belong to the server, and may work for several organizers'
const machine = 'it says what this server or machine is'

/** Tables whose rows stay where they are when an organizer is moved, and why. */
export const staying: Readonly<Record<string, string>> = {
  app_user: people,
  user_session: people,
  password_reset: people,
  recovery_code: people,
  sign_in_attempt: people,
  oauth_application: people,
  oauth_code: people,
  oauth_grant: people,
  oauth_token: people,
  node: machine,
  station: machine,
  upstream: machine,
  kiosk_fault: machine,
  rate_use: machine,
  lease_clock: machine,
  lease_ledger: machine,
  outbox: 'only a node below another one has facts to report, and none of those is moved',
  feed_start: 'the file says when the server started, in the form that former_start has',
  free_site: 'numbers that were given back are those of the server',
  organizer_move: 'it says where an organizer went from this server, and came from to it',
  export_run: 'what was made lies in files of this server, and is asked for again',
}

/** The organizer itself, whose id is what other tables call the organizer. */
export const organizerTable = 'organizer'

/** The rows of a table that belong to an organizer. */
export const ofOrganizer = ({ name }: CopiedTable, organizer: number): Sql =>
  name === organizerTable ? sql`id = ${organizer}` : sql`organizer = ${organizer}`

/** All tables, each behind those that its rows refer to, as they are read from the schema. */
export async function allTables(database: Database): Promise<readonly CopiedTable[]> {
  if (database.engine === 'sqlite') return tablesInOrder(database)
  // Both engines have their tables from the same migrations.
  const model = openSqlite(':memory:')
  try {
    await migrate(model)
    return await tablesInOrder(model)
  } finally {
    await model.close()
  }
}

/** The tables whose rows go with an organizer, each behind those that its rows refer to. */
export const movedTables = async (database: Database): Promise<readonly CopiedTable[]> =>
  (await allTables(database)).filter(({ name }) => !(name in staying))
