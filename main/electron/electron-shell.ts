import { join } from 'node:path'
import { app, dialog, type IpcMainInvokeEvent, ipcMain, Menu, powerSaveBlocker } from 'electron'
import { type Answers, answerAsk, type Channel, checks } from '../common/channels.ts'
import { realClock, type ShellClock } from '../common/clock.ts'
import { type ExitPin, makeExitPin } from '../common/exit-pin.ts'
import { logToStderr, type ShellLog } from '../common/log.ts'
import { windowAnswers } from '../common/window-answers.ts'
import { loadHidPort } from '../scanners/hid-port.ts'
import { makeDataFolder } from '../server/data-folder.ts'
import { startStation } from '../server/station.ts'
import { lockStation } from '../server/station-lock.ts'
import { updatedServer } from '../updates/updated-server.ts'
import { type KioskWindow, openKioskWindow } from './kiosk-window.ts'
import { listPrinters, printPage } from './print.ts'
import { forkUtilityServer } from './utility-server.ts'
import { preloadFile } from './window-options.ts'
import { isWithin } from './window-rules.ts'

/** What the Electron shell is started with; the rest has its usual value outside of tests. */
interface ElectronShellOptions {
  readonly dataFolder: string
  readonly kiosk: boolean
  readonly clock?: ShellClock
  readonly log?: ShellLog
  readonly loadHid?: typeof loadHidPort
}

/**
 * Runs a station in Electron: one locked window on the embedded server's own origin. Ends the program at once
 * when the data folder is in use; a second start on it brings the first one's window to the front.
 */
export async function runElectronShell(options: ElectronShellOptions): Promise<void> {
  const { dataFolder, kiosk, clock = realClock, log = logToStderr, loadHid = loadHidPort } = options
  const electronFolder = join(dataFolder, 'electron')
  const release = lockProgram(dataFolder, electronFolder)
  if (release === null) return
  let opened: KioskWindow | null = null
  app.enableSandbox()
  app.on('second-instance', () => opened?.focus())
  await app.whenReady()
  Menu.setApplicationMenu(null)
  powerSaveBlocker.start('prevent-display-sleep')

  const pin = makeExitPin(join(dataFolder, 'exit-pin'), clock)
  const leaving = makeLeaving(async () => {
    await station.stop()
    release()
  })
  const mayClose = () => leaving.hasBegun() || !pin.isSet()
  const preload = preloadFile(electronFolder)
  const giveUp = () => startAgain(leaving, log)
  const kioskWindow = openKioskWindow({ preload, kiosk, clock, log, mayClose, giveUp })
  opened = kioskWindow
  const server = updatedServer({ dataFolder, forkScript: forkUtilityServer, clock, log, needsPage: true })
  answerWindow(kioskWindow, { kiosk, pin, leaving, sawPage: server.sawPage })
  const station = startStation({
    dataFolder,
    fork: server.fork,
    clock,
    log,
    forward: (text) => void process.stderr.write(text),
    loadHid,
    onReady(address) {
      kioskWindow.show(address)
      server.answersAt(address.url)
    },
    onFailed(message) {
      showFailure(message)
      leaving.leave(1)
    },
  })
  leaveWhenAsked(leaving, mayClose)
}

/** Makes sure that this program is alone on its data; null when it is not, and has to end. */
function lockProgram(dataFolder: string, electronFolder: string): (() => void) | null {
  makeDataFolder(electronFolder)
  app.setPath('userData', electronFolder)
  // Before the lock file: Electron tells the first process about the second start, so that it comes forward.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0)
    return null
  }
  const lock = lockStation(dataFolder)
  if ('release' in lock) return lock.release
  showFailure(`Gatehouse is already running on ${dataFolder} (process ${lock.takenBy}).`)
  app.exit(1)
  return null
}

/** The end of the program, which comes once, whoever asks for it. */
interface Leaving {
  readonly hasBegun: () => boolean
  readonly leave: (code?: number) => void
}

function makeLeaving(stop: () => Promise<void>): Leaving {
  let begun = false
  return {
    hasBegun: () => begun,
    leave(code = 0) {
      if (begun) return
      begun = true
      void stop().then(() => app.exit(code))
    },
  }
}

function startAgain(leaving: Leaving, log: ShellLog): void {
  if (leaving.hasBegun()) return
  log('The page crashes again and again: Gatehouse starts again')
  app.relaunch()
  leaving.leave()
}

interface WindowAnswers {
  readonly kiosk: boolean
  readonly pin: ExitPin
  readonly leaving: Leaving
  readonly sawPage: () => void
}

function answerWindow(
  { window, origin }: KioskWindow,
  { kiosk, pin, leaving, sawPage }: WindowAnswers,
): void {
  const contents = window.webContents
  answerPage(origin, {
    ...windowAnswers({ kiosk, pin, leave: leaving.leave, sawPage }),
    'print:printers': () => listPrinters(contents),
    'print:page': (job) => printPage(contents, job),
  })
}

function leaveWhenAsked({ leave }: Leaving, mayClose: () => boolean): void {
  app.on('window-all-closed', () => leave())
  app.on('before-quit', (event) => {
    // The server stops in order first; then the program ends by itself.
    event.preventDefault()
    if (mayClose()) leave()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave())
}

function showFailure(message: string): void {
  dialog.showErrorBox('Gatehouse cannot start', message)
}

/** Answers the page on every channel; refuses other senders and anything a channel does not take. */
function answerPage(origin: () => string | null, answers: Answers): void {
  for (const channel of Object.keys(checks) as Channel[])
    ipcMain.handle(channel, (event, value: unknown) => {
      if (!isOwnPage(event, origin())) throw new Error('Only the station’s own page may ask this')
      return answerAsk(answers, channel, value)
    })
}

function isOwnPage(event: IpcMainInvokeEvent, origin: string | null): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && isWithin(origin, frame.url)
}
