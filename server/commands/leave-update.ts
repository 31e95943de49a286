import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { updatesIn, type WantedUpdate } from '../../schema/updates/update-files.ts'
import { fileIn } from '../data-address.ts'
import type { Log } from '../log.ts'
import { isDiskFull } from '../storage/database.ts'
import type { UpdateToInstall } from '../sync/updates/updater.ts'
import { takeCopy } from './kept-copies.ts'

/**
 * Leaves an update for what has started this server, which has ended its work: with a copy of the database where the
 * update changes that. Where that cannot be copied, the version stays, and what has started the server notes why.
 */
export async function leaveUpdate(folder: string, update: UpdateToInstall, log: Log): Promise<void> {
  const { folder: own, copy } = updatesIn(folder)
  const { version, list, changesDatabase: hasCopy } = update
  try {
    await mkdir(own, { recursive: true, mode: 0o700 })
    await rm(copy, { force: true })
    if (hasCopy) await takeCopy(fileIn(folder), copy, () => undefined)
    await ask(folder, { version, list, hasCopy })
  } catch (cause) {
    log.error('update not left', { why: String(cause) })
    await rm(copy, { force: true }).catch(() => undefined)
    const failed = isDiskFull(cause) ? 'no room' : 'not copied'
    // Where not even this has room, the lack of it is seen before the next try.
    await ask(folder, { version, list: '', hasCopy: false, failed }).catch(() => undefined)
  }
}

async function ask(folder: string, asked: WantedUpdate): Promise<void> {
  const { wanted } = updatesIn(folder)
  await writeFile(`${wanted}.new`, JSON.stringify(asked), { mode: 0o600, flush: true })
  await rename(`${wanted}.new`, wanted)
}
