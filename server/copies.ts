import type { Config } from './config.ts'
import { openDatabase } from './data.ts'
import { fileIn, folderIn } from './data-address.ts'
import type { Database } from './storage/database.ts'
import type { NextCopy } from './sync/renewal/renewal.ts'
import { cleanLeftovers, nextFile, switchFiles } from './sync/renewal/swap.ts'
import { settleOnDisk } from './sync/replica/durable-files.ts'
import { beginLoad, type ReplicaIdentity } from './sync/replica/load-snapshot.ts'
import { beginLoadInThread } from './sync/replica/load-thread.ts'

/**
 * Begins a database beside the one in use: a file loaded by a thread of its own, or one in memory. `gently` where
 * stations are scanning meanwhile.
 */
export async function beginCopyBeside(
  config: Config,
  identity: ReplicaIdentity,
  gently: boolean,
): Promise<NextCopy> {
  const { openSqlite } = await import('./storage/sqlite.ts')
  const folder = folderIn(config.database)
  if (folder !== null && !config.openBeside) {
    const file = fileIn(folder)
    await cleanLeftovers(file)
    let opened: Database | null = null
    return {
      load: beginLoadInThread({ file: nextFile(file), identity, gently }),
      async open() {
        opened = openSqlite(nextFile(file))
        return opened
      },
      async discard() {
        await opened?.close().catch(() => undefined)
        await cleanLeftovers(file)
      },
    }
  }
  const database = await (config.openBeside?.() ?? openSqlite(':memory:'))
  const load = await beginLoad(database, identity).catch(async (cause: unknown) => {
    await database.close().catch(() => undefined)
    throw cause
  })
  return {
    load,
    open: () => Promise.resolve(database),
    discard: () => database.close(),
  }
}

/** What was in use stays in use, opened again. */
export class NotPutInPlace extends Error {
  readonly old: Database

  constructor(old: Database, cause: unknown) {
    super('The new copy could not be put in place.', { cause })
    this.old = old
  }
}

/**
 * Does of `putInPlace` what can be done while requests are still answered, so that they are held for a short time only;
 * `carry` brings over what is known of what goes over. From now on nothing that is written to the new copy is durable
 * before it is in place.
 */
export async function prepareToPutInPlace(
  config: Config,
  old: Database,
  next: Database,
  carry: () => Promise<void>,
): Promise<void> {
  const folder = folderIn(config.database)
  if (folder === null || config.openBeside) return carry()
  await next.script('PRAGMA synchronous = OFF;')
  await carry()
  await next.script('PRAGMA wal_checkpoint(TRUNCATE);')
  // In a thread of its own, where no scan waits for it.
  await settleOnDisk(nextFile(fileIn(folder)))
  // Not while it is being written to: then there is more to do later.
  await old.script('PRAGMA wal_checkpoint(PASSIVE);').catch(() => undefined)
  await carry()
}

/**
 * Puts a new copy in place of the one in use, both of them quiet, and opens it. `aside` keeps what was in use under that
 * name. Throws NotPutInPlace when the files do not let it.
 */
export async function putInPlace(
  config: Config,
  old: Database,
  next: Database,
  aside: ((file: string) => string) | null,
): Promise<Database> {
  const folder = folderIn(config.database)
  if (folder === null || config.openBeside) {
    await old.close()
    return next
  }
  const file = fileIn(folder)
  await next.script('PRAGMA wal_checkpoint(TRUNCATE);')
  await next.close()
  // Whoever else reads the file is not waited for: requests wait for us.
  await old.script('PRAGMA busy_timeout = 100; PRAGMA wal_checkpoint(TRUNCATE);')
  await old.close()
  try {
    await switchFiles(file, aside?.(file) ?? null)
  } catch (cause) {
    throw new NotPutInPlace(await openDatabase(config.database), cause)
  }
  return openDatabase(config.database)
}
