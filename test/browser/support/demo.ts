import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine, runCommand } from './command.ts'

/** One ticket of the demo's sample sheet; `note` is what the sheet says will happen. */
export interface SampleTicket {
  readonly code: string
  readonly name: string
  readonly product: string
  readonly order: string
  readonly note: string
  readonly png: string
}

/** The demo event as the command made it. */
interface Demo {
  /** The file with all its data. */
  readonly database: string
  /** May do everything with it. */
  readonly token: string
  readonly tickets: readonly SampleTicket[]
}

let made: Promise<Demo> | undefined

async function make(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const demo = JSON.parse(await firstLine(runCommand('demo', '--data', folder, '--json')))
  return { database: join(folder, 'gatehouse.sqlite'), token: demo.token, tickets: demo.tickets }
}

/** The demo event. It is made once for all tests: each station works on a copy. */
export function demo(): Promise<Demo> {
  made ??= make()
  return made
}

/** The sample ticket whose note has these words in it. */
export async function sample(words: string): Promise<SampleTicket> {
  const { tickets } = await demo()
  const found = tickets.find(({ note }) => note.includes(words))
  assert(found, `no sample ticket is said to be "${words}": ${tickets.map(({ note }) => note).join(', ')}`)
  return found
}
