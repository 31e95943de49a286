import { createHash } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import { canonicalInstant } from '../../../schema/instants.ts'
import { oldestProtocol, protocol } from '../../../schema/sync.ts'
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
  /** The lines with facts, as they stand in the file: each is judged when it is received. */
  readonly lines: readonly string[]
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

const again = 'Nothing of it was imported. Export it again and bring the new file.'

/** Reads such a file; throws 400 with what is wrong with it. */
export function readTransfer(bytes: Uint8Array): Transfer {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = parsedTransfer(
    whole.subarray(0, lineEnd(whole, 0)).toString('utf8'),
  ) as Partial<TransferHead> | null
  if (head?.format !== 'gatehouse-outbox' || !isHead(head))
    throw impossible('This is not a file that a station has exported.')
  if (head.protocol > protocol || head.protocol < oldestProtocol)
    throw impossible('The file is of another version of the program. Bring this server up to date first.')
  const endStart = whole.lastIndexOf('\n', whole.length - 2) + 1
  const end = parsedTransfer(whole.subarray(endStart).toString('utf8')) as Partial<TransferEnd> | null
  if (end?.end !== true) throw impossible(`The file is cut off. ${again}`)
  const body = whole.subarray(0, endStart)
  if (createHash('sha256').update(body).digest('hex') !== end.sha256)
    throw impossible(`The file was changed on its way. ${again}`)
  const lines = body.toString('utf8').split('\n').slice(1, -1)
  return { head, lines }
}

const lineEnd = (whole: Buffer, from: number): number => {
  const found = whole.indexOf('\n', from)
  return found === -1 ? whole.length : found
}

/** What a line says, or null where it is not JSON. */
export function parsedTransfer(text: string): unknown {
  try {
    return JSON.parse(text)
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
