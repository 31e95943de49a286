import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The right to use a data folder, held by one process at a time. */
export interface StationLock {
  release(): void
}

/** Another process uses the folder already. */
interface Taken {
  readonly takenBy: number
}

/**
 * Takes the lock file of a data folder. A lock whose process is gone (a crash, a power cut) is removed and
 * taken; a process that merely has the same number by now is told apart by its start time, where that is known.
 */
export function lockStation(folder: string): StationLock | Taken {
  const file = join(folder, 'station.lock')
  const mine = holderOf(process.pid)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    for (let tries = 0; tries < 5; tries++) {
      if (takeFile(draft, file)) return { release: () => releaseFile(file, mine) }
      const held = readFile(file)
      if (held === null) continue
      const pid = Number.parseInt(held, 10)
      if (held !== '' && held === holderOf(pid)) return { takenBy: pid }
      removeStale(draft, file, held)
    }
    return { takenBy: Number.parseInt(readFile(file) ?? '', 10) }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The number of a process and, on Linux, its start time: together they are never used twice. Empty when gone. */
function holderOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 0) return ''
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return ''
  }
  return `${pid} ${startTime(pid)}`.trim()
}

// Field 22 of /proc/PID/stat, in ticks since the machine started, with the number of that start.
function startTime(pid: number): string {
  const stat = readFile(`/proc/${pid}/stat`)
  const boot = readFile('/proc/sys/kernel/random/boot_id')
  if (stat === null || boot === null) return ''
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return `${ticks} ${boot.trim()}`
}

function readFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

// A link appears with its content or not at all, so nobody ever reads a lock that is half written.
function takeFile(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

// Several processes may find the same stale lock, and by the time that one removes it another may have taken the folder:
// one at a time looks once more and removes it, and nobody else replaces it meanwhile.
function removeStale(draft: string, file: string, held: string): void {
  const guard = `${file}.removing`
  if (!takeFile(draft, guard)) {
    const remover = readFile(guard)
    if (remover !== null && remover !== holderOf(Number.parseInt(remover, 10))) rmSync(guard, { force: true })
    return
  }
  try {
    if (readFile(file) === held) rmSync(file, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

function releaseFile(file: string, mine: string): void {
  if (readFile(file) === mine) rmSync(file, { force: true })
}
