import type { Config } from './config.ts'
import { folderIn } from './data-address.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'
import type { Database } from './storage/database.ts'
import type { Sync } from './sync/node/sync.ts'
import { openReleaseShelf, ownKeys, type ReleaseShelf } from './sync/updates/release-shelf.ts'
import { addressSource, folderSource, upstreamSource } from './sync/updates/release-source.ts'
import { startUpdateReport } from './sync/updates/update-report.ts'
import { startUpdater, type Updater } from './sync/updates/updater.ts'
import { version } from './version.ts'

/** What a node has to do with updates: its own, and those for the nodes below it. */
export interface NodeUpdates {
  /** What of it is served. */
  readonly served: { readonly shelf: ReleaseShelf | null; readonly updater: Updater | null }
  stop(): Promise<void>
}

interface UpdatesParts {
  readonly config: Config
  readonly env: Env
  readonly log: Log
  readonly database: Database
  readonly sync: Sync
  readonly now: () => number
}

/** Opens the shelf of a node, and has the node updated where it is to update itself. */
export async function startUpdates(parts: UpdatesParts): Promise<NodeUpdates> {
  const { config, env, log, database, sync, now } = parts
  const { updates } = config
  const keys = updates ? (updates.keys ?? (await ownKeys())) : []
  const folder = updates?.folder ?? folderIn(config.database)
  const stopReport =
    folder === null ? () => undefined : startUpdateReport({ env, client: () => sync.client, version, folder })
  if (!updates || folder === null || keys.length === 0) {
    if (updates?.place !== undefined)
      log.warn('no updates offered', { why: 'This program has no keys for them.' })
    return { served: { shelf: null, updater: null }, stop: async () => stopReport() }
  }
  const { place, speed, install } = updates
  const source =
    place === undefined
      ? upstreamSource(env, () => sync.client)
      : /^https?:\/\//.test(place)
        ? addressSource(env, place)
        : folderSource(place)
  const shelf = openReleaseShelf({
    ...{ env, log, folder, keys, source, now },
    ...(speed === undefined ? {} : { speed }),
  })
  const base = updates.base ?? version
  const updater = install
    ? startUpdater({ env, log, database, folder, shelf, version, base, now, install })
    : null
  return {
    served: { shelf, updater },
    async stop() {
      stopReport()
      await updater?.stop()
    },
  }
}
