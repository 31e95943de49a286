import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Database } from '../../../server/storage/database.ts'
import type { BusyClients } from './busy-clients.ts'

/** Asserts that what was acknowledged is stored once, and that nothing else is. */
export async function acknowledgedOnce(database: Database, { acknowledged }: BusyClients): Promise<void> {
  const named = (kind: string): string[] =>
    acknowledged
      .filter((wish) => wish.kind === kind)
      .map(({ name }) => name)
      .sort()
  const scans = await database.all<{ name: string }>(
    sql`SELECT raw_barcode AS name FROM checkin WHERE successful = 1`,
  )
  const sales = await database.all<{ name: string }>(
    sql`SELECT email AS name FROM orders WHERE email LIKE ${'%@sale.example'}`,
  )
  assert.deepEqual(scans.map(({ name }) => name).sort(), named('scan'))
  assert.deepEqual(sales.map(({ name }) => name).sort(), named('sale'))
}
