import { mkdir } from 'node:fs/promises'
import { fileIn, folderIn, isPostgres } from './data-address.ts'
import { type Env, instantOf } from './env.ts'
import type { Transactions } from './resource/transactions.ts'
import { openNode } from './services/node.ts'
import type { Database } from './storage/database.ts'

/** Opens the database at an address, making the folder for it where there is none. Only its own driver is loaded. */
export async function openDatabase(address: string): Promise<Database> {
  if (isPostgres(address)) {
    const { openPostgres } = await import('./storage/postgres.ts')
    return openPostgres(address)
  }
  const { openSqlite } = await import('./storage/sqlite.ts')
  const folder = folderIn(address)
  if (folder === null) return openSqlite(address)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return openSqlite(fileIn(folder))
}

/** A database with its schema in place and its transactions open. */
export const openData = (database: Database, env: Env): Promise<Transactions> =>
  openNode(database, { instant: () => instantOf(env.now()), randomBytes: env.randomBytes, uuid: env.uuid })
