import { spawn } from 'node:child_process'
import { realEnv } from '../../../env.ts'
import type { ProgramEnding, RunProgram } from './transport.ts'

/** How much of what a program says is kept. */
const kept = 100_000

/** Runs a program of this machine without a shell; ends it where it takes too long. */
export const runProgram: RunProgram = (command, args, { input, within }) => {
  const { promise, resolve } = Promise.withResolvers<ProgramEnding>()
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
  let output = ''
  const stop = realEnv.after(within, () => child.kill())
  child.stdout.on('data', (piece: Buffer) => {
    if (output.length < kept) output += piece.toString('utf8')
  })
  // A program that ends early reads no more.
  child.stdin.on('error', () => undefined)
  child.on('error', () => resolve({ code: null, output }))
  child.on('close', (code) => resolve({ code, output }))
  child.stdin.end(input)
  return promise.finally(stop)
}
