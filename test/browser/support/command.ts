import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

/** Runs a command of the program; it ends by itself when this process does. */
export const runCommand = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })

/** The first line that a command prints; what it complained about when it prints none. */
export async function firstLine(child: ChildProcess): Promise<string> {
  assert(child.stdout && child.stderr)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-4000)
  })
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error(`The command ended without a word.\n${complaint}`)
}
