import './check-node.mjs'
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { defaultDataFolder } from '../schema/data-folder.ts'
import { runBrowserShell } from './browser/browser.ts'
import { buildScreens } from './browser/build-screens.ts'
import { findChromium, hasDisplay } from './browser/chromium.ts'
import { chooseScreen } from './common/choose-screen.ts'
import { realClock } from './common/clock.ts'
import { makeExitPin } from './common/exit-pin.ts'
import { logToStderr } from './common/log.ts'
import { HELP, readShellOptions, type StartOptions } from './common/options.ts'
import { ELECTRON_ENTRY, findElectron, PROGRAM_FOLDER } from './common/program-files.ts'
import { fetchElectron, hasElectronPackage } from './electron/fetch-electron.ts'
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
  logToStderr(`Data is kept in ${dataFolder}`)
  const screen = await chooseScreen(options.shell, {
    mayFetch: hasDisplay(process.platform, process.env) && hasElectronPackage(PROGRAM_FOLDER),
    isRoot: process.getuid?.() === 0,
    findElectron: () => findElectron(PROGRAM_FOLDER, process.env),
    fetchElectron: (isAskedFor) =>
      fetchElectron({
        ...{ programFolder: PROGRAM_FOLDER, env: process.env, clock: realClock, log: logToStderr },
        isAskedFor,
      }),
    findChromium: () => findChromium(process.platform, process.env),
    log: logToStderr,
  })
  if (typeof screen === 'object') {
    const { code, isOver } = await runElectron(screen.electron, dataFolder, options)
    if (isOver || options.shell === 'electron') return code
    logToStderr(
      'Electron does not start on this system; its last lines say why. The system’s Chromium is the screen',
    )
  }
  return runBrowserShell({ dataFolder, kiosk: options.kiosk, window: screen !== 'none' })
}

/** What has not run for so many milliseconds and fails has not started: libraries or rights are missing. */
const startsWithin = 10_000

/** How Electron ended, and whether that is the end of the station. */
interface ElectronEnd {
  readonly code: number
  readonly isOver: boolean
}

function runElectron(program: string, dataFolder: string, options: StartOptions): Promise<ElectronEnd> {
  logToStderr('The screen is Electron')
  const begun = realClock.now()
  const args = [ELECTRON_ENTRY, '--data', dataFolder, ...(options.kiosk ? [] : ['--window'])]
  const child = spawn(program, args, { stdio: 'inherit' })
  let isAsked = false
  // A Ctrl+C reaches Electron by itself; this process only has to outlive it.
  process.on('SIGINT', () => {
    isAsked = true
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isAsked = true
      child.kill(signal)
    })
  return new Promise((resolve) => {
    const end = (code: number): void =>
      resolve({ code, isOver: isAsked || code === 0 || realClock.now() - begun >= startsWithin })
    child.once('error', () => end(1))
    child.once('exit', (code) => end(code ?? 1))
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
