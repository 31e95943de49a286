import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clusterWords, giveToPostgres, postgresCommand } from './own-postgres.ts'

async function run(program: string, ...words: readonly string[]): Promise<void> {
  const [command, all] = postgresCommand(program, words)
  await promisify(execFile)(command, all, { cwd: tmpdir() })
}

/** A folder that PostgreSQL's user owns. */
export function clusterFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'))
  giveToPostgres(path)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A PostgreSQL server of its own in a folder, of which copies are made and which is brought back. */
export class ArchivedPostgres {
  readonly data: string
  readonly port: number
  readonly #folder: string

  constructor(folder: string, name: string, port: number) {
    this.#folder = folder
    this.data = join(folder, name)
    this.port = port
  }

  get archive(): string {
    return join(this.#folder, 'archive')
  }

  get address(): string {
    return `postgres://gatehouse@127.0.0.1:${this.port}/postgres`
  }

  /** Makes it anew, with what it logs kept in a folder. */
  async create(): Promise<void> {
    await run('initdb', '-D', this.data, ...clusterWords)
    this.configure(
      'archive_mode = on',
      `archive_command = 'mkdir -p ${this.archive} && cp %p ${this.archive}/%f'`,
      'wal_level = replica',
    )
  }

  configure(...lines: readonly string[]): void {
    writeFileSync(join(this.data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  }

  async start(): Promise<void> {
    const options = `-h 127.0.0.1 -p ${this.port} -k ${this.#folder}`
    await run('pg_ctl', '-D', this.data, '-s', '-w', '-l', join(this.#folder, 'log'), '-o', options, 'start')
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await run('pg_ctl', '-D', this.data, '-s', '-w', '-m', mode, 'stop')
  }

  /** Copies it while it runs; the copy is another server at the same port. */
  async copy(name: string): Promise<ArchivedPostgres> {
    const copy = new ArchivedPostgres(this.#folder, name, this.port)
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'gatehouse']
    await run('pg_basebackup', ...from, '-D', copy.data, '-c', 'fast', '-X', 'none')
    return copy
  }

  /** Makes and starts a server at another port that repeats what this one does; from then on, no commit ends before that one has it. */
  async followAt(port: number, name: string): Promise<ArchivedPostgres> {
    const replica = new ArchivedPostgres(this.#folder, name, port)
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'gatehouse']
    await run('pg_basebackup', ...from, '-D', replica.data, '-c', 'fast', '-X', 'stream')
    replica.configure(`primary_conninfo = 'host=127.0.0.1 port=${this.port} user=gatehouse'`)
    writeFileSync(join(replica.data, 'standby.signal'), '')
    await replica.start()
    this.configure("synchronous_standby_names = '*'")
    await run('pg_ctl', '-D', this.data, '-s', 'reload')
    return replica
  }

  /** Has a server that has followed another one go on by itself. */
  async promote(): Promise<void> {
    await run('pg_ctl', '-D', this.data, '-s', '-w', 'promote')
  }

  /** Has it replay, when it starts, what was logged until a point of this name, and go on from there. */
  recoverTo(point: string): void {
    this.configure(
      `restore_command = 'cp ${this.archive}/%f %p'`,
      `recovery_target_name = '${point}'`,
      "recovery_target_action = 'promote'",
    )
    writeFileSync(join(this.data, 'recovery.signal'), '')
  }
}
