import { BrowserWindow } from 'electron'
import type { ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'
import { recoverPage } from '../common/recovery.ts'
import type { ServerAddress } from '../common/server-address.ts'
import { windowOptions } from './window-options.ts'
import { blockBrowserKeys, lockNavigation, restrictSession } from './window-rules.ts'

/** What the window needs to know of the program around it. */
interface KioskOptions {
  readonly preload: string
  readonly kiosk: boolean
  readonly clock: ShellClock
  readonly log: ShellLog
  /** Whether the window may be closed now. */
  readonly mayClose: () => boolean
  /** The page crashes again and again. */
  readonly giveUp: () => void
}

/** The station's one window. */
export interface KioskWindow {
  readonly window: BrowserWindow
  /** The origin the window is kept on; null before the first address. */
  readonly origin: () => string | null
  /** Loads the page of a server that is ready, unless it shows that already. */
  show(address: ServerAddress): void
  /** Brings the window to the front. */
  focus(): void
}

// Electron's number for a load that was given up because another began.
const ABORTED = -3

/** Opens the window, locked and still empty; it is shown when it has something to show. */
export function openKioskWindow(options: KioskOptions): KioskWindow {
  const { preload, kiosk, clock, log, mayClose, giveUp } = options
  const window = new BrowserWindow(windowOptions(preload, kiosk))
  const contents = window.webContents
  let address: ServerAddress | null = null
  let isLoaded = false
  const origin = () => address?.url ?? null

  function load(): void {
    if (address === null) return
    isLoaded = true
    window
      .loadURL(address.open)
      .catch((error: Error) => log(`The page could not be loaded: ${error.message}`))
  }

  lockNavigation(contents, origin)
  restrictSession(contents.session, origin, kiosk)
  if (kiosk) blockBrowserKeys(contents)
  recoverPage(contents, { clock, log, reload: load, giveUp })
  contents.on('did-fail-load', (_event, code, ...[_description, _url, isMainFrame]) => {
    if (isMainFrame && code !== ABORTED) isLoaded = false
  })
  window.once('ready-to-show', () => window.show())
  window.on('close', (event) => {
    if (!mayClose()) event.preventDefault()
  })
  return {
    window,
    origin,
    show(next) {
      const isSame = address?.open === next.open && address.url === next.url
      address = next
      // The same address after a restart: the page finds its server again by itself.
      if (!isSame || !isLoaded) load()
    },
    focus() {
      if (window.isMinimized()) window.restore()
      window.focus()
    },
  }
}
