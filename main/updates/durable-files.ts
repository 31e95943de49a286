import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
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

/** Writes a file for this user alone, whole or not at all, whatever ends the program meanwhile. */
export function writeWhole(file: string, text: string): void {
  const open = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeFileSync(open, text)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  renameSync(`${file}.new`, file)
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
