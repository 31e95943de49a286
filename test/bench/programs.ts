import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LoadOrder, LoadResult } from './load-client.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A program that was started for a measurement. */
interface Program {
  readonly port: number
  /** Milliseconds of processor time that it has used so far. */
  stop(): Promise<void>
}

const ending = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** Starts a server that prints its address in one JSON line. */
function start(args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (part: string) => {
      text += part
      if (!text.includes('\n')) return
      resolve({ port: Number(new URL(JSON.parse(text).url).port), stop: () => ending(child) })
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
  })
}

const ourProgram = fileOf('../../server/cli.ts')

/** The server itself, on a folder or a database. */
export const startOurs = (data: string): Promise<Program> =>
  start([ourProgram, 'serve', '--data', data, '--port', '0'])

/** Has our program carry out a command, and waits for its end. */
export const runOurs = (...args: readonly string[]): void => {
  execFileSync(process.execPath, [ourProgram, ...args], { stdio: 'ignore' })
}

/** What it is measured against, on a file. */
export const startBare = (file: string): Promise<Program> => start([fileOf('./bare-server.ts'), file])

/** Clients in a process of their own, so that they do not share a thread with a server. */
export function startClients() {
  const child = fork(fileOf('./load-client.ts'))
  return {
    ask: (order: LoadOrder): Promise<LoadResult> =>
      new Promise((resolve, reject) => {
        child.once('message', (result) => {
          const answered = result as LoadResult
          const [first] = answered.unexpected
          if (first === undefined) resolve(answered)
          else
            reject(new Error(`${answered.unexpected.length} answers were not as expected, such as ${first}`))
        })
        child.send(order)
      }),
    stop: () => ending(child),
  }
}

/** Mebibytes that a program holds now, or has held at most. */
export const memoryOf = (pid: number, kind: 'VmHWM' | 'VmRSS' = 'VmHWM'): number =>
  Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
