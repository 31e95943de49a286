import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import { openPostgres } from '../../../server/storage/postgres-server.ts'
import { until } from '../../support/servers/nodes.ts'
import { freePort, giveToPostgres } from './own-postgres.ts'

const program = '/usr/sbin/pgbouncer'

/** Whether Debian's PgBouncer is installed. */
export const hasPgBouncer = existsSync(program)

/** A PgBouncer of a test's own, in transaction mode. */
export interface OwnPgBouncer {
  /** The address of the database behind it, as servers are given it. */
  readonly address: string
  /** Ends it at once, with all that go through it. */
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Starts it before a database, to which it has so many connections. */
export async function ownPgBouncer(database: string, connections: number): Promise<OwnPgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const behind = new URL(database)
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, '"gatehouse" ""\n')
  writeFileSync(
    settings,
    [
      '[databases]',
      `postgres = host=127.0.0.1 port=${behind.port} dbname=${behind.pathname.slice(1)} user=gatehouse`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${connections}`,
      'max_client_conn = 100',
    ].join('\n'),
  )
  giveToPostgres(folder)
  const isRoot = process.getuid?.() === 0
  const address = `postgres://gatehouse@127.0.0.1:${port}/postgres?pgbouncer=true`
  let child: ChildProcess | undefined
  const answers = async (): Promise<boolean> => {
    const asked = openPostgres(address, (milliseconds, then) => void realEnv.after(milliseconds, then))
    try {
      return (await asked.get(sql`SELECT 1 AS one`)) !== undefined
    } catch {
      return false
    } finally {
      await asked.close()
    }
  }
  const start = async (): Promise<void> => {
    const started = spawn(program, ['-q', ...(isRoot ? ['-u', 'postgres'] : []), settings], {
      stdio: 'ignore',
    })
    child = started
    await until('PgBouncer answers', () => {
      if (started.exitCode !== null) throw new Error('PgBouncer has ended.')
      return answers()
    })
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    address,
    start,
    kill,
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
