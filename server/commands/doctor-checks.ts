import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import sql from 'sql-template-tag'
import { openDatabase } from '../data.ts'
import { fileIn, folderIn } from '../data-address.ts'
import { type Env, realEnv } from '../env.ts'
import { isThere } from '../make-folder.ts'
import type { Database } from '../storage/database.ts'
import { missingMigrations } from '../storage/migrate.ts'
import { refuseNetworkDisk } from '../storage/network-disk.ts'
import { dataFailure, sentence } from './failures.ts'

/** What was found out about one thing: whether it is well, should be looked at, or keeps the server from working. */
export interface Finding {
  readonly check: 'disk' | 'database' | 'port' | 'clock' | 'mail' | 'certificate'
  readonly state: 'well' | 'look' | 'bad'
  /** A sentence, which says what to do unless all is well. */
  readonly text: string
}

const well = (check: Finding['check'], text: string): Finding => ({ check, state: 'well', text })
const look = (check: Finding['check'], text: string): Finding => ({ check, state: 'look', text })
const bad = (check: Finding['check'], text: string): Finding => ({ check, state: 'bad', text })

const mebibyte = 2 ** 20
/** Less free room than this, in bytes, is soon used up; with less than that a server says that its disk is full. */
const littleRoom = 2048 * mebibyte
const noRoom = 100 * mebibyte

/** How long a disk takes to confirm something that was written: the middle of some times, in milliseconds. */
function confirmedWithin(folder: string, env: Pick<Env, 'elapsed'>): number {
  const file = join(folder, `.doctor-${process.pid}`)
  const handle = openSync(file, 'w', 0o600)
  try {
    const times = Array.from({ length: 15 }, (_, index) => {
      const begun = env.elapsed()
      writeSync(handle, Buffer.alloc(4096, index), 0, 4096, 0)
      fsyncSync(handle)
      return env.elapsed() - begun
    })
    return times.toSorted((a, b) => a - b)[7] ?? 0
  } finally {
    closeSync(handle)
    rmSync(file, { force: true })
  }
}

/** Looks at the disk of a data folder: whose it is, how much room there is, and how fast it confirms. */
export async function checkDisk(folder: string): Promise<Finding> {
  try {
    await refuseNetworkDisk(folder)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const room = `${Math.floor(free / mebibyte)} MiB are free in ${folder}`
    if (free < noRoom) return bad('disk', `${room}. Make room: nothing can be stored.`)
    const milliseconds = confirmedWithin(folder, realEnv)
    const speed = `it confirms a write within ${milliseconds.toFixed(2)} ms`
    if (free < littleRoom) return look('disk', `${room}, which is little. Make room; ${speed}.`)
    if (milliseconds > 50)
      return look('disk', `${room}; ${speed}, which is slow: each scan waits for it. Use an SSD.`)
    if (milliseconds < 0.02)
      return look(
        'disk',
        `${room}; ${speed}, faster than disks are. In memory, or with a cache that does not keep its word, scans are lost when the power goes.`,
      )
    return well('disk', `${room}; ${speed}.`)
  } catch (cause) {
    return bad('disk', sentence(dataFailure(cause, folder)))
  }
}

interface PostgresFacts {
  readonly version: string
  readonly number: number
  readonly fsync: string
  readonly confirmed: string
  readonly pages: string
  readonly may_create: boolean
  readonly has_extension: boolean
}

/** What keeps a PostgreSQL database from being used, or from keeping its word; null for nothing. */
export async function postgresTrouble(database: Database): Promise<string | null> {
  const facts = await database.get<PostgresFacts & Record<string, string | number | boolean>>(
    sql`SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
          current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS confirmed,
          current_setting('full_page_writes') AS pages,
          has_schema_privilege(current_schema(), 'CREATE') AS may_create,
          EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') AS has_extension`,
  )
  if (!facts) return 'It answers nothing.'
  if (facts.number < 140_000) return `It is PostgreSQL ${facts.version}. Use 14 or newer.`
  if (!facts.has_extension) return 'It has no extension pg_trgm. Install it (Debian: postgresql-contrib).'
  if (!facts.may_create) return 'This user may create no tables. Give it the right to CREATE in its schema.'
  const off = Object.entries({
    fsync: facts.fsync,
    synchronous_commit: facts.confirmed,
    full_page_writes: facts.pages,
  }).find(([, value]) => value === 'off')
  return off ? `Its setting ${off[0]} is off: what was acknowledged can be lost. Turn it on.` : null
}

/** What is wrong with a SQLite database; null for nothing. */
export async function sqliteTrouble(database: Database): Promise<string | null> {
  const row = await database.get<{ quick_check: string }>(sql`PRAGMA quick_check(1)`)
  return row?.quick_check === 'ok'
    ? null
    : `It is damaged (${row?.quick_check}). Stop every program that uses it, and put a backup in its place.`
}

/** Looks whether a database can be opened, is sound, keeps its word, and is of this program. */
export async function checkDatabase(address: string): Promise<Finding> {
  const folder = folderIn(address)
  if (folder !== null && !(await isThere(fileIn(folder))))
    return well('database', `None is in ${folder} yet: the first start makes it.`)
  try {
    const database = await openDatabase(address)
    try {
      const trouble = await (database.engine === 'postgres' ? postgresTrouble : sqliteTrouble)(database)
      if (trouble !== null) return bad('database', trouble)
      // Without the table that says so, nothing has been stored there yet.
      const missing = await missingMigrations(database).then(
        ({ length }) => length,
        () => null,
      )
      if (missing === null) return well('database', 'It is empty and can be used: the first start fills it.')
      return well(
        'database',
        missing === 0
          ? 'It is sound, and of this version.'
          : `It is sound. The next start brings it to this version (${missing} steps); make a backup before.`,
      )
    } finally {
      await database.close()
    }
  } catch (cause) {
    return bad('database', sentence(dataFailure(cause, address)))
  }
}

const canListen = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code ?? cause.message))
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })

/** Looks whether a port is free, or a server of ours is at it. */
export async function checkPort(host: string, port: number, env: Pick<Env, 'fetch'>): Promise<Finding> {
  const why = await canListen(host, port)
  if (why === null) return well('port', `Port ${port} of ${host} is free.`)
  if (why !== 'EADDRINUSE')
    return bad('port', `Port ${port} of ${host} cannot be used (${why}). Choose another one with --port.`)
  const shown = host.includes(':') ? `[${host}]` : host
  const answer = await env
    .fetch(`http://${shown}:${port}/healthz`, { signal: AbortSignal.timeout(3000) })
    .then((response) => response.ok)
    .catch(() => false)
  return answer
    ? well('port', `A server answers at port ${port} of ${host}.`)
    : bad(
        'port',
        `Another program uses port ${port} of ${host}. Stop it, or choose another port with --port.`,
      )
}

/** Milliseconds by which clocks may differ before somebody should look, and before tickets are judged wrongly. */
const clockLooks = 2000
const clockWrong = 120_000

/** Compares the clock with that of a server, by the date of its answers, which are of whole seconds. */
export async function checkClock(url: string, env: Pick<Env, 'fetch' | 'now'>): Promise<Finding> {
  try {
    const asked = env.now()
    const { headers } = await env.fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) })
    const theirs = Date.parse(headers.get('date') ?? '')
    if (Number.isNaN(theirs)) return look('clock', `${url} does not say what time it is.`)
    const off = (asked + env.now()) / 2 - (theirs + 500)
    const seconds = `${Math.abs(off / 1000).toFixed(0)} seconds ${off > 0 ? 'ahead of' : 'behind'} ${url}`
    if (Math.abs(off) < clockLooks) return well('clock', `It agrees with ${url}.`)
    const advice = 'Have it set by the network (NTP).'
    return Math.abs(off) < clockWrong
      ? look('clock', `It is ${seconds}. ${advice}`)
      : bad('clock', `It is ${seconds}: validity and rules of tickets are judged wrongly. ${advice}`)
  } catch (cause) {
    return look('clock', `${url} could not be asked for the time (${sentence(cause)}).`)
  }
}

/** Looks whether a mail server lets us in; nothing is sent. */
export async function checkMail(address: string): Promise<Finding> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url: address, connectionTimeout: 10_000, greetingTimeout: 10_000 })
  try {
    await transport.verify()
    return well('mail', 'The mail server lets us in.')
  } catch (cause) {
    return bad(
      'mail',
      `The mail server does not let us in (${sentence(cause)}). Look at GATEHOUSE_SMTP: its name, port, user and password.`,
    )
  } finally {
    transport.close()
  }
}

const day = 86_400_000

/** What Node says where a certificate is not good, and not the connection. */
const disbelieved = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/

/** Looks how long the certificate of an https address is good, and whether it is believed at all. */
export function checkCertificate(url: string, env: Pick<Env, 'now'>): Promise<Finding> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), timeout: 10_000 })
    socket.once('timeout', () => socket.destroy(new Error('it does not answer')))
    socket.once('error', (cause: NodeJS.ErrnoException) =>
      resolve(
        bad(
          'certificate',
          disbelieved.test(cause.code ?? '')
            ? `Browsers do not believe the certificate of ${url} (${cause.code}). Have one made for this name.`
            : `${url} cannot be reached (${cause.message}).`,
        ),
      ),
    )
    socket.once('secureConnect', () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - env.now()) / day)
      socket.end()
      resolve(
        days < 14
          ? look('certificate', `The certificate of ${url} ends in ${days} days. Have it renewed.`)
          : well('certificate', `The certificate of ${url} is good for ${days} days.`),
      )
    })
  })
}
