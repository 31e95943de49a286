import sql, { raw } from 'sql-template-tag'
import { impossible } from '../../errors.ts'
import { TableFilling } from '../../storage/copy-tables.ts'
import type { Cells, Database, Queryable } from '../../storage/database.ts'
import type { CopiedTable } from '../../storage/table-order.ts'
import { indexNextPositions } from '../orders/order-search-text.ts'
import { requireTop } from './export-organizer.ts'
import { type InspectedFile, inspectFile } from './inspect-file.ts'
import { isHead, type MoveHead, type MovePortion, readMoveFile } from './move-file.ts'
import { movedTables, ofOrganizer } from './organizer-tables.ts'

/** What an import is made with. */
export interface ImportParts {
  readonly now: () => string
  /** Hears what is being done, and how many rows of how many are. */
  readonly progress: (what: 'Checking' | 'Importing' | 'Making findable', rows: number, all: number) => void
}

/** Something of a person who has no account here: it was left out. */
export interface LeftOut {
  readonly email: string
  /** Teams of which they are no members here. */
  readonly teams: readonly number[]
  /** How many scheduled exports of theirs there were. */
  readonly scheduled_exports: number
}

/** What was imported. */
export interface Imported {
  readonly organizer: { readonly slug: string; readonly name: string }
  readonly rows: number
  readonly not_found: readonly LeftOut[]
}

/**
 * Reserves the numbers that the organizer uses already, so that this server gives none of them to something new; the
 * first of some ids for what gets new ones. Done for itself: others are not to wait for the rest.
 */
const reserveNumbers = (
  database: Database,
  { next_id: ids, next_site: sites }: MoveHead,
  fresh: number,
): Promise<number> =>
  database.transaction(async (tx) => {
    const row = await tx.get<{ next_id: number }>(
      sql`UPDATE node SET next_id = CASE WHEN next_id < ${ids} THEN ${ids} ELSE next_id END + ${fresh},
            ids_from = CASE WHEN ids_from < ${ids} THEN ${ids} ELSE ids_from END,
            next_site = CASE WHEN next_site < ${sites} AND ${sites} < site_end THEN ${sites} ELSE next_site END
          WHERE id = 1 RETURNING next_id`,
    )
    if (!row) throw new Error('The database has lost its node row.')
    return row.next_id - fresh
  })

/** Finds the accounts of people here, by their addresses. */
async function peopleHere(db: Queryable, users: MoveHead['users']) {
  const here = new Map<number, number>()
  const emails = new Map(users)
  for (const [id, email] of users) {
    const row = await db.get<{ id: number }>(
      sql`SELECT id FROM app_user WHERE email_key = ${email.toLowerCase()}`,
    )
    if (row && email !== '') here.set(id, row.id)
  }
  return { here, emails }
}

/** The tables whose rows name a person, and where. */
const personIn: Readonly<Record<string, string>> = { team_member: 'user', scheduled_export: 'owner' }

/** Puts the rows of a file into a database. */
class Import {
  readonly #tx: Queryable
  readonly #tables: ReadonlyMap<string, CopiedTable>
  readonly #people: Awaited<ReturnType<typeof peopleHere>>
  readonly #leftOut = new Map<string, { teams: number[]; scheduled_exports: number }>()
  #nextId: number
  #filling: { readonly name: string; readonly rows: TableFilling } | undefined

  constructor(
    tx: Queryable,
    tables: readonly CopiedTable[],
    given: { readonly people: Awaited<ReturnType<typeof peopleHere>>; readonly nextId: number },
  ) {
    this.#tx = tx
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#people = given.people
    this.#nextId = given.nextId
  }

  get leftOut(): readonly LeftOut[] {
    return [...this.#leftOut].map(([email, of]) => ({ email, ...of }))
  }

  async put({ table: name, columns, rows }: MovePortion): Promise<void> {
    const table = this.#tables.get(name)
    if (!table) throw impossible(`The file has rows of a table "${name}" that is not moved.`)
    if (this.#filling?.name !== name) {
      await this.finish()
      this.#filling = { name, rows: new TableFilling(this.#tx, table) }
    }
    const named = rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
    )
    const fitting = named.flatMap((row) => this.#fitted(name, row))
    if (fitting.length > 0) await this.#filling.rows.add(fitting)
  }

  async finish(): Promise<void> {
    await this.#filling?.rows.finish()
    this.#filling = undefined
  }

  /** A row with what is otherwise here; none where its person is missing. */
  #fitted(table: string, row: Cells): Cells[] {
    if (table === 'mail') {
      this.#nextId += 1
      return [{ ...row, id: this.#nextId - 1 }]
    }
    const column = personIn[table]
    if (column === undefined) return [row]
    const id = Number(row[column])
    const user = this.#people.here.get(id)
    if (user !== undefined) return [{ ...row, [column]: user }]
    const email = this.#people.emails.get(id) ?? ''
    const of = this.#leftOut.get(email) ?? { teams: [], scheduled_exports: 0 }
    if (table === 'team_member') of.teams.push(Number(row.team))
    else of.scheduled_exports += 1
    this.#leftOut.set(email, of)
    return []
  }
}

/** Removes what stayed behind when the organizer went away from here. */
async function removeFormer(tx: Queryable, tables: readonly CopiedTable[], id: number): Promise<void> {
  await tx.run(
    tx.engine === 'sqlite'
      ? sql`DELETE FROM position_search WHERE rowid IN (SELECT id FROM order_position WHERE organizer = ${id})`
      : sql`DELETE FROM position_search WHERE organizer = ${id}`,
  )
  await tx.run(sql`DELETE FROM export_run WHERE organizer = ${id}`)
  for (const table of tables.toReversed())
    await tx.run(sql`DELETE FROM ${raw(`"${table.name}"`)} WHERE ${ofOrganizer(table, id)}`)
}

/** Notes where the organizer came from: its history, and who people were there. */
async function noteArrival(tx: Queryable, { organizer, epoch, starts, users }: MoveHead, now: string) {
  const { id } = organizer
  await tx.run(
    sql`INSERT INTO organizer_move (id, epoch, arrived) VALUES (${id}, ${epoch}, ${now})
        ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, arrived = excluded.arrived, moved_to = NULL, moved = NULL`,
  )
  for (const [name, ended] of starts)
    await tx.run(
      sql`INSERT INTO former_start (organizer, name, ended) VALUES (${id}, ${name}, ${ended})
          ON CONFLICT (organizer, name) DO UPDATE SET ended = excluded.ended`,
    )
  for (const [user, email] of users)
    await tx.run(
      sql`INSERT INTO former_user (organizer, "user", "until", email) VALUES (${id}, ${user}, ${now}, ${email})`,
    )
}

async function makeFindable(tx: Queryable, id: number, report: (count: number) => void): Promise<void> {
  for (let last: number | null = 0; last !== null; ) last = await indexNextPositions(tx, id, last, report)
}

/** Puts a file that was inspected into the database, in one transaction: all of it is there, or nothing. */
async function importInspected(
  database: Database,
  path: string,
  { head, counts, isBack }: InspectedFile,
  { now, progress }: ImportParts,
): Promise<readonly LeftOut[]> {
  const tables = await movedTables(database)
  const nextId = await reserveNumbers(database, head, counts.mail ?? 0)
  return database.transaction(async (tx) => {
    if (isBack) await removeFormer(tx, tables, head.organizer.id)
    const rows = new Import(tx, tables, { people: await peopleHere(tx, head.users), nextId })
    let done = 0
    for await (const line of readMoveFile(path)) {
      if (isHead(line)) {
        if (JSON.stringify(line) !== JSON.stringify(head)) throw impossible(`${path} was changed meanwhile.`)
        continue
      }
      await rows.put(line)
      done += line.rows.length
      progress('Importing', done, head.rows)
    }
    await rows.finish()
    let found = 0
    const tickets = counts.order_position ?? 0
    await makeFindable(tx, head.organizer.id, (count) => {
      found += count
      if (count > 0) progress('Making findable', found, tickets)
    })
    await noteArrival(tx, head, now())
    return rows.leftOut
  })
}

/** Puts an organizer that was exported elsewhere into a central server's database. */
export async function importOrganizer(
  database: Database,
  path: string,
  parts: ImportParts,
): Promise<Imported> {
  await requireTop(database)
  const file = await inspectFile(database, path, (rows, all) => parts.progress('Checking', rows, all))
  const notFound = await importInspected(database, path, file, parts)
  const { slug, name } = file.head.organizer
  return { organizer: { slug, name }, rows: file.head.rows, not_found: notFound }
}
