import { crc32 } from 'node:zlib'

/** What the disk of a machine does to the database on it. */
export interface Disk {
  /** What is on it, or null for nothing yet. */
  image: Buffer | null
  /** No more fits on it: what writes fails. */
  isFull: boolean
  /** Whether that is noticed at the commit only, and not at once. */
  endsWhenFull: boolean
  /** Whether something has failed for it. */
  hasOverflown: boolean
  /** Another program keeps the database to itself. */
  isBusy: boolean
  /** A checksum over everything ever written and committed, so that two runs can be compared. */
  digest: number
  /** The number of commits that changed something. */
  commits: number
  /** Called at a commit that changes something, before and after it: a machine may die there. */
  readonly atCommit: (moment: 'before' | 'after') => void
  /** The databases that are open on it: the first one is what a new start finds. */
  readonly open: OpenImage[]
}

/** A database that is open on a disk. */
export interface OpenImage {
  /** What a new start would find of it: what is committed. */
  committed(): Buffer
  /** Takes it from whoever has it open: whatever they do with it from now on fails. */
  seize(): void
}

/** What somebody gets who goes on using the disk of a machine that is off. */
export class PowerIsOff extends Error {
  constructor() {
    super('The machine is off.')
  }
}

/** Adds something to the checksum of a disk. */
export function digested(digest: number, text: string, values: readonly unknown[]): number {
  return crc32(values.length === 0 ? text : text + JSON.stringify(values), digest)
}
