import Sqlite from 'better-sqlite3'
import { restoredMarks } from '../../server/services/operations/restored-database.ts'
import type { Run } from './run.ts'
import type { RunRecord } from './run-record.ts'

/** Reads from a disk without the program on it. */
function read<T>(image: Buffer, statement: string, ...values: readonly unknown[]): T[] {
  const database = new Sqlite(image, { readonly: true })
  try {
    return database.prepare(statement).all(...values) as T[]
  } finally {
    database.close()
  }
}

/** Nonces of check-ins, codes of orders, and hashes of receipts. */
interface Told {
  readonly scans: Set<string>
  readonly orders: Set<string>
  readonly receipts: Set<string>
}

/**
 * Nonces of check-ins, codes of orders and hashes of receipts that a disk can tell of: its facts, those of revoked devices that wait on it
 * for a person to look at, and on central what is kept there.
 */
function queuedBy(machine: string, image: Buffer): Told {
  const values = (statement: string): string[] =>
    read<{ value: string }>(image, statement).map(({ value }) => value)
  const facts = (path: string): string[] =>
    values(
      `SELECT json_extract(payload, '$.${path}') AS value FROM outbox WHERE value IS NOT NULL
       UNION SELECT json_extract(fact, '$.fact.payload.${path}') AS value FROM quarantine WHERE value IS NOT NULL`,
    )
  const kept = (statement: string): string[] => (machine === 'central' ? values(statement) : [])
  return {
    scans: new Set([
      ...facts('row.nonce'),
      ...kept('SELECT nonce AS value FROM checkin WHERE nonce IS NOT NULL'),
    ]),
    orders: new Set([...facts('order.code'), ...kept('SELECT code AS value FROM orders')]),
    receipts: new Set([
      ...facts('row.hash'),
      ...kept('SELECT hash AS value FROM receipt UNION SELECT hash FROM closing'),
    ]),
  }
}

/** As much of a run as is needed to say what went with a disk. */
interface Disks {
  readonly world: {
    readonly machines: ReadonlyMap<string, { readonly copy: () => Buffer | null }>
    readonly timeline: { readonly now: number }
  }
  readonly record: RunRecord
}

/**
 * Notes what went with a disk: what no disk can tell of any more. A revoked device forgets what it has reported as
 * soon as the upstream server has it in quarantine, as it must: whoever holds it may be a thief. If the disk of that
 * server is then put back to before that, nobody is left to tell it again.
 */
export function noteLost({ world, record }: Disks, machine: string, lost: Buffer, copy: Buffer): void {
  const before = queuedBy(machine, lost)
  for (const [name, other] of world.machines) {
    const image = name === machine ? copy : other.copy()
    if (!image) continue
    const { scans, orders, receipts } = queuedBy(name, image)
    for (const nonce of scans) before.scans.delete(nonce)
    for (const code of orders) before.orders.delete(code)
    for (const hash of receipts) before.receipts.delete(hash)
  }
  for (const nonce of before.scans) record.gone.add(nonce)
  for (const code of before.orders) record.goneOrders.add(code)
  for (const hash of before.receipts) record.goneReceipts.add(hash)
  if (machine === 'central') {
    const kept = new Set(leasesGiven(copy))
    for (const id of leasesGiven(lost)) if (!kept.has(id)) record.forgotten.set(id, world.timeline.now)
  }
}

/** Leases that central itself has given; the others are parts of these. */
const leasesGiven = (image: Buffer): number[] =>
  read<{ id: number }>(image, 'SELECT id FROM quota_lease WHERE parent IS NULL').map(({ id }) => id)

/**
 * Notes which codes are those of their tickets again in a copy of central's disk: that they were revoked is undone. The
 * lost disk says which these are; whoever revoked one may never have been answered.
 */
export function noteGoodAgain(record: RunRecord, lost: Buffer, copy: Buffer): void {
  const codesIn = (image: Buffer, table: string): string[] =>
    read<{ secret: string }>(image, `SELECT secret FROM ${table}`).map(({ secret }) => secret)
  const current = new Set(codesIn(copy, 'order_position'))
  for (const code of codesIn(lost, 'revoked_secret')) if (current.has(code)) record.goodAgain.add(code)
}

/**
 * A copy as the command for restoring leaves it: everybody below notices that the order of changes has begun anew, and
 * no number is given out twice. A site that two stations have had in turn leaves the first one unable to tell.
 */
export function afterRestore(run: Run, copy: Buffer): Buffer {
  const database = new Sqlite(copy)
  const epoch = `restored-${Math.round(run.world.timeline.now)}`
  for (const mark of restoredMarks({ epoch, chance: 0 })) database.prepare(mark.sql).run(...mark.values)
  const image = database.serialize()
  database.close()
  return image
}
