import { join } from 'node:path'

/** Where updates lie in a data folder; what the server and what starts it tell each other is there as well. */
export const updatesIn = (dataFolder: string) => {
  const folder = join(dataFolder, 'updates')
  return {
    folder,
    /** Files of releases by their SHA-256, whole and checked; those that are still coming end in `.part`. */
    files: join(folder, 'files'),
    versions: join(folder, 'versions'),
    /** What is installed, written by what starts the server alone. */
    state: join(folder, 'state.json'),
    /** What is to be installed next, written by the server when it ends for that. */
    wanted: join(folder, 'wanted.json'),
    /** The newest list that was ever accepted here. */
    list: join(folder, 'list.json'),
    /** The database as it was before the update that is being tried. */
    copy: join(folder, 'before-update.sqlite'),
  }
}

/** The code that a version on trial ends with where the disk has no room for its changes of the database. */
export const endedForRoom = 75

/** What the server asks to be installed. */
export interface WantedUpdate {
  readonly version: string
  /** The signed list that offers it, as it was published. */
  readonly list: string
  /** Whether the database was copied because the update changes it. */
  readonly hasCopy: boolean
  /** Why it could not be asked for after all: the database could not be copied. */
  readonly failed?: 'no room' | 'not copied'
}

/** A version that was tried and does not work here. */
export interface FailedUpdate {
  readonly version: string
  readonly reason: 'not healthy' | 'ended' | 'damaged' | 'no room' | 'not copied'
  /** An instant in UTC. */
  readonly at: string
}

/** What is installed beside the package. */
export interface UpdateState {
  /** The version that was found to be good, and the one before it; null for that of the package. */
  readonly current: string | null
  readonly former: string | null
  /** The version that is being tried: it answers, but nothing is written until it is found to be good. */
  readonly trial: { readonly version: string; readonly starts: number; readonly hasCopy: boolean } | null
  /** The database of this version is being put aside for the copy from before it. */
  readonly goingBack: boolean
  readonly failed: FailedUpdate | null
}

/** The state of a folder where nothing was ever installed. */
export const noUpdates: UpdateState = {
  current: null,
  former: null,
  trial: null,
  goingBack: false,
  failed: null,
}
