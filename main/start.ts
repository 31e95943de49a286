import './check-node.mjs'
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { defaultDataFolder } from '../schema/data-folder.ts'
import { runBrowserShell } from './browser/browser.ts'
import { buildScreens } from './browser/build-screens.ts'
import { realClock } from './common/clock.ts'
import { makeExitPin } from './common/exit-pin.ts'
import { logToStderr } from './common/log.ts'
import { HELP, readShellOptions, type StartOptions } from './common/options.ts'
import { ELECTRON_ENTRY, findElectron, PROGRAM_FOLDER } from './common/program-files.ts'
import { makeDataFolder } from './server/data-folder.ts'

async function start(args: readonly string[]): Promise<number> {
  const options = readShellOptions(args)
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const dataFolder = resolve(options.data ?? defaultDataFolder(process.platform, process.env, homedir()))
  if (options.setExitPin) return setExitPin(dataFolder)
  await buildScreens(PROGRAM_FOLDER, logToStderr)
  const electron = findElectron(PROGRAM_FOLDER, process.env)
  const shell = options.shell ?? (electron === null ? 'browser' : 'electron')
  logToStderr(`Data is kept in ${dataFolder}`)
  if (shell === 'electron') return runElectron(electron, dataFolder, options)
  logToStderr(
    options.shell === null
      ? 'Electron is not installed ("npx install-electron" fetches it): the system’s Chromium is the screen'
      : `The screen is ${shell === 'none' ? 'a browser you open yourself' : 'the system’s Chromium'}`,
  )
  return runBrowserShell({ dataFolder, kiosk: options.kiosk, window: shell === 'browser' })
}

function runElectron(program: string | null, dataFolder: string, options: StartOptions): Promise<number> {
  if (program === null) throw new Error('Electron is not installed; "npx install-electron" fetches it')
  logToStderr('The screen is Electron')
  const args = [ELECTRON_ENTRY, '--data', dataFolder, ...(options.kiosk ? [] : ['--window'])]
  const child = spawn(program, args, { stdio: 'inherit' })
  // A Ctrl+C reaches Electron by itself; this process only has to outlive it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

async function setExitPin(dataFolder: string): Promise<number> {
  makeDataFolder(dataFolder)
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const ask = async (question: string) => {
    process.stderr.write(question)
    return (await lines.next()).value ?? ''
  }
  const pin = makeExitPin(join(dataFolder, 'exit-pin'), realClock)
  const current = pin.isSet() ? await ask('The current PIN: ') : ''
  const answer = await pin.change(current, await ask('The new PIN (at least 4 characters): '))
  logToStderr(answer.ok ? 'The exit PIN is set' : `The exit PIN is not changed: ${answer.reason}`)
  return answer.ok ? 0 : 1
}

start(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
