import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { updatesIn, type WantedUpdate } from '../../schema/updates/update-files.ts'
import { fileIn } from '../data-address.ts'
import type { Log } from '../log.ts'
import type { UpdateToInstall } from '../sync/updates/updater.ts'
import { takeCopy } from './kept-copies.ts'

/**
 * Leaves an update for what has started this server, which has ended its work: with a copy of the database where the
 * update changes that. Where there is no room for the copy, nothing is left, and the version stays.
 */
export async function leaveUpdate(folder: string, update: UpdateToInstall, log: Log): Promise<void> {
  const { folder: own, copy, wanted } = updatesIn(folder)
  const { version, list, changesDatabase: hasCopy } = update
  try {
    await mkdir(own, { recursive: true, mode: 0o700 })
    await rm(copy, { force: true })
    if (hasCopy) await takeCopy(fileIn(folder), copy, () => undefined)
    const asked: WantedUpdate = { version, list, hasCopy }
    await writeFile(`${wanted}.new`, JSON.stringify(asked), { mode: 0o600, flush: true })
    await rename(`${wanted}.new`, wanted)
  } catch (cause) {
    log.error('update not left', { why: String(cause) })
    await rm(copy, { force: true }).catch(() => undefined)
  }
}
