import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine, runCommand } from './command.ts'
import { demo } from './demo.ts'

/** An answer of the server, its body read as JSON where it is JSON. */
interface Answer {
  readonly status: number
  // Tests look into answers of every shape.
  readonly body: unknown
}

/** A station's server in a process of its own, on a data folder of its own. */
export interface Station {
  readonly url: string
  /** The address that the shell loads into the window. */
  readonly open: string
  readonly key: string
  /** A request as the shell makes it; with another `authorization` as anybody else. */
  call(method: string, path: string, body?: unknown, authorization?: string): Promise<Answer>
  /** Ends the process as a power cut would. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same data and port; the key is a new one. */
  restart(): Promise<Station>
  /** Ends the process in order, and removes the data folder. */
  close(): Promise<void>
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}

/** Starts a station: on an empty data folder, or on one with the demo event and nothing chosen yet. */
export async function startStation(data: 'empty' | 'demo'): Promise<Station> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-station-'))
  if (data === 'demo') copyFileSync((await demo()).database, join(folder, 'gatehouse.sqlite'))
  return serve(folder, 0)
}

async function serve(folder: string, port: number): Promise<Station> {
  const child = runCommand('serve', '--station', '--data', folder, '--port', String(port))
  const ready: { url: string; open: string; key: string } = JSON.parse(await firstLine(child))
  return {
    ...ready,
    async call(method, path, body, authorization = `Station ${ready.key}`) {
      const answer = await fetch(ready.url + path, {
        method,
        headers: {
          ...(authorization === '' ? {} : { Authorization: authorization }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'manual',
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false
      return { status: answer.status, body: isJson ? JSON.parse(text) : text }
    },
    kill: async () => void (await end(child, 'SIGKILL')),
    restart: () => serve(folder, Number(new URL(ready.url).port)),
    async close() {
      const code = await end(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      assert(code === 0 || child.signalCode === 'SIGKILL', `the server ended with ${code}`)
    },
  }
}
