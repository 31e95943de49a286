import sql, { join, type Sql } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** How far an export is. */
type ExportState = 'waiting' | 'running' | 'finished' | 'failed'

/** An export that was asked for, as it is stored. */
export interface ExportRow {
  readonly organizer: number
  readonly id: string
  /** The name of its file in the folder of exports. */
  readonly file: string
  /** 0 where it is about the organizer. */
  readonly event: number
  readonly exporter: string
  /** What is to be done, as JSON. */
  readonly task: string
  readonly credential: string
  readonly state: ExportState
  readonly percentage: number | null
  readonly message: string | null
  readonly file_name: string | null
  readonly media_type: string | null
  readonly attempts: number
  readonly expires: string
  /** The id of the scheduled export that it is made for. */
  readonly schedule: number | null
  /** 1 where it failed because there was nothing to export. */
  readonly is_empty: number
}

/** Who an export belongs to: nobody else gets it. */
export const exportCredential = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): string => `${kind} ${id}`

const hour = 3600 * 1_000_000

/** How long what came of an export can be had that is mailed, which may not be possible at once; microseconds. */
const keptForMails = 7 * 24 * hour

/** So many exports of one credential run at the same time. */
const atOncePerCredential = 2

/** So often an export is begun before it is given up: something in it may stop the server. */
const mostAttempts = 3

/** A server that has not been heard of for so long has stopped; microseconds. */
const silence = 60_000_000

const before = (now: string, microseconds: number): string => instantAt(microsecondsOf(now) - microseconds)

/** Notes that an export is wished for. */
export async function addExport(
  tx: Tx,
  run: Pick<ExportRow, 'organizer' | 'id' | 'file' | 'event' | 'exporter' | 'task' | 'credential'> &
    Partial<Pick<ExportRow, 'schedule'>> & { readonly hours?: number },
): Promise<void> {
  const { schedule = null, hours = 24 } = run
  const expires = instantAt(microsecondsOf(tx.now) + (schedule === null ? hours * hour : keptForMails))
  await tx.run(
    sql`INSERT INTO export_run (organizer, id, file, event, exporter, task, credential, state, attempts, created, touched, expires, schedule)
        VALUES (${run.organizer}, ${run.id}, ${run.file}, ${run.event}, ${run.exporter}, ${run.task}, ${run.credential},
          'waiting', 0, ${tx.now}, ${tx.now}, ${expires}, ${schedule})`,
  )
}

/** An export by the two names in its address, until its time is over. */
export const exportById = (
  db: Queryable,
  { organizer, id, file }: Pick<ExportRow, 'organizer' | 'id' | 'file'>,
  now: string,
): Promise<ExportRow | undefined> =>
  db.get<ExportRow>(
    sql`SELECT * FROM export_run WHERE organizer = ${organizer} AND id = ${id} AND file = ${file} AND expires > ${now}`,
  )

/**
 * Takes the oldest export that may begin, of the organizer that has fewest at the moment, for `holder` to carry out: the
 * others of its credential leave room, and no other server has it. Undefined where there is none.
 */
export async function takeExport(tx: Tx, holder: string): Promise<ExportRow | undefined> {
  // One server after the other, so that none counts what another one is about to take.
  await tx.get(sql`SELECT id FROM node WHERE id = 1${tx.forUpdate}`)
  const found = await tx.get<ExportRow>(
    sql`SELECT * FROM export_run e WHERE e.state = 'waiting' AND e.expires > ${tx.now}
          AND (SELECT count(*) FROM export_run r WHERE r.organizer = e.organizer AND r.credential = e.credential
            AND r.state = 'running') < ${atOncePerCredential}
        ORDER BY (SELECT count(*) FROM export_run o WHERE o.organizer = e.organizer AND o.state = 'running'),
          e.created, e.id LIMIT 1`,
  )
  if (!found) return undefined
  await tx.run(
    sql`UPDATE export_run SET state = 'running', percentage = 0, holder = ${holder}, attempts = attempts + 1,
          touched = ${tx.now} WHERE organizer = ${found.organizer} AND id = ${found.id}`,
  )
  return found
}

const own = (run: Pick<ExportRow, 'organizer' | 'id'>, holder: string): Sql =>
  sql`organizer = ${run.organizer} AND id = ${run.id} AND state = 'running' AND holder = ${holder}`

/** Notes how far an export is, and that whoever carries it out is there. */
export const touchExport = (
  db: Queryable,
  run: Pick<ExportRow, 'organizer' | 'id'>,
  { holder, percentage, now }: { readonly holder: string; readonly percentage: number; readonly now: string },
): Promise<number> =>
  db.run(sql`UPDATE export_run SET percentage = ${percentage}, touched = ${now} WHERE ${own(run, holder)}`)

/** Notes that the file of an export is there. */
export const finishExport = (
  db: Queryable,
  run: Pick<ExportRow, 'organizer' | 'id'>,
  holder: string,
  { name, type }: { readonly name: string; readonly type: string },
): Promise<number> =>
  db.run(
    sql`UPDATE export_run SET state = 'finished', percentage = 100, file_name = ${name}, media_type = ${type}, holder = NULL
        WHERE ${own(run, holder)}`,
  )

/** Notes that an export failed for good, in words for whoever asked for it. */
export const failExport = (
  db: Queryable,
  run: Pick<ExportRow, 'organizer' | 'id'>,
  holder: string,
  { message, isEmpty = false }: { readonly message: string; readonly isEmpty?: boolean },
): Promise<number> =>
  db.run(
    sql`UPDATE export_run SET state = 'failed', message = ${message}, is_empty = ${isEmpty ? 1 : 0}, holder = NULL
        WHERE ${own(run, holder)}`,
  )

/** Gives an export back that is broken off because its server stops in order: another try, not held against it. */
export const returnExport = (
  db: Queryable,
  run: Pick<ExportRow, 'organizer' | 'id'>,
  holder: string,
): Promise<number> =>
  db.run(
    sql`UPDATE export_run SET state = 'waiting', percentage = NULL, holder = NULL, attempts = attempts - 1
        WHERE ${own(run, holder)}`,
  )

/**
 * Has exports begin anew whose server has stopped without a word, or fail where that happened too often.
 * `isOnlyServer`: there is no other server than `holder`, so that whatever others began has stopped.
 */
export async function reviveExports(
  db: Queryable,
  now: string,
  holder: string,
  isOnlyServer: boolean,
): Promise<number> {
  const lost = isOnlyServer
    ? sql`state = 'running' AND holder <> ${holder}`
    : sql`state = 'running' AND holder <> ${holder} AND touched < ${before(now, silence)}`
  await db.run(
    sql`UPDATE export_run SET state = 'failed', holder = NULL,
          message = 'The server was stopped each time while it worked on this export. Please start it again, or export less.'
        WHERE ${lost} AND attempts >= ${mostAttempts}`,
  )
  return db.run(sql`UPDATE export_run SET state = 'waiting', percentage = NULL, holder = NULL WHERE ${lost}`)
}

/** Forgets exports whose time is over; the names of their files. */
export async function forgetExports(tx: Tx): Promise<string[]> {
  const old = await tx.all<{ organizer: number; id: string; file: string }>(
    sql`SELECT organizer, id, file FROM export_run WHERE expires <= ${tx.now} AND state <> 'running' LIMIT 500`,
  )
  for (const { organizer, id } of old)
    await tx.run(sql`DELETE FROM export_run WHERE organizer = ${organizer} AND id = ${id}`)
  return old.map(({ file }) => file)
}

/** Which of some files belong to an export. */
export async function knownFiles(db: Queryable, files: readonly string[]): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set()
  const rows = await db.all<{ file: string }>(
    sql`SELECT file FROM export_run WHERE file IN (${join([...files])})`,
  )
  return new Set(rows.map(({ file }) => file))
}

/** The exports made for scheduled ones that have ended and of which nothing was mailed yet, the oldest first. */
export const endedScheduledRuns = (db: Queryable): Promise<ExportRow[]> =>
  db.all<ExportRow>(
    sql`SELECT * FROM export_run WHERE schedule IS NOT NULL AND mailed = 0 AND state IN ('finished', 'failed')
        ORDER BY created, id LIMIT 100`,
  )

/** Whether an export is still being made for a scheduled one. */
export const isRunUnderWay = async (tx: Tx, organizer: number, schedule: number): Promise<boolean> =>
  (await tx.get(
    sql`SELECT id FROM export_run
        WHERE organizer = ${organizer} AND schedule = ${schedule} AND mailed = 0 LIMIT 1`,
  )) !== undefined

/** Notes that what came of an export for a scheduled one is mailed now; false where somebody else has done that. */
export const noteMailedRun = async (tx: Tx, { organizer, id }: ExportRow): Promise<boolean> =>
  (await tx.run(
    sql`UPDATE export_run SET mailed = 1 WHERE organizer = ${organizer} AND id = ${id} AND mailed = 0`,
  )) === 1

/** The export whose file goes with a mail. */
export const exportOfMail = (db: Queryable, organizer: number, id: string): Promise<ExportRow | undefined> =>
  db.get<ExportRow>(sql`SELECT * FROM export_run WHERE organizer = ${organizer} AND id = ${id}`)
