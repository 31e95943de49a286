import { join } from 'node:path'
import { app, dialog, Menu, powerSaveBlocker } from 'electron'
import { type Clock, realClock } from '../common/clock.ts'
import { type Log, logToStderr } from '../common/log.ts'
import { SERVER_SCRIPT } from '../common/program-files.ts'
import { loadHidPort } from '../scanners/hid-port.ts'
import { makeDataFolder } from '../server/data-folder.ts'
import { startStation } from '../server/station.ts'
import { lockStation } from '../server/station-lock.ts'
import { answerPage } from './answer-page.ts'
import { makeExitPin } from './exit-pin.ts'
import { type KioskWindow, openKioskWindow } from './kiosk-window.ts'
import { preloadFile } from './preload-file.ts'
import { listPrinters, printPage } from './print.ts'
import { forkUtilityServer } from './utility-server.ts'

/** What the Electron shell is started with; the rest has its usual value outside of tests. */
export interface ElectronShellOptions {
  readonly dataFolder: string
  readonly kiosk: boolean
  readonly clock?: Clock
  readonly log?: Log
  readonly loadHid?: typeof loadHidPort
}

/**
 * Runs a station in Electron: one locked window on the embedded server's own origin. Ends the program at once
 * when the data folder is in use; a second start on it brings the first one's window to the front.
 */
export async function runElectronShell(options: ElectronShellOptions): Promise<void> {
  const { dataFolder, kiosk, clock = realClock, log = logToStderr, loadHid = loadHidPort } = options
  const electronFolder = join(dataFolder, 'electron')
  makeDataFolder(electronFolder)
  app.setPath('userData', electronFolder)
  // Before the lock file: Electron tells the first process about the second start, so that it comes forward.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0)
    return
  }
  const lock = lockStation(dataFolder)
  if ('takenBy' in lock) {
    fail(`Gatehouse is already running on ${dataFolder} (process ${lock.takenBy}).`)
    return
  }
  const { release } = lock
  let kioskWindow: KioskWindow | null = null
  let leaving = false
  app.enableSandbox()
  app.on('second-instance', () => kioskWindow?.focus())
  await app.whenReady()
  Menu.setApplicationMenu(null)
  powerSaveBlocker.start('prevent-display-sleep')

  const pin = makeExitPin(join(dataFolder, 'exit-pin'), clock)
  const opened = openKioskWindow({
    preload: preloadFile(electronFolder),
    kiosk,
    clock,
    log,
    mayClose: () => leaving || !pin.isSet(),
    giveUp() {
      if (leaving) return
      log('The page crashes again and again: Gatehouse starts again')
      app.relaunch()
      void leave()
    },
  })
  kioskWindow = opened
  const contents = opened.window.webContents
  answerPage(opened.origin, {
    'window:state': () => ({ kiosk, exitPin: pin.isSet() }),
    async 'window:leave'(ask) {
      const answer = pin.isSet() ? await pin.check(ask.pin) : ({ ok: true } as const)
      if (answer.ok) void leave()
      return answer
    },
    'window:set-pin': (ask) => pin.change(ask.current, ask.next),
    'print:printers': () => listPrinters(contents),
    'print:page': (job) => printPage(contents, job),
  })

  const station = startStation({
    dataFolder,
    fork: forkUtilityServer(SERVER_SCRIPT),
    clock,
    log,
    forward: (text) => void process.stderr.write(text),
    loadHid,
    onReady: opened.show,
    onFailed(message) {
      dialog.showErrorBox('Gatehouse cannot start', message)
      void leave(1)
    },
  })

  async function leave(code = 0): Promise<void> {
    if (leaving) return
    leaving = true
    await station.stop()
    release()
    app.exit(code)
  }

  app.on('window-all-closed', () => void leave())
  app.on('before-quit', (event) => {
    // The server stops in order first; then the program ends by itself.
    event.preventDefault()
    if (leaving || !pin.isSet()) void leave()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave())
}

function fail(message: string): void {
  dialog.showErrorBox('Gatehouse cannot start', message)
  app.exit(1)
}
