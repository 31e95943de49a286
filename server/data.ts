import { fileIn, folderIn, isPostgres, lockIn } from './data-address.ts'
import { type Env, instantOf, realEnv } from './env.ts'
import { makeFolder } from './make-folder.ts'
import type { Transactions } from './resource/transactions.ts'
import { openNode } from './services/operations/node-identity.ts'
import type { Database } from './storage/database.ts'
import type { Clock } from './sync/clock/clock.ts'
import { cleanLeftovers } from './sync/renewal/swap.ts'
import { version } from './version.ts'

/**
 * Opens the database at an address, making the folder for it where there is none. Only its own driver is loaded. A file
 * that is no database of ours is refused, unchanged.
 */
export async function openDatabase(address: string): Promise<Database> {
  if (isPostgres(address)) {
    const { openPostgres } = await import('./storage/postgres-server.ts')
    return openPostgres(address, realEnv.after)
  }
  const { openSqlite } = await import('./storage/sqlite.ts')
  const folder = folderIn(address)
  if (folder === null) return openSqlite(address)
  await makeFolder(folder)
  const { refuseNetworkDisk } = await import('./storage/network-disk.ts')
  await refuseNetworkDisk(folder)
  const { checkFile, makeFile } = await import('./storage/sqlite-file.ts')
  const file = fileIn(folder)
  await makeFile(file)
  await checkFile(file)
  return openSqlite(file)
}

/** A database that is served by one program, and what gives it free for another one. */
export interface HeldDatabase {
  readonly database: Database
  readonly release: () => void
}

/**
 * Opens the database at an address for a server. A data folder has one server; commands share it. What a crash has left of
 * a copy that was being made there is removed.
 */
export async function openToServe(address: string): Promise<HeldDatabase> {
  const folder = folderIn(address)
  if (folder === null) return { database: await openDatabase(address), release: () => undefined }
  await makeFolder(folder)
  const { lockForServing } = await import('./storage/sqlite-file.ts')
  const release = lockForServing(lockIn(folder))
  try {
    await cleanLeftovers(fileIn(folder))
    return { database: await openDatabase(address), release }
  } catch (cause) {
    release()
    throw cause
  }
}

/**
 * A database with its schema in place and its transactions open, at the time of a clock if there is one. `wentBack` hears
 * where a database server may have lost what was acknowledged.
 */
export const openData = (
  database: Database,
  env: Env,
  clock?: Clock,
  wentBack?: () => void,
): Promise<Transactions> =>
  openNode(database, {
    ...(wentBack ? { wentBack } : {}),
    program: version,
    instant: clock ? clock.instant : () => instantOf(env.now()),
    randomBytes: env.randomBytes,
    uuid: env.uuid,
    // A command beside the server cannot know what was learned of the time.
    stamp: clock
      ? clock.stamp
      : () => ({ deviceTime: instantOf(env.now()), mono: 0, boot: '', clockOffset: null }),
  })
