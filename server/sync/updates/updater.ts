import { readFile } from 'node:fs/promises'
import { shownInstant } from '../../../schema/instants.ts'
import { machineOf, type Release, type ReleaseBuild } from '../../../schema/updates/release.ts'
import { noUpdates, type UpdateState, updatesIn } from '../../../schema/updates/update-files.ts'
import type { UpdateStatus } from '../../../schema/updates/update-status.ts'
import {
  firmHindrances,
  mayInstall,
  missingRoom,
  type UpdateDecision,
  type UpdateFacts,
} from '../../domain/updates/may-install.ts'
import { offeredRelease } from '../../domain/updates/offered-release.ts'
import { type Env, instantOf } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { hasMigration } from '../../storage/migrate.ts'
import { type AcceptedList, filesOf, type ReleaseShelf } from './release-shelf.ts'
import { neededRoom, stationFacts } from './station-facts.ts'
import { type StationPlace, stationPlace } from './station-place.ts'
import { readWish, saveWish } from './update-wish.ts'

/** What is to be installed, and whether the database is to be copied before that. */
export interface UpdateToInstall {
  readonly version: string
  readonly list: string
  readonly changesDatabase: boolean
}

/** Has a machine updated when nobody is in its way. */
export interface Updater {
  status(): Promise<UpdateStatus>
  /** Hears when the status has changed, and is waited for before this server ends for an update. */
  onStatus(listener: () => Promise<void>): () => void
  /** Somebody wants it installed at once, whatever it politely waits for. */
  installNow(): Promise<void>
  /** Somebody wants it not to be installed today. */
  notToday(): Promise<void>
  stop(): Promise<void>
}

/** What an updater needs. */
export interface UpdaterParts {
  readonly env: Env
  readonly log: Log
  readonly database: Database
  /** The data folder. */
  readonly folder: string
  readonly shelf: ReleaseShelf
  /** The version that runs, and that of the package that starts it. */
  readonly version: string
  readonly base: string
  /** Milliseconds since 1970, as well as is known. */
  readonly now: () => number
  /** Ends this server so that the version is installed. */
  readonly install: (update: UpdateToInstall) => void
}

const firstLook = 15_000
const lookEvery = 60_000
const retryEvery = 10_000
const day = 24 * 3_600_000

/** Begins to look for updates. */
export const startUpdater = (parts: UpdaterParts): Updater => new StationUpdater(parts)

interface Offer {
  readonly release: Release
  readonly build: ReleaseBuild
  readonly text: string
}

class StationUpdater implements Updater {
  readonly #parts: UpdaterParts
  readonly #listeners = new Set<() => Promise<void>>()
  #cancel = (): void => {}
  #isStopped = false
  #running: Promise<void> = Promise.resolve()
  #phase: UpdateStatus['phase'] = 'none'
  #offer: Offer | null = null
  #progress: UpdateStatus['progress'] = null
  #decision: UpdateDecision | null = null
  #wantsNow = false
  #missing = 0

  constructor(parts: UpdaterParts) {
    this.#parts = parts
    this.#later(firstLook)
  }

  async status(): Promise<UpdateStatus> {
    const { version, folder, database, shelf } = this.#parts
    const { failed } = await this.#state()
    const { channel } = await stationPlace(database)
    const decision = this.#decision
    const waits = this.#phase === 'waiting' && decision?.kind === 'wait' ? decision : null
    const wish = await readWish(folder)
    const until = waits?.until ?? (waits?.why === 'today' && wish !== 'now' ? wish?.notBefore : null) ?? null
    return {
      ...{ version, enabled: true, channel, phase: this.#phase, progress: this.#progress },
      offered: this.#offer?.release.version ?? null,
      why: waits?.why ?? null,
      missing: waits?.why === 'room' ? this.#missing : 0,
      may_now: waits !== null && !firmHindrances.includes(waits.why),
      until: until === null ? null : shownInstant(instantOf(until)),
      trouble: shelf.trouble,
      failed,
    }
  }

  onStatus(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async installNow(): Promise<void> {
    this.#wantsNow = true
    await saveWish(this.#parts.folder, null)
    this.#look()
    await this.#running
  }

  async notToday(): Promise<void> {
    this.#wantsNow = false
    await saveWish(this.#parts.folder, this.#parts.now() + day)
    this.#look()
    await this.#running
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    // A download that waits for its turn is not waited for: what has come of it is kept.
  }

  #later(milliseconds: number): void {
    this.#cancel()
    if (!this.#isStopped) this.#cancel = this.#parts.env.after(milliseconds, () => this.#look())
  }

  #look(): void {
    if (this.#isStopped || this.#phase === 'installing' || this.#phase === 'downloading') return
    this.#cancel()
    this.#running = this.#running
      .then(() => (this.#isStopped ? undefined : this.#once()))
      .catch((cause: unknown) => {
        this.#parts.log.warn('update not made', { why: String(cause) })
        void this.#show('none')
        return retryEvery
      })
      .then((pause) => this.#later(pause ?? lookEvery))
  }

  /** Resolves once all who listen have heard it. */
  async #show(phase: UpdateStatus['phase'], progress: UpdateStatus['progress'] = null): Promise<void> {
    const before = this.#progress?.done ?? 0
    const isNews =
      phase !== this.#phase || Math.abs((progress?.done ?? 0) - before) > 0 || phase === 'waiting'
    this.#phase = phase
    this.#progress = progress
    // Who does not hear it looks by itself.
    if (isNews) await Promise.allSettled([...this.#listeners].map((listener) => listener()))
  }

  async #state(): Promise<UpdateState> {
    const text = await readFile(updatesIn(this.#parts.folder).state, 'utf8').catch(() => '{}')
    try {
      return { ...noUpdates, ...JSON.parse(text) }
    } catch {
      return noUpdates
    }
  }

  async #once(): Promise<void> {
    const accepted = await this.#parts.shelf.list(this.#wantsNow)
    const offer = accepted && (await this.#offered(accepted))
    this.#offer = offer
    if (accepted) await this.#parts.shelf.files.keep(filesOf(accepted.list))
    if (!offer) return this.#show('none')
    const changesDatabase = !(await hasMigration(this.#parts.database, offer.build.migration))
    // Without room nothing is fetched: what is left of the disk is for scans.
    if (await this.#lacksRoom(offer, changesDatabase)) return this.#show('waiting')
    await this.#download(offer)
    if (this.#isStopped) return
    this.#decision = mayInstall(await this.#facts(offer, changesDatabase))
    if (this.#decision.kind === 'wait') return this.#show('waiting')
    this.#wantsNow = false
    await this.#show('installing')
    this.#parts.log.info('update installed next', { version: offer.release.version })
    this.#parts.install({ version: offer.release.version, list: offer.text, changesDatabase })
  }

  async #lacksRoom(offer: Offer, changesDatabase: boolean): Promise<boolean> {
    const facts = await this.#facts(offer, changesDatabase)
    this.#missing = missingRoom(facts)
    if (this.#missing > 0) this.#decision = { kind: 'wait', why: 'room', until: null }
    return this.#missing > 0
  }

  async #offered({ list, text }: AcceptedList): Promise<Offer | null> {
    const { database, version, base } = this.#parts
    const { channel, place }: StationPlace = await stationPlace(database)
    const { failed } = await this.#state()
    const { platform, arch } = process
    const release = offeredRelease(list, {
      ...{ version, base, channel, place, platform, arch },
      node: Number.parseInt(process.versions.node, 10),
      // A full disk says nothing about the version.
      failed: failed === null || failed.reason === 'no room' ? null : failed.version,
    })
    const build = release?.builds[machineOf(platform, arch)]
    return release && build ? { release, build, text } : null
  }

  async #download({ build: { contents, archive } }: Offer): Promise<void> {
    const { shelf } = this.#parts
    const total = contents.size + archive.size
    const here = (await shelf.files.find(contents)) !== null && (await shelf.files.find(archive)) !== null
    if (here) return
    const show = (done: number) => void this.#show('downloading', { done, total })
    show(0)
    await shelf.files.provide(contents, show)
    await shelf.files.provide(archive, (done) => show(contents.size + done))
    await this.#show('waiting')
  }

  async #facts({ release, build }: Offer, changesDatabase: boolean): Promise<UpdateFacts> {
    const { database, folder, shelf, now } = this.#parts
    const { failed } = await this.#state()
    const isAgain = failed?.reason === 'no room' && failed.version === release.version
    return {
      ...(await stationFacts(database, folder, now())),
      needed: await neededRoom(shelf.files, { build, folder, changesDatabase }),
      didNotFit: isAgain ? Date.parse(failed.at) : null,
      wish: this.#wantsNow ? 'now' : await readWish(folder),
    }
  }
}
