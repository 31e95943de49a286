import { createHash } from 'node:crypto'
import { setImmediate as letOthersWork } from 'node:timers/promises'
import sql, { empty } from 'sql-template-tag'
import { mebibyte, pushLimit } from '../../../schema/body-limits.ts'
import { canonicalInstant } from '../../../schema/instants.ts'
import { factsPerPush, oldestProtocol, protocol } from '../../../schema/sync.ts'
import { exceeded } from '../../domain/text/json-weight.ts'
import { deepest } from '../../domain/text/storable.ts'
import { impossible } from '../../errors.ts'
import type { Queryable } from '../../storage/database.ts'
import type { SenderClock } from '../clock/corrected-time.ts'
import { type QueuedFact, sentFactOf } from './outbox.ts'

/** The first line of a file that carries an outbox by hand. */
export interface TransferHead {
  readonly format: 'gatehouse-outbox'
  readonly protocol: number
  /** Slug of the organizer. */
  readonly organizer: string
  /** The node that wrote it, and the row of its device where it has one. */
  readonly site: number
  readonly device: number | null
  readonly exported: string
  /** Its clocks at that moment. */
  readonly clock: SenderClock
}

/** The last line: nothing is missing, and nothing was changed. */
interface TransferEnd {
  readonly end: true
  readonly facts: number
  /** SHA-256 in hex over all bytes before this line. */
  readonly sha256: string
}

/** A file that was read. */
export interface Transfer {
  readonly head: TransferHead
  /** What its lines say, a few at a time and null for what is no JSON: each is judged when it is received. */
  readonly batches: Iterable<readonly unknown[]>
}

const perRead = 500

/**
 * The lines of a file with the facts that the upstream server does not know, or with `all` of them, each ending in a
 * line break: the head, one fact per line in their order, the end. They are read bit by bit.
 */
export async function* transferLines(
  db: Queryable,
  head: Omit<TransferHead, 'format' | 'protocol'>,
  all: boolean,
): AsyncGenerator<string, void, undefined> {
  const digest = createHash('sha256')
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`
    digest.update(text)
    return text
  }
  yield line({ format: 'gatehouse-outbox', protocol, ...head })
  const which = all ? empty : sql` AND state <> 'done'`
  let count = 0
  for (let after = 0, rows: QueuedFact[]; ; ) {
    rows = await db.all<QueuedFact>(
      sql`SELECT * FROM outbox WHERE seq > ${after}${which} ORDER BY seq LIMIT ${perRead}`,
    )
    const last = rows.at(-1)
    if (!last) break
    after = last.seq
    count += rows.length
    yield rows.map((row) => line(sentFactOf(row))).join('')
  }
  const end: TransferEnd = { end: true, facts: count, sha256: digest.digest('hex') }
  yield `${JSON.stringify(end)}\n`
}

/** More than any fact needs. */
const lineBounds = { levels: deepest, values: 100_000 }

const again = 'Nothing of it was imported. Export it again and bring the new file.'

/** So many bytes are looked at without letting others work. */
const atOnce = mebibyte

/** The SHA-256 of bytes in hex. */
async function digestOf(bytes: Buffer): Promise<string> {
  const digest = createHash('sha256')
  for (let from = 0; from < bytes.length; from += atOnce) {
    digest.update(bytes.subarray(from, from + atOnce))
    await letOthersWork()
  }
  return digest.digest('hex')
}

/** The lines of a file from a place on, without their breaks, as many at a time as a node reports at once. */
function* batchesOf(bytes: Buffer, start: number): Generator<readonly unknown[], void, undefined> {
  let facts: unknown[] = []
  let began = start
  for (let from = start; from < bytes.length; ) {
    const end = lineEnd(bytes, from)
    facts.push(parsedLine(bytes.subarray(from, end)))
    from = end + 1
    if (facts.length < factsPerPush && from - began < atOnce) continue
    yield facts
    facts = []
    began = from
  }
  if (facts.length > 0) yield facts
}

/** Reads such a file; throws 400 with what is wrong with it. */
export async function readTransfer(bytes: Uint8Array): Promise<Transfer> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headEnd = lineEnd(whole, 0)
  const head = parsedLine(whole.subarray(0, headEnd)) as Partial<TransferHead> | null
  if (head?.format !== 'gatehouse-outbox' || !isHead(head))
    throw impossible('This is not a file that a station has exported.')
  if (head.protocol > protocol || head.protocol < oldestProtocol)
    throw impossible('The file is of another version of the program. Bring this server up to date first.')
  const endStart = whole.lastIndexOf('\n', whole.length - 2) + 1
  const end = parsedLine(whole.subarray(endStart)) as Partial<TransferEnd> | null
  if (end?.end !== true) throw impossible(`The file is cut off. ${again}`)
  const body = whole.subarray(0, endStart)
  if ((await digestOf(body)) !== end.sha256) throw impossible(`The file was changed on its way. ${again}`)
  return { head, batches: batchesOf(body, headEnd + 1) }
}

const lineEnd = (whole: Buffer, from: number): number => {
  const found = whole.indexOf('\n', from)
  return found === -1 ? whole.length : found
}

/** What a line says, or null where it is not JSON or more than a node reports at once. */
function parsedLine(line: Buffer): unknown {
  if (line.length > pushLimit || exceeded(line, lineBounds) !== null) return null
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return null
  }
}

const isHead = (head: Partial<TransferHead>): head is TransferHead =>
  typeof head.protocol === 'number' &&
  typeof head.organizer === 'string' &&
  Number.isSafeInteger(head.site) &&
  (head.device === null || Number.isSafeInteger(head.device)) &&
  typeof head.clock === 'object' &&
  head.clock !== null &&
  typeof head.clock.boot === 'string' &&
  typeof head.clock.mono === 'number' &&
  typeof head.clock.device_time === 'string' &&
  canonicalInstant(head.clock.device_time) === head.clock.device_time &&
  (head.clock.clock_offset === null || typeof head.clock.clock_offset === 'number')
