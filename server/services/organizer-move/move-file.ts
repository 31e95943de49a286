import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { impossible } from '../../errors.ts'
import type { Cells } from '../../storage/database.ts'

/** The form of the file; what reads it knows those up to its own. */
export const fileFormat = 1

/** The first line: whose data follow, and what the server knew of their history. */
export interface MoveHead {
  readonly gatehouse: 'organizer'
  readonly format: number
  /** The program that wrote it. */
  readonly version: string
  /** The newest migration of the database that it is from. */
  readonly migration: string
  readonly exported: string
  readonly organizer: { readonly id: number; readonly slug: string; readonly name: string }
  readonly epoch: string
  /** The first id and the first site that the server had not given out. */
  readonly next_id: number
  readonly next_site: number
  /** The starts of the server that cursors may be of, and where the feeds had come when each was over. */
  readonly starts: readonly (readonly [name: string, ended: string])[]
  /** Who an id of the server stands for: members of teams, and those whom the audit trail names. */
  readonly users: readonly (readonly [id: number, email: string])[]
  /** How many rows follow, to tell how far one is. */
  readonly rows: number
}

/** A line in between: some rows of a table. */
export interface MovePortion {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cells[string][])[]
}

/** The last line: how many rows each table has, and the SHA-256 of all lines before. */
interface MoveEnd {
  readonly end: Readonly<Record<string, number>>
  readonly sha256: string
}

/** A line, without the last one. */
export type MoveLine = MoveHead | MovePortion

export const isHead = (line: MoveLine): line is MoveHead => 'gatehouse' in line

/** The text of a file: its lines, and a last one by which it is known to be whole. */
async function* textOf(lines: AsyncIterable<MoveLine>): AsyncGenerator<string> {
  const sum = createHash('sha256')
  const counts: Record<string, number> = {}
  for await (const line of lines) {
    const text = `${JSON.stringify(line)}\n`
    sum.update(text)
    if (!isHead(line)) counts[line.table] = (counts[line.table] ?? 0) + line.rows.length
    yield text
  }
  yield `${JSON.stringify({ end: counts, sha256: sum.digest('hex') } satisfies MoveEnd)}\n`
}

/** Writes a file for its owner alone. It has its name once it is whole and on the disk. */
export async function writeMoveFile(path: string, lines: AsyncIterable<MoveLine>): Promise<void> {
  const unfinished = `${path}.unfinished`
  try {
    await pipeline(
      Readable.from(textOf(lines)),
      createGzip({ level: 4 }),
      createWriteStream(unfinished, { mode: 0o600 }),
    )
    const file = await open(unfinished, 'r+')
    await file.sync()
    await file.close()
    await rename(unfinished, path)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw cause
  }
}

const damaged = (path: string) =>
  impossible(
    `${path} is cut off or was changed on its way. Copy it again, or export again where the organizer came from.`,
  )

async function* linesIn(path: string): AsyncGenerator<Buffer> {
  const source = createReadStream(path)
  const unpacked = createGunzip()
  source.on('error', (cause) => unpacked.destroy(cause))
  const parts: Buffer[] = []
  try {
    for await (const chunk of source.pipe(unpacked) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts.splice(0), chunk.subarray(from, end + 1)])
        from = end + 1
      }
      if (from < chunk.length) parts.push(chunk.subarray(from))
    }
  } finally {
    source.destroy()
  }
  if (parts.length > 0) throw damaged(path)
}

const isOfZlib = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')

function isComplete(end: MoveEnd, counts: Readonly<Record<string, number>>, sha256: string): boolean {
  const tables = new Set([...Object.keys(end.end), ...Object.keys(counts)])
  return end.sha256 === sha256 && [...tables].every((table) => end.end[table] === counts[table])
}

/** Reads the lines of a file; throws, behind the last one at the latest, where it is not what was written. */
export async function* readMoveFile(path: string): AsyncGenerator<MoveLine> {
  const sum = createHash('sha256')
  const counts: Record<string, number> = {}
  let isEnded = false
  let isFirst = true
  try {
    for await (const text of linesIn(path)) {
      const line = JSON.parse(text.toString()) as MoveLine | MoveEnd
      if (isEnded || (isFirst && !('gatehouse' in line))) throw damaged(path)
      isFirst = false
      if ('end' in line) {
        if (!isComplete(line, counts, sum.digest('hex'))) throw damaged(path)
        isEnded = true
        continue
      }
      sum.update(text)
      if (!isHead(line)) counts[line.table] = (counts[line.table] ?? 0) + line.rows.length
      yield line
    }
  } catch (cause) {
    if (isFirst && (isOfZlib(cause) || cause instanceof SyntaxError))
      throw impossible(`${path} is not a file that "organizer export" has written, or it is cut off.`)
    if (isOfZlib(cause) || cause instanceof SyntaxError) throw damaged(path)
    throw cause
  }
  if (!isEnded) throw damaged(path)
}
