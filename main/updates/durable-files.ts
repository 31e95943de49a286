import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Has the disk keep the names in a folder as they are now. Windows keeps them by itself. */
export function settleFolder(folder: string): void {
  if (process.platform === 'win32') return
  const open = openSync(folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** What Windows says of a file that another program looks into at the moment, such as one that looks for viruses. */
const looksIntoIt: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY'])

const tries = 40
const pause = 50

/** Waits without giving others their turn: nothing is to happen between two steps of a change of versions. */
const waitFor = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** The system on which a file is renamed. */
interface RenamingSystem {
  readonly platform: NodeJS.Platform
  readonly rename: (from: string, to: string) => void
  readonly wait: (milliseconds: number) => void
}

const thisSystem: RenamingSystem = { platform: process.platform, rename: renameSync, wait: waitFor }

/**
 * Gives a file or folder another name, in the place of what has that name. On Windows others who look into either are
 * waited for, for two seconds at most.
 */
export function renameOver(from: string, to: string, system: RenamingSystem = thisSystem): void {
  for (let left = tries; ; left -= 1)
    try {
      system.rename(from, to)
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (system.platform !== 'win32' || left <= 1 || !looksIntoIt.has(code)) throw error
      system.wait(pause)
    }
}

/** Removes a folder and all in it; on Windows others who look into it are waited for. */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: pause })

/** Writes a file for this user alone, whole or not at all, whatever ends the program meanwhile. */
export function writeWhole(file: string, text: string): void {
  const open = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeFileSync(open, text)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  renameOver(`${file}.new`, file)
  settleFolder(dirname(file))
}

/** The JSON in a file; null where there is none, or something else. */
export function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
