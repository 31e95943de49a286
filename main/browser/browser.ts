import { join } from 'node:path'
import type { Answers } from '../common/channels.ts'
import { realClock } from '../common/clock.ts'
import { type ExitPin, makeExitPin } from '../common/exit-pin.ts'
import { logToStderr, type ShellLog } from '../common/log.ts'
import type { ServerAddress } from '../common/server-address.ts'
import { windowAnswers } from '../common/window-answers.ts'
import { loadHidPort } from '../scanners/hid-port.ts'
import { makeDataFolder } from '../server/data-folder.ts'
import { forkNodeServer } from '../server/node-server.ts'
import { startStation } from '../server/station.ts'
import { lockStation } from '../server/station-lock.ts'
import { updatedServer } from '../updates/updated-server.ts'
import { chromiumArguments, findChromium, hasDisplay } from './chromium.ts'
import { keepChromium, type SupervisedChromium } from './chromium-process.ts'

/** What the browser shell is started with. */
interface BrowserShellOptions {
  readonly dataFolder: string
  readonly kiosk: boolean
  /** False: only print the address. */
  readonly window: boolean
  readonly serverScript?: string
  readonly log?: ShellLog
}

/** Chromium prints to the usual printer only, without the shell. */
const printsNothing: Pick<Answers, 'print:printers' | 'print:page'> = {
  'print:printers': () => [],
  'print:page': () => ({ printed: false, reason: 'Chromium prints to the usual printer only.' }),
}

/**
 * Runs a station with the system's Chromium as its screen, or with no screen, until it is asked to stop: by
 * SIGINT, SIGTERM or SIGHUP, or by closing the window where no exit PIN is set. Answers the exit code.
 */
export async function runBrowserShell(options: BrowserShellOptions): Promise<number> {
  const { dataFolder, kiosk, log = logToStderr, serverScript } = options
  makeDataFolder(dataFolder)
  const lock = lockStation(dataFolder)
  if ('takenBy' in lock) {
    log(`Gatehouse is already running on ${dataFolder} (process ${lock.takenBy}).`)
    return 1
  }
  const ended = Promise.withResolvers<number>()
  const program = options.window ? chooseChromium(log) : null
  let chromium: SupervisedChromium | null = null
  let printed: string | null = null
  const pin = makeExitPin(join(dataFolder, 'exit-pin'), realClock)

  function show(address: ServerAddress): void {
    if (program === null) {
      if (printed !== address.open)
        console.log(`Open this address in a browser on this machine: ${address.open}`)
      printed = address.open
      return
    }
    log(`Gatehouse answers at ${address.url}`)
    chromium ??= openScreen(program, { dataFolder, kiosk, log, pin, ended, sawPage: server.sawPage })
    chromium.show(address.open)
  }

  const server = updatedServer({
    dataFolder,
    forkScript: forkNodeServer,
    clock: realClock,
    log,
    needsPage: program !== null,
    ...(serverScript === undefined ? {} : { script: serverScript }),
  })
  const station = startStation({
    dataFolder,
    fork: server.fork,
    clock: realClock,
    log,
    forward: (text) => void process.stderr.write(text),
    loadHid: loadHidPort,
    onReady(address) {
      show(address)
      server.answersAt(address.url)
    },
    onFailed(message) {
      log(message)
      ended.resolve(1)
    },
  })
  const code = await untilAsked(ended)
  await Promise.all([(chromium as SupervisedChromium | null)?.stop(), station.stop()])
  lock.release()
  return code
}

/** What Chromium is opened with. */
interface Screen extends Pick<BrowserShellOptions, 'dataFolder' | 'kiosk'> {
  readonly log: ShellLog
  readonly pin: ExitPin
  readonly ended: PromiseWithResolvers<number>
  readonly sawPage: () => void
}

function openScreen(
  program: string,
  { dataFolder, kiosk, log, pin, ended, sawPage }: Screen,
): SupervisedChromium {
  const root = process.getuid?.() === 0
  if (root) log('This is root: Chromium runs without its own sandbox')
  const profile = join(dataFolder, 'browser')
  const waylandOnly = !process.env.DISPLAY && !!process.env.WAYLAND_DISPLAY
  return keepChromium({
    program,
    args: chromiumArguments({ profile, kiosk, root, waylandOnly }),
    profile,
    isLocked: kiosk,
    answers: {
      ...windowAnswers({ kiosk, pin, leave: () => ended.resolve(0), sawPage }),
      ...printsNothing,
    },
    clock: realClock,
    log,
    onClosed() {
      if (pin.isSet()) return 'open again'
      ended.resolve(0)
      return 'leave closed'
    },
  })
}

/** The exit code, once something or a signal has asked for the end. */
async function untilAsked(ended: PromiseWithResolvers<number>): Promise<number> {
  const stop = () => ended.resolve(0)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  const code = await ended.promise
  for (const signal of signals) process.off(signal, stop)
  return code
}

function chooseChromium(log: ShellLog): string | null {
  if (!hasDisplay(process.platform, process.env)) {
    log('There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window is opened')
    return null
  }
  const program = findChromium(process.platform, process.env)
  if (program === null) log('No Chromium is installed (or set CHROMIUM to its path), so no window is opened')
  return program
}
