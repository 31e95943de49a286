import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type {
  App,
  BrowserWindowConstructorOptions,
  Dialog,
  IpcMain,
  IpcMainInvokeEvent,
  PowerSaveBlocker,
  BrowserWindow as RealBrowserWindow,
  Menu as RealMenu,
  Session,
  UtilityProcess,
  WebContents,
  WebContentsPrintOptions,
} from 'electron'

// The stand-in that the shell's modules get for electron. `satisfies` keeps each part to Electron's own
// typings, so that a name that does not exist there fails the type check.

type Handler<M extends keyof Session> = Session[M] extends (handler: infer H | null) => void ? H : never

/** An event whose default can be prevented. */
export interface FakeEvent {
  prevented: boolean
  preventDefault(): void
}

/** Makes an event with what the listener looks at. */
export function fakeEvent<T extends object>(more: T): FakeEvent & T {
  const event = {
    ...more,
    prevented: false,
    preventDefault() {
      event.prevented = true
    },
  }
  return event
}

/** A session that keeps the handlers it is given. */
export class FakeSession extends EventEmitter {
  request: Handler<'setPermissionRequestHandler'> | null = null
  check: Handler<'setPermissionCheckHandler'> | null = null
  device: Handler<'setDevicePermissionHandler'> | null = null
  setPermissionRequestHandler(handler: Handler<'setPermissionRequestHandler'> | null): void {
    this.request = handler
  }
  setPermissionCheckHandler(handler: Handler<'setPermissionCheckHandler'> | null): void {
    this.check = handler
  }
  setDevicePermissionHandler(handler: Handler<'setDevicePermissionHandler'> | null): void {
    this.device = handler
  }
}

/** The contents of a window. */
export class FakeContents extends EventEmitter {
  readonly session = new FakeSession()
  readonly printed: WebContentsPrintOptions[] = []
  openHandler: Parameters<WebContents['setWindowOpenHandler']>[0] | null = null
  url = ''
  zoom = 1
  forcedCrashes = 0
  printFailure = ''
  getURL(): string {
    return this.url
  }
  setZoomFactor(factor: number): void {
    this.zoom = factor
  }
  forcefullyCrashRenderer(): void {
    this.forcedCrashes++
  }
  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.openHandler = handler
  }
  async getPrintersAsync() {
    return [{ name: 'badges', displayName: 'Badge printer', description: '', options: {} }]
  }
  print(options: WebContentsPrintOptions = {}, done?: (success: boolean, reason: string) => void): void {
    this.printed.push(options)
    done?.(this.printFailure === '', this.printFailure)
  }
}

/** A window that loads nothing. */
export class BrowserWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions
  readonly webContents = new FakeContents()
  readonly loaded: string[] = []
  readonly calls: string[] = []
  minimized = false
  destroyed = false
  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    this.options = options
    desktop.windows.push(this)
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    this.webContents.url = url
  }
  isMinimized(): boolean {
    return this.minimized
  }
  show(): void {
    this.calls.push('show')
  }
  focus(): void {
    this.calls.push('focus')
  }
  restore(): void {
    this.calls.push('restore')
  }
  /** As a user does it. */
  close(): void {
    const event = fakeEvent({})
    this.emit('close', event)
    if (event.prevented) return
    this.destroyed = true
    app.emit('window-all-closed')
  }
}

/** The server's process as Electron would run it; a test writes its output and ends it. */
export class FakeUtilityProcess extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly pid: number | undefined = undefined
  readonly script: string
  readonly args: readonly string[]
  killed = 0
  constructor(script: string, args: readonly string[]) {
    super()
    this.script = script
    this.args = args
  }
  kill(): boolean {
    this.killed++
    this.emit('exit', 0)
    return true
  }
}

class FakeApp extends EventEmitter {
  isPackaged = false
  whenReady(): Promise<void> {
    return Promise.resolve()
  }
  requestSingleInstanceLock(): boolean {
    return desktop.isFirst
  }
  setPath(name: string, path: string): void {
    desktop.calls.push(`setPath ${name} ${path}`)
  }
  enableSandbox(): void {
    desktop.calls.push('enableSandbox')
  }
  relaunch(): void {
    desktop.calls.push('relaunch')
  }
  exit(code = 0): void {
    desktop.calls.push(`exit ${code}`)
    this.emit('exited', code)
  }
}

type RealFork = typeof import('electron')['utilityProcess']['fork']
type InvokeHandler = Parameters<IpcMain['handle']>[1]

/** What the program has done to the desktop since the last reset. */
export const desktop = {
  isFirst: true,
  windows: [] as BrowserWindow[],
  servers: [] as FakeUtilityProcess[],
  calls: [] as string[],
  errors: [] as string[],
  channels: new Map<string, InvokeHandler>(),
  menu: 'untouched' as unknown,
  blockers: [] as string[],
  /** Asks on a channel as the page in a frame with this address would. */
  async ask(
    channel: string,
    value: unknown,
    frame: { url: string; parent: object | null } | null,
  ): Promise<unknown> {
    const handler = desktop.channels.get(channel)
    if (handler === undefined) throw new Error(`Nobody answers on ${channel}`)
    return handler({ senderFrame: frame } as unknown as IpcMainInvokeEvent, value)
  },
  reset(): void {
    Object.assign(desktop, { isFirst: true, windows: [], servers: [], calls: [], errors: [], blockers: [] })
    desktop.channels.clear()
    desktop.menu = 'untouched'
    app.removeAllListeners()
    app.isPackaged = false
  },
}

export const app = new FakeApp()

export const Menu = {
  setApplicationMenu(menu: RealMenu | null): void {
    desktop.menu = menu
  },
}

export const powerSaveBlocker = {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    return desktop.blockers.push(type)
  },
}

export const dialog = {
  showErrorBox(title: string, content: string): void {
    desktop.errors.push(`${title}: ${content}`)
  },
}

export const ipcMain = {
  handle(channel: string, listener: InvokeHandler): void {
    desktop.channels.set(channel, listener)
  },
}

export const utilityProcess = {
  fork(script: string, args: string[] = []) {
    const child = new FakeUtilityProcess(script, args)
    desktop.servers.push(child)
    return child
  },
}

// What Electron has under these names takes and gives the same.
app satisfies Pick<
  App,
  'isPackaged' | 'whenReady' | 'requestSingleInstanceLock' | 'setPath' | 'enableSandbox' | 'relaunch' | 'exit'
>
Menu satisfies Pick<typeof RealMenu, 'setApplicationMenu'>
powerSaveBlocker satisfies Pick<PowerSaveBlocker, 'start'>
dialog satisfies Pick<Dialog, 'showErrorBox'>
ipcMain satisfies Pick<IpcMain, 'handle'>
FakeSession.prototype satisfies Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
>
FakeContents.prototype satisfies Pick<
  WebContents,
  | 'getURL'
  | 'setZoomFactor'
  | 'forcefullyCrashRenderer'
  | 'setWindowOpenHandler'
  | 'getPrintersAsync'
  | 'print'
>
BrowserWindow.prototype satisfies Pick<
  RealBrowserWindow,
  'loadURL' | 'isMinimized' | 'show' | 'focus' | 'restore' | 'close'
>
FakeUtilityProcess.prototype satisfies Pick<UtilityProcess, 'kill' | 'pid' | 'stdout' | 'stderr'>
utilityProcess.fork satisfies (...args: Parameters<RealFork>) => unknown
