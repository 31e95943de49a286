import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const versions = '/usr/lib/postgresql'

/** The programs of the newest PostgreSQL server on this machine, or null. */
function programs(): string | null {
  if (!existsSync(versions)) return null
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0]
  const folder = join(versions, newest ?? '', 'bin')
  return existsSync(join(folder, 'initdb')) ? folder : null
}

/** Whether there is a PostgreSQL server that a test can start for itself. */
export const hasPostgres = programs() !== null

const isRoot = process.getuid?.() === 0

/** The command and its words by which a program of PostgreSQL runs: it refuses the user who may do everything. */
export function postgresCommand(
  program: string,
  words: readonly string[],
): readonly [command: string, words: readonly string[]] {
  const whole = join(programs() ?? '', program)
  return isRoot ? ['runuser', ['-u', 'postgres', '--', whole, ...words]] : [whole, words]
}

/** Gives folders to the user as whom it runs. */
export function giveToPostgres(...folders: readonly string[]): void {
  if (isRoot) execFileSync('chown', ['-R', 'postgres', ...folders])
}

/** How a cluster of the tests is made. */
export const clusterWords = ['-A', 'trust', '-U', 'gatehouse', '-E', 'UTF8', '--locale=C.UTF-8'] as const

/** A PostgreSQL server of a test's own, which can be stopped and started. */
export interface OwnPostgres {
  readonly address: string
  /** Starts it unless it runs. */
  start(): void
  /** Ends it as a crash does: without a word to anybody, to be repaired at the next start. */
  crash(): void
  remove(): void
}

/** Milliseconds for a program of PostgreSQL. */
const patience = 120_000

/** A port that nobody uses. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}

/** What of such a server is on a disk of a test's own. */
export interface OnDisk {
  readonly folder: string
  readonly part: 'tables' | 'log of changes'
}

/** Makes such a server, and starts it. */
export async function ownPostgres(disk?: OnDisk): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  const isTables = disk?.part === 'tables'
  const data = join(isTables ? disk.folder : folder, 'data')
  const run = (program: string, ...words: readonly string[]): void => {
    const [command, all] = postgresCommand(program, ['-D', data, ...words])
    execFileSync(command, all, { stdio: 'ignore', timeout: patience })
  }
  chmodSync(folder, 0o755)
  mkdirSync(data, { mode: 0o700 })
  giveToPostgres(folder, data)
  const words: string[] = [...clusterWords]
  if (disk) words.push('--wal-segsize=1', `--waldir=${join(isTables ? folder : disk.folder, 'changes')}`)
  run('initdb', ...words)
  const port = await freePort()
  const options = `-h 127.0.0.1 -p ${port} -k ${folder}${disk ? ' -c min_wal_size=2MB -c max_wal_size=4MB -c wal_recycle=off' : ''}`
  const isRunning = (): boolean => {
    try {
      run('pg_ctl', 'status')
      return true
    } catch {
      return false
    }
  }
  const start = (): void => {
    if (!isRunning()) run('pg_ctl', '-s', '-w', '-l', join(folder, 'log'), '-o', options, 'start')
  }
  const crash = (): void => {
    try {
      run('pg_ctl', '-s', '-m', 'immediate', 'stop')
    } catch {
      // One that has ended by itself cannot be stopped.
    }
  }
  start()
  return {
    address: `postgres://gatehouse@127.0.0.1:${port}/postgres`,
    start,
    crash,
    remove() {
      crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
