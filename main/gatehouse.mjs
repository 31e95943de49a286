#!/usr/bin/env node
// The command `gatehouse`. The system's Node starts it, whichever that is; one that is too old hands over to the one
// of the package `node`, which `npm install` has brought along.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeProblem } from './node-problem.mjs'

/** The program of the package `node`, or null where it is not installed. */
function installedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node)
  } catch {
    return null
  }
}

/** Runs the command line on another Node: its streams, signals and ending are this program's own. */
function handOver(node) {
  const script = fileURLToPath(new URL('../server/cli.ts', import.meta.url))
  // By the channel the server notices that this program is gone, even one that was killed, and stops.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.once('error', (cause) => {
    console.error(`${node} cannot be started: ${cause.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}

/**
 * Ends this program with the shell that npm runs it in: npm passes a signal to that shell, which ends without passing it
 * on, and a server would be left behind.
 */
function endWithShell() {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 300)
  watch.unref()
}

if (process.env.npm_command !== undefined) endWithShell()
const problem = nodeProblem(process.versions.node)
const node = problem === null ? null : installedNode()
if (problem === null) await import('../server/cli.ts')
else if (node !== null) handOver(node)
else {
  console.error(problem)
  process.exit(1)
}
