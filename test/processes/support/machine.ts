import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Call } from '../../support/servers/servers.ts'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))
const shiftable = new URL('./shiftable-clock.ts', import.meta.url).href

/** A computer with the program on it, which runs as a process of its own. */
export interface Machine {
  readonly name: string
  readonly folder: string
  readonly file: string
  /** Where it answers since its last start. */
  readonly url: string
  readonly pid: number
  /** The secret of its screens. */
  readonly key: string
  /** What it has written to its log. */
  readonly log: string
  /** Starts it on what is in its folder. */
  start(): Promise<void>
  /** Ends it at once, as a power cut does to a program. */
  kill(): Promise<void>
  /** Ends it in order. */
  stop(): Promise<void>
  /** Asks it: as the screens of this machine where it has some, as a person with all rights elsewhere. */
  readonly call: Call
  /** Looks into its database from beside. */
  read<T = RowData>(statement: string, ...values: readonly unknown[]): T[]
  /** Changes its database from beside. */
  tamper(work: (database: Sqlite.Database) => void): void
  /** Sets its clocks to another time than the true one: milliseconds that they are ahead. */
  setClock(ahead: number): Promise<void>
}

/** What kind of machine it is. */
export interface MachineOptions {
  /** Whether it serves screens of its own. */
  readonly screens?: boolean
  /** Where its data is; a new folder unless given. */
  readonly folder?: string
  /** Further words of the command that starts it. */
  readonly more?: readonly string[]
}

/** Machines and folders that belong together. */
export interface Room {
  build(name: string, options?: MachineOptions): Machine
  folder(): string
  /** Ends and removes all of them. */
  clear(): Promise<void>
}

/** Opens a room with nothing in it. */
export function openRoom(): Room {
  const running = new Set<ChildProcess>()
  const folders: string[] = []
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'gatehouse-machine-'))
    folders.push(made)
    return made
  }
  return {
    folder,
    build: (name, options = {}) => build(name, options.folder ?? folder(), options, running),
    async clear() {
      const ended = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(ended)
      for (const one of folders) rmSync(one, { recursive: true, force: true })
    },
  }
}

/** Machines and folders of one suite; after it nothing of them is left. */
export function machineRoom(): Room {
  const room = openRoom()
  after(() => room.clear())
  return room
}

function build(
  name: string,
  folder: string,
  { screens = false, more = [] }: MachineOptions,
  running: Set<ChildProcess>,
): Machine {
  const file = join(folder, 'gatehouse.sqlite')
  let child: ChildProcess | null = null
  let url = ''
  let key = ''
  let log = ''
  let ahead = 0

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    child = null
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }

  async function tellClock(): Promise<void> {
    if (!child) return
    const heard = once(child, 'message')
    child.send({ ahead })
    await heard
  }

  return {
    name,
    folder,
    file,
    get url() {
      return url
    },
    get pid() {
      return child?.pid ?? 0
    },
    get key() {
      return key
    },
    get log() {
      return log
    },
    async start() {
      const words = ['serve', '--data', folder, '--port', '0', ...(screens ? ['--station'] : []), ...more]
      const starting = spawn(process.execPath, ['--import', shiftable, cli, ...words], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          CLOCK_AHEAD: String(ahead),
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        },
      })
      child = starting
      running.add(starting)
      starting.once('exit', () => running.delete(starting))
      starting.stderr?.setEncoding('utf8').on('data', (part: string) => {
        log += part
      })
      const line = await new Promise<string>((resolve, reject) => {
        let text = ''
        starting.stdout?.setEncoding('utf8').on('data', (part: string) => {
          text += part
          if (text.includes('\n')) resolve(text)
        })
        starting.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${log.slice(-2000)}`)))
      })
      const ready: { url: string; key?: string } = JSON.parse(line)
      url = ready.url
      key = ready.key ?? ''
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async call(method, path, body, headers = {}) {
      const answer = await fetch(url + path, {
        method,
        headers: {
          Authorization: key === '' ? 'Token all' : `Station ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
        redirect: 'manual',
      })
      const text = await answer.text()
      const isJson = /^application\/json/.test(answer.headers.get('content-type') ?? '')
      return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers }
    },
    read<T>(statement: string, ...values: readonly unknown[]): T[] {
      const database = new Sqlite(file, { readonly: true })
      try {
        return database.prepare(statement).all(...values) as T[]
      } finally {
        database.close()
      }
    },
    tamper(work) {
      const database = new Sqlite(file)
      database.pragma('busy_timeout = 5000')
      try {
        work(database)
      } finally {
        database.close()
      }
    },
    async setClock(next) {
      ahead = next
      await tellClock()
    },
  }
}

/** Waits until something is so; asks again and again, and gives up after some seconds. */
export async function waitFor(
  what: string,
  look: () => Promise<boolean> | boolean,
  seconds = 90,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  // Asked for rarely after a while, so that looking is not what it waits for.
  for (let pause = 10; !(await look()); pause = Math.min(pause * 1.2, 250)) {
    assert.ok(performance.now() < end, `It never came so far: ${what}`)
    await new Promise<void>((resolve) => setTimeout(resolve, pause))
  }
}
