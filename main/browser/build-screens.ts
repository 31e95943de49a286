import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellLog } from '../common/log.ts'

/** Whether the built screens are missing or older than what they are built from. */
export function screensAreStale(programFolder: string): boolean {
  const renderer = join(programFolder, 'renderer')
  // A packaged program has no sources to build from.
  if (!existsSync(join(renderer, 'index.html'))) return false
  const built = join(renderer, 'dist', 'index.html')
  if (!existsSync(built)) return true
  const builtAt = statSync(built).mtimeMs
  return newest(renderer) > builtAt || newest(join(programFolder, 'schema')) > builtAt
}

/**
 * Builds the screens when they are stale. Throws a sentence when that fails and there are none to go on with.
 */
export async function buildScreens(programFolder: string, log: ShellLog): Promise<void> {
  if (!screensAreStale(programFolder)) return
  log('Building the screens (only after a change, a few seconds) …')
  const vite = join(programFolder, 'node_modules', 'vite', 'bin', 'vite.js')
  const failure = existsSync(vite) ? await run(programFolder, vite) : 'run "npm install" first'
  if (failure === null) return
  if (existsSync(join(programFolder, 'renderer', 'dist', 'index.html'))) {
    log(`The screens could not be built, so the ones from before are shown. ${failure}`)
    return
  }
  throw new Error(`The screens could not be built: ${failure}`)
}

function run(programFolder: string, vite: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vite, 'build', 'renderer', '--logLevel', 'warn'], {
      cwd: programFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        said = `${said}${text}`.slice(-8000)
      })
    }
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 ? null : said.trim() || `vite ended with code ${code}`))
  })
}

/** The time of the newest file of a folder, without what was built or installed in it. */
function newest(folder: string): number {
  if (!existsSync(folder)) return 0
  let time = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'dist' || entry.name === 'node_modules' || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }
  return time
}
