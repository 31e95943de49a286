import Sqlite from 'better-sqlite3'
import type { Run } from './run.ts'

/** Reads from a disk without the program on it. */
export function read<T>(image: Buffer, statement: string, ...values: readonly unknown[]): T[] {
  const database = new Sqlite(image, { readonly: true })
  try {
    return database.prepare(statement).all(...values) as T[]
  } finally {
    database.close()
  }
}

/** Nonces of check-ins and codes of orders that a disk can tell of: its facts, and on central what is kept there. */
function toldBy(
  machine: string,
  image: Buffer,
): { readonly scans: Set<string>; readonly orders: Set<string> } {
  const outbox = (path: string): string[] =>
    read<{ value: string }>(
      image,
      `SELECT json_extract(payload, '${path}') AS value FROM outbox WHERE value IS NOT NULL`,
    ).map(({ value }) => value)
  const kept = (statement: string): string[] =>
    machine === 'central' ? read<{ value: string }>(image, statement).map(({ value }) => value) : []
  return {
    scans: new Set([
      ...outbox('$.row.nonce'),
      ...kept('SELECT nonce AS value FROM checkin WHERE nonce IS NOT NULL'),
    ]),
    orders: new Set([...outbox('$.order.code'), ...kept('SELECT code AS value FROM orders')]),
  }
}

/** Notes what went with a disk: what no disk can tell of any more. */
export function noteLost({ world, ledger }: Run, machine: string, lost: Buffer, copy: Buffer): void {
  const before = toldBy(machine, lost)
  for (const [name, other] of world.machines) {
    const image = name === machine ? copy : other.copy()
    if (!image) continue
    const { scans, orders } = toldBy(name, image)
    for (const nonce of scans) before.scans.delete(nonce)
    for (const code of orders) before.orders.delete(code)
  }
  for (const nonce of before.scans) ledger.gone.add(nonce)
  for (const code of before.orders) ledger.goneOrders.add(code)
}

/** Notes which codes are those of their tickets again in a copy of central's disk: that they were revoked is undone. */
export function noteGoodAgain({ ledger }: Run, copy: Buffer): void {
  const current = new Set(
    read<{ secret: string }>(copy, 'SELECT secret FROM order_position').map(({ secret }) => secret),
  )
  for (const { codes } of ledger.tickets.values())
    for (const code of codes.slice(0, -1)) if (current.has(code)) ledger.goodAgain.add(code)
}

/** A copy as the command for restoring leaves it: everybody below notices that the order of changes has begun anew. */
export function afterRestore(run: Run, copy: Buffer): Buffer {
  const database = new Sqlite(copy)
  database.prepare('UPDATE node SET epoch = ?').run(`restored-${Math.round(run.world.timeline.now)}`)
  const image = database.serialize()
  database.close()
  return image
}
