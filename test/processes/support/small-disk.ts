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

/** A file system of its own in memory, which can be filled up. */
export interface MountedDisk {
  readonly folder: string
  fill(): void
  /** Makes room again. */
  clear(): void
  remove(): void
}

/**
 * Makes such a disk: a file system of its own in memory, where this may be mounted. Elsewhere the system is told that the
 * files of the machine may not grow, which it notices at the same place.
 */
export function makeSmallDisk(): SmallDisk {
  const mounted = mountDisk(48)
  if (mounted) return mounted
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-small-'))
  return {
    folder,
    fill: (machine) => limitFiles(machine, String(statSync(`${machine.file}-wal`).size)),
    clear: (machine) => limitFiles(machine, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Mounts a disk of some mebibytes, or null where this may not be done. */
export function mountDisk(mebibytes: number): MountedDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-small-'))
  if (!mount(folder, mebibytes)) {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      for (let piece = 2 ** 20; piece >= 512; )
        try {
          writeFileSync(filler, new Uint8Array(piece), { flag: 'a' })
        } catch {
          piece /= 2
        }
    },
    clear: () => rmSync(filler),
    remove() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function mount(folder: string, mebibytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const limitFiles = (machine: Machine, bytes: string): void => {
  execFileSync('prlimit', ['--pid', String(machine.pid), `--fsize=${bytes}:unlimited`])
}
