import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Machine } from './machine.ts'

/** A disk for the data of a machine that can be filled up. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no room for what a machine writes from now on. */
  fill(machine: Machine): void
  /** Makes room again. */
  clear(machine: Machine): void
  remove(): void
}

const size = 48 * 2 ** 20

/**
 * Makes such a disk: a file system of its own in memory, where this may be mounted. Elsewhere the system is told that the
 * files of the machine may not grow, which it notices at the same place.
 */
export function makeSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-small-'))
  const isMounted = mount(folder)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(machine) {
      if (!isMounted) {
        limitFiles(machine, String(statSync(`${machine.file}-wal`).size))
        return
      }
      for (let piece = 2 ** 20; piece >= 512; )
        try {
          writeFileSync(filler, new Uint8Array(piece), { flag: 'a' })
        } catch {
          piece /= 2
        }
    },
    clear(machine) {
      if (isMounted) rmSync(filler)
      else limitFiles(machine, 'unlimited')
    },
    remove() {
      if (isMounted) execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const limitFiles = (machine: Machine, bytes: string): void => {
  execFileSync('prlimit', ['--pid', String(machine.pid), `--fsize=${bytes}:unlimited`])
}
