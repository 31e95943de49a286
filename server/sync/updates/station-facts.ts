import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseBuild } from '../../../schema/updates/release.ts'
import { idleAfter, type UpdateFacts } from '../../domain/updates/may-install.ts'
import { instantOf } from '../../env.ts'
import { updateFacts } from '../../services/operations/update-facts.ts'
import type { Database } from '../../storage/database.ts'
import { diskFree } from '../node/readiness.ts'
import { queueCounts } from '../outbox/outbox.ts'
import type { ReleaseFiles } from './release-files.ts'

const day = 24 * 3_600_000
/** What is left for scans and sales whatever is installed; bytes. */
const air = 64 * 2 ** 20

/** What a station is at, on its data folder, at a moment in milliseconds since 1970. */
export async function stationFacts(
  database: Database,
  folder: string,
  now: number,
): Promise<Omit<UpdateFacts, 'needed' | 'didNotFit' | 'wish'>> {
  const [data, queue, free] = await Promise.all([
    updateFacts(database, { dayAgo: instantOf(now - day), halfHourAgo: instantOf(now - idleAfter) }),
    queueCounts(database),
    diskFree(folder),
  ])
  return { ...data, now, outbox: queue.waiting, free }
}

/** A release on its way to a data folder. */
interface Coming {
  readonly build: ReleaseBuild
  readonly folder: string
  readonly changesDatabase: boolean
}

/** Bytes that a disk needs for what is still to be fetched, for unpacking it, and for the copy of the database. */
export async function neededRoom(
  files: ReleaseFiles,
  { build, folder, changesDatabase }: Coming,
): Promise<number> {
  const toFetch = await Promise.all([build.contents, build.archive].map((file) => files.left(file)))
  const size = await stat(join(folder, 'gatehouse.sqlite')).then(
    ({ size: bytes }) => bytes,
    () => 0,
  )
  // The copy, and what the change itself writes.
  const forDatabase = changesDatabase ? size * 3 : 0
  return toFetch.reduce((sum, bytes) => sum + bytes, 0) + build.unpacked + forDatabase + air
}
