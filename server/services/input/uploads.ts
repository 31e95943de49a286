import sql, { join, type Sql } from 'sql-template-tag'
import { mebibyte } from '../../../schema/body-limits.ts'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { isUploadedFile } from '../../domain/questions/answer-values.ts'
import { Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A file as it was uploaded. */
export interface UploadedFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** How long a file waits for being used: a day. */
const waiting = 86_400e6

/** A condition that nobody has used a file yet. */
const unused = sql`"position" IS NULL AND item IS NULL`

const since = (now: string): string => instantAt(microsecondsOf(now) - waiting)

/** What the text that names a file begins with. */
export const filePrefix = 'file:'

/** The number of the file that a text names. */
export const fileIdIn = (text: string): string => text.slice(filePrefix.length).toLowerCase()

/** The credential with which somebody uploads; files can only be used with the same one. */
export const uploaderOf = ({ kind, id }: Actor): string => `${kind} ${id}`

/** A new number for a file. */
export function newFileId(tx: Tx): string {
  const hex = Buffer.from(tx.randomBytes(16)).toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** How many files, and how many bytes of them, somebody may upload within a day: more than a busy entrance needs. */
const mostFiles = 2000
const mostBytes = 1024 * mebibyte

/** Throws 429 where somebody has uploaded as much within a day as they may, used or not; copies count as well. */
async function checkQuota(tx: Tx, uploader: string): Promise<void> {
  const uploaded = await tx.get<{ files: number; bytes: number; oldest: string | null }>(
    sql`SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes, min(created) AS oldest FROM uploaded_file
        WHERE uploader = ${uploader} AND created >= ${since(tx.now)}`,
  )
  if (!uploaded?.oldest || (uploaded.files < mostFiles && Number(uploaded.bytes) < mostBytes)) return
  const seconds = Math.ceil((microsecondsOf(uploaded.oldest) + waiting - microsecondsOf(tx.now)) / 1e6)
  throw new Refusal(
    429,
    {
      detail:
        'No more files can be uploaded with this credential today: go on without a picture, or ask the person in charge.',
    },
    { 'Retry-After': String(Math.max(1, seconds)) },
  )
}

/** Keeps an uploaded file for a day; the text by which fields name it. */
export async function storeUpload(
  tx: Tx,
  actor: Actor,
  { name, type, bytes }: UploadedFile,
): Promise<string> {
  await checkQuota(tx, uploaderOf(actor))
  const id = newFileId(tx)
  const content = Buffer.from(bytes).toString('base64')
  await tx.run(
    sql`INSERT INTO uploaded_file (organizer, id, upload, uploader, name, "type", content, created, bytes)
        VALUES (${actor.organizer ?? 0}, ${id}, ${id}, ${uploaderOf(actor)}, ${name}, ${type}, ${content}, ${tx.now},
          ${bytes.length})`,
  )
  return filePrefix + id
}

const filesIn = (answers: readonly { readonly answer: unknown }[]): string[] =>
  answers.flatMap(({ answer }) => (typeof answer === 'string' && isUploadedFile(answer) ? [answer] : []))

/** Whose files somebody may use: what they have uploaded, for the events of an organizer. */
interface UsesFiles {
  readonly organizer: number
  readonly uploader: string | undefined
}

/** Files wait with the organizer of the credential, or with none, as a person's do. */
const ofOrganizer = (organizer: number): Sql => sql`organizer IN (${organizer}, 0)`

/** A condition that a file is the one that a text names, and one that an uploader may use: once or more, for a day. */
export const mayUse = ({ organizer, uploader }: UsesFiles, named: string, now: string): Sql =>
  sql`${ofOrganizer(organizer)} AND upload = ${fileIdIn(named)} AND uploader = ${uploader ?? ''} AND uploader <> ''
      AND created >= ${since(now)}`

/**
 * Those of some answers that name a file which an uploader may still use, or that a position has already. A node below
 * another one does not have the files, and believes what is reported to it.
 */
export async function usableFiles(
  tx: Tx,
  { organizer, uploader = '' }: UsesFiles,
  answers: readonly { readonly answer: unknown }[],
  position = 0,
): Promise<ReadonlySet<string>> {
  const named = filesIn(answers)
  if (named.length === 0 || tx.site !== 0) return new Set(named)
  const found = await tx.all<{ upload: string; ready: number }>(
    sql`SELECT upload, sum(CASE WHEN "position" = ${position} OR (${unused}) THEN 1 ELSE 0 END) AS ready
        FROM uploaded_file WHERE ${ofOrganizer(organizer)} AND upload IN (${join(named.map(fileIdIn))})
          AND uploader = ${uploader} AND ("position" = ${position} OR created >= ${since(tx.now)})
        GROUP BY upload`,
  )
  if (found.some(({ ready }) => Number(ready) === 0)) await checkQuota(tx, uploader)
  const known = new Set(found.map(({ upload }) => upload))
  return new Set(named.filter((one) => known.has(fileIdIn(one))))
}

/** What a file belongs to. */
interface Holder {
  readonly organizer: number
  readonly position?: number
  readonly item?: number
}

/**
 * Gives a file that a condition finds to its holder, or a copy of it where it has one already; whether there was one.
 * Copies that nobody has counted yet are refused with 429 where the uploader has as many files as they may.
 */
export async function takeFile(
  tx: Tx,
  which: Sql,
  { organizer, position, item }: Holder,
  uploader?: string,
): Promise<boolean> {
  // What another transaction has taken meanwhile is looked at again by the outer condition alone.
  const taken = await tx.run(
    sql`UPDATE uploaded_file SET organizer = ${organizer}, "position" = ${position ?? null}, item = ${item ?? null}
        WHERE ${ofOrganizer(organizer)} AND ${unused}
          AND id = (SELECT id FROM uploaded_file WHERE ${which} AND ${unused} ORDER BY id LIMIT 1)`,
  )
  if (taken > 0) return true
  if (uploader !== undefined) await checkQuota(tx, uploader)
  const copied = await tx.run(
    sql`INSERT INTO uploaded_file
          (organizer, id, upload, uploader, name, "type", content, created, bytes, "position", item)
        SELECT CAST(${organizer} AS BIGINT), CAST(${newFileId(tx)} AS TEXT), upload, uploader, name, "type", content,
          created, bytes, CAST(${position ?? null} AS BIGINT), CAST(${item ?? null} AS BIGINT)
        FROM uploaded_file WHERE ${which} ORDER BY id LIMIT 1`,
  )
  return copied > 0
}

/** Files that are not used any longer wait for being used again, and go when their day is over. */
export const releaseFiles = (tx: Tx, which: Sql): Promise<number> =>
  tx.run(sql`UPDATE uploaded_file SET "position" = NULL, item = NULL WHERE ${which}`)

/** Answers given at the door of an organizer's event, where files that cannot be used are none. */
export async function withUsableFiles(
  tx: Tx,
  actor: Actor,
  given: Readonly<Record<string, unknown>>,
  { organizer, position }: { readonly organizer: number; readonly position: number },
): Promise<Readonly<Record<string, unknown>>> {
  const answers = Object.values(given).map((answer) => ({ answer }))
  const named = filesIn(answers)
  if (named.length === 0) return given
  const usable = await usableFiles(tx, { organizer, uploader: uploaderOf(actor) }, answers, position)
  const lost = new Set<unknown>(named.filter((one) => !usable.has(one)))
  return Object.fromEntries(
    Object.entries(given).map(([question, answer]) => [question, lost.has(answer) ? filePrefix : answer]),
  )
}

/** Keeps the files among the answers of a position for as long as they are its answers, and no others. */
export async function keepFiles(
  tx: Tx,
  { organizer, position }: { readonly organizer: number; readonly position: number },
  answers: readonly { readonly answer: unknown }[],
  before: readonly { readonly answer: unknown }[] = [],
): Promise<void> {
  const named = new Set(filesIn(answers))
  const gone = filesIn(before).filter((one) => !named.has(one))
  const here = sql`organizer = ${organizer} AND "position" = ${position}`
  for (const upload of [...named].map(fileIdIn)) {
    const kept = await tx.get(sql`SELECT id FROM uploaded_file WHERE ${here} AND upload = ${upload}`)
    const which = sql`${ofOrganizer(organizer)} AND upload = ${upload} AND created >= ${since(tx.now)}`
    if (!kept) await takeFile(tx, which, { organizer, position })
  }
  if (gone.length > 0) await releaseFiles(tx, sql`${here} AND upload IN (${join(gone.map(fileIdIn))})`)
}

/** The file that an answer names, or undefined where this server does not have it. */
export async function fileOf(
  db: Queryable,
  organizer: number,
  answer: string,
): Promise<UploadedFile | undefined> {
  if (!isUploadedFile(answer)) return undefined
  const found = await db.get<{ name: string; type: string; content: string }>(
    sql`SELECT name, "type" AS type, content FROM uploaded_file
        WHERE organizer = ${organizer} AND upload = ${fileIdIn(answer)} AND "position" IS NOT NULL
        ORDER BY id LIMIT 1`,
  )
  return found && { name: found.name, type: found.type, bytes: Buffer.from(found.content, 'base64') }
}

/** The types of the files that some answers name, as far as this server has them, by the answers. */
export async function fileTypesOf(
  db: Queryable,
  organizer: number,
  answers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (answers.length === 0) return new Map()
  const found = await db.all<{ upload: string; type: string }>(
    sql`SELECT DISTINCT upload, "type" AS type FROM uploaded_file
        WHERE organizer = ${organizer} AND upload IN (${join(answers.map(fileIdIn))}) AND "position" IS NOT NULL`,
  )
  const types = new Map(found.map(({ upload, type }) => [upload, type]))
  return new Map(
    answers.flatMap((answer): [string, string][] => {
      const type = types.get(fileIdIn(answer))
      return type === undefined ? [] : [[answer, type]]
    }),
  )
}

/** Deletes the files of positions that are deleted. */
export async function forgetFiles(tx: Tx, organizer: number, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await tx.run(
      sql`DELETE FROM uploaded_file WHERE organizer = ${organizer} AND "position" IN (${join([...positions])})`,
    )
}

/** Deletes files that nobody has used within a day; how many. */
export const removeOldUploads = ({ database }: Transactions, now: string): Promise<number> =>
  database.run(sql`DELETE FROM uploaded_file WHERE ${unused} AND created < ${since(now)}`)
