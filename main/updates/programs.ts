import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compareVersions } from '../../schema/updates/release.ts'
import {
  type FailedUpdate,
  noUpdates,
  type UpdateState,
  updatesIn,
  type WantedUpdate,
} from '../../schema/updates/update-files.ts'
import type { ShellLog } from '../common/log.ts'
import { jsonIn, removeFolder, renameOver, settleFolder, writeWhole } from './durable-files.ts'
import { readUpdateState, readWanted } from './update-notes.ts'
import { BadVersion, programIn, type Trust, unpackVersion, verifyVersion } from './version-folder.ts'

/** A program of the server, to be started next. */
export interface Program {
  readonly version: string
  /** The folder of it. */
  readonly folder: string
  /** Whether it is new here: it writes nothing until it is found to be good. */
  readonly isOnTrial: boolean
}

/** The versions of the server that are installed on a data folder. */
export interface Programs {
  /** The one to be started now; does first what was left to do: installing, going back. */
  next(): Program
  /** The one that works now, for a command beside the server; null while one is on trial. */
  present(): Program | null
  /** Whether the server has asked for another one. */
  hasWanted(): boolean
  /** The one on trial is good; false where that cannot be noted, since the disk is full. */
  passed(): boolean
  /** The one on trial is not: the next one is that before it, on the database from before it. */
  failed(reason: FailedUpdate['reason']): void
}

interface ProgramsOptions extends Trust {
  readonly dataFolder: string
  /** The folder of the installed package's own program. */
  readonly baseFolder: string
  readonly log: ShellLog
  readonly now: () => number
}

/** How often a trial is begun again that something else has ended, such as a power cut. */
const startsOfTrial = 3

const database = 'gatehouse.sqlite'

/** Opens them; nothing is done yet. */
export const openPrograms = (options: ProgramsOptions): Programs => new InstalledPrograms(options)

/** What the package has signed itself to: the keys in its own folder. */
export function updateKeysOf(baseFolder: string): readonly string[] {
  const value = jsonIn(join(baseFolder, 'schema', 'updates', 'keys.json'))
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : []
  return Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : []
}

/** The number of a program's release. */
export function versionOf(programFolder: string): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(programFolder, 'package.json'), 'utf8'),
  )
  return manifest.version
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

class InstalledPrograms implements Programs {
  readonly #options: ProgramsOptions
  readonly #folders: ReturnType<typeof updatesIn>

  constructor(options: ProgramsOptions) {
    this.#options = options
    this.#folders = updatesIn(options.dataFolder)
  }

  next(): Program {
    const { base, baseFolder } = this.#options
    // Without a key nothing can have been signed, and nothing was installed.
    if (this.#options.keys.length === 0 || !existsSync(this.#folders.folder))
      return { version: base, folder: baseFolder, isOnTrial: false }
    if (this.#state.goingBack) this.#goBack()
    const trial = this.#state.trial
    if (trial && trial.starts >= startsOfTrial) this.failed('ended')
    this.#install()
    return this.#onTrial() ?? this.#good()
  }

  present(): Program | null {
    const { trial, goingBack } = this.#state
    return trial || goingBack ? null : this.#good()
  }

  hasWanted(): boolean {
    return existsSync(this.#folders.wanted)
  }

  passed(): boolean {
    const { trial, current, failed } = this.#state
    if (!trial) return true
    if (!this.#note({ ...noUpdates, current: trial.version, former: current, failed })) return false
    rmSync(this.#folders.copy, { force: true })
    this.#removeOthers()
    this.#options.log(`Version ${trial.version} works and is used from now on`)
    return true
  }

  failed(reason: FailedUpdate['reason']): void {
    const state = this.#state
    const { trial } = state
    if (!trial) return
    this.#options.log(`Version ${trial.version} does not work here (${reason}): back to the one before`)
    const failed = { version: trial.version, reason, at: this.#instant() }
    // First of all, so that there is room for what is noted next.
    removeFolder(join(this.#folders.versions, trial.version))
    // What was copied is brought back, also where something ends this program in the middle of it.
    this.#note({ ...state, trial: null, failed, goingBack: trial.hasCopy })
    if (trial.hasCopy) this.#goBack()
    this.#removeOthers()
  }

  get #state(): UpdateState {
    return readUpdateState(this.#options.dataFolder)
  }

  /** False where the disk has no room even for that. What was fetched goes before: it can be fetched again. */
  #note(state: UpdateState): boolean {
    const { state: file, files } = this.#folders
    for (const makeRoom of [true, false])
      try {
        writeWhole(file, `${JSON.stringify(state)}\n`)
        return true
      } catch (error) {
        this.#options.log(`${file} cannot be written: ${wordsOf(error)}`)
        if (makeRoom) removeFolder(files)
      }
    return false
  }

  #instant(): string {
    return new Date(this.#options.now()).toISOString()
  }

  /** Unpacks what the server has asked for before it ended. */
  #install(): void {
    const wanted = readWanted(this.#folders.wanted)
    if (!wanted) return
    const state = this.#state
    const { version, hasCopy } = wanted
    const known = state.trial?.version === version || state.current === version
    if (!known && (state.failed?.version !== version || state.failed.reason === 'no room')) {
      const reason = wanted.failed ?? this.#unpacked(wanted)
      const isTried = reason === null && this.#note({ ...state, trial: { version, starts: 0, hasCopy } })
      if (!isTried) {
        removeFolder(join(this.#folders.versions, version))
        rmSync(this.#folders.copy, { force: true })
        this.#note({ ...state, failed: { version, reason: reason ?? 'no room', at: this.#instant() } })
      }
    }
    rmSync(this.#folders.wanted, { force: true })
  }

  /** Why a version could not be unpacked, or null. */
  #unpacked({ version, list }: WantedUpdate): FailedUpdate['reason'] | null {
    try {
      mkdirSync(this.#folders.versions, { recursive: true, mode: 0o700 })
      this.#options.log(`Version ${version} is being installed`)
      unpackVersion(this.#folders, version, list, this.#options)
      return null
    } catch (error) {
      this.#options.log(`Version ${version} was not installed: ${wordsOf(error)}`)
      return error instanceof BadVersion ? 'damaged' : 'no room'
    }
  }

  #onTrial(): Program | null {
    const state = this.#state
    const { trial } = state
    if (!trial) return null
    if (!this.#isGood(trial.version)) {
      this.failed('damaged')
      return null
    }
    if (!this.#note({ ...state, trial: { ...trial, starts: trial.starts + 1 } })) {
      this.failed('no room')
      return null
    }
    return { version: trial.version, folder: programIn(this.#folders, trial.version), isOnTrial: true }
  }

  /** The newest version that was found to be good and still is what was signed. */
  #good(): Program {
    const { base, baseFolder } = this.#options
    const { current, former } = this.#state
    for (const version of [current, former]) {
      if (version === null || compareVersions(version, base) <= 0) continue
      if (this.#isGood(version) || this.#unpackedAnew(version))
        return { version, folder: programIn(this.#folders, version), isOnTrial: false }
    }
    return { version: base, folder: baseFolder, isOnTrial: false }
  }

  #isGood(version: string): boolean {
    try {
      verifyVersion(this.#folders, version, this.#options)
      return true
    } catch (error) {
      this.#options.log(`Version ${version} is not started: ${wordsOf(error)}`)
      return false
    }
  }

  /** A disk that has lost some of a version may still have what it was unpacked from. */
  #unpackedAnew(version: string): boolean {
    try {
      const list = readFileSync(join(this.#folders.versions, version, 'list.json'), 'utf8')
      unpackVersion(this.#folders, version, list, this.#options)
      return true
    } catch {
      return false
    }
  }

  /** Puts the copy in the place of the database that a version on trial has changed, which is kept aside. */
  #goBack(): void {
    const { dataFolder, log } = this.#options
    const { copy } = this.#folders
    const file = join(dataFolder, database)
    if (existsSync(copy)) {
      const aside = `${file}.of-failed-update`
      // Its log goes first: beside another database it would be taken for that one's.
      for (const ending of ['-wal', '-shm', '']) {
        if (existsSync(`${file}${ending}`)) renameOver(`${file}${ending}`, `${aside}${ending}`)
      }
      settleFolder(dataFolder)
      renameOver(copy, file)
      settleFolder(dataFolder)
      log('The database is the one from before the update again')
    }
    this.#note({ ...this.#state, goingBack: false })
  }

  /** Removes versions that nobody would start, and what was not finished. */
  #removeOthers(): void {
    const { current, former, trial } = this.#state
    const kept = new Set([current, former, trial?.version])
    const { versions } = this.#folders
    if (!existsSync(versions)) return
    for (const name of readdirSync(versions)) if (!kept.has(name)) removeFolder(join(versions, name))
  }
}
