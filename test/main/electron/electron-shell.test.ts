import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PinAnswer, PrintAnswer } from '../../../main/common/channels.ts'
import { runElectronShell } from '../../../main/electron/electron-shell.ts'
import {
  app,
  type BrowserWindow,
  desktop,
  type FakeUtilityProcess,
  fakeEvent,
} from '../../support/mocha/fake-electron.ts'
import { makeHandClock } from '../common/hand-clock.ts'
import { makeTestFolder, type TestFolder } from '../common/scripts.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const ORIGIN = 'http://127.0.0.1:4711'

function readyLine(port = 4711, key = 'k1'): string {
  const url = `http://127.0.0.1:${port}`
  return `${JSON.stringify({ url, open: `${url}/open#key=${key}`, key })}\n`
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the Electron shell', function () {
  this.timeout(180_000)
  let folder: TestFolder
  let listening: Map<string, readonly NodeJS.SignalsListener[]>
  beforeEach(() => {
    folder = makeTestFolder()
    desktop.reset()
    listening = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]))
  })
  afterEach(async () => {
    await exitAfter(() => void app.emit('window-all-closed'))
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) {
        if (!listening.get(signal)?.includes(listener)) process.off(signal, listener)
      }
    }
    folder.remove()
  })

  /** Does something that ends the program, and waits until it has ended. */
  async function exitAfter(act: () => void): Promise<void> {
    if (desktop.calls.some((call) => call.startsWith('exit')) || desktop.servers.length === 0) return
    const exited = new Promise((resolve) => app.once('exited', resolve))
    act()
    await exited
  }

  async function open(kiosk = true) {
    const clock = makeHandClock()
    const logged: string[] = []
    await runElectronShell({
      dataFolder: folder.path,
      kiosk,
      clock,
      log: (line) => void logged.push(line),
      loadHid: async () => null,
    })
    const window = desktop.windows[0] as BrowserWindow
    const server = () => desktop.servers.at(-1) as FakeUtilityProcess
    return {
      clock,
      logged,
      window,
      server,
      async becomeReady(line = readyLine()) {
        server().stdout.write(line)
        await turn()
      },
    }
  }

  const page = { url: `${ORIGIN}/`, parent: null }
  const setPin = (next: string) => desktop.ask('window:set-pin', { current: '', next }, page)

  it('is the only part of the program that needs electron', () => {
    const folder = join(import.meta.dirname, '../../../main')
    const needing = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        /\.c?ts$/.test(name) &&
        /^import (?!type ).*from 'electron'|require\('electron'\)/m.test(
          readFileSync(join(folder, name), 'utf8'),
        ),
    )
    assert.deepEqual(needing.toSorted(), [
      'electron/electron-shell.ts',
      'electron/kiosk-window.ts',
      'electron/preload.cts',
      'electron/utility-server.ts',
      'index.ts',
    ])
  })

  it('opens one locked window and starts one server', async () => {
    const { window, server } = await open()
    assert.equal(desktop.windows.length, 1)
    assert.equal(desktop.servers.length, 1)
    assert.equal(window.options.kiosk, true)
    assert.equal(window.options.webPreferences?.sandbox, true)
    assert(existsSync(window.options.webPreferences?.preload ?? ''))
    assert(server().script.endsWith('server/cli.ts'))
    assert(server().args.includes('--station') && server().args.includes(folder.path))
  })

  it('takes its sandbox, its folder, its menu and the screen’s sleep into its own hands', async () => {
    await open()
    assert.deepEqual(desktop.calls, [`setPath userData ${join(folder.path, 'electron')}`, 'enableSandbox'])
    assert.equal(desktop.menu, null)
    assert.deepEqual(desktop.blockers, ['prevent-display-sleep'])
  })

  it('loads the page when the server is ready, and shows the window when the page is there', async () => {
    const { window, becomeReady } = await open()
    assert.deepEqual(window.loaded, [])
    await becomeReady()
    assert.deepEqual(window.loaded, [`${ORIGIN}/open#key=k1`])
    assert.deepEqual(window.calls, [])
    window.emit('ready-to-show')
    assert.deepEqual(window.calls, ['show'])
  })

  it('keeps the window on the server’s origin, also after it has moved', async () => {
    const { window, becomeReady, server, clock } = await open()
    const mayGo = (url: string) => {
      const event = fakeEvent({ url })
      window.webContents.emit('will-navigate', event)
      return !event.prevented
    }
    assert.equal(mayGo(`${ORIGIN}/`), false)
    await becomeReady()
    assert.equal(mayGo(`${ORIGIN}/`), true)
    assert.equal(mayGo(`${ORIGIN}.example.org/`), false)
    server().emit('exit', 1)
    clock.advance(500)
    await becomeReady(readyLine(5000, 'k2'))
    assert.equal(window.loaded.at(-1), 'http://127.0.0.1:5000/open#key=k2')
    assert.equal(mayGo(`${ORIGIN}/`), false)
    assert.equal(mayGo('http://127.0.0.1:5000/'), true)
  })

  it('gives the page the camera and nothing else', async () => {
    const { window, becomeReady } = await open()
    await becomeReady()
    const { session } = window.webContents
    const check = (origin: string, mediaType: 'video' | 'audio') =>
      session.check?.(null, 'media', origin, { isMainFrame: true, mediaType })
    assert.equal(check(`${ORIGIN}/`, 'video'), true)
    assert.equal(check(`${ORIGIN}/`, 'audio'), false)
    assert.equal(check('http://evil.example/', 'video'), false)
    const download = fakeEvent({})
    session.emit('will-download', download)
    assert(download.prevented)
  })

  it('starts the server again after a crash, and leaves a page alone that can reconnect', async () => {
    const { window, becomeReady, server, clock } = await open()
    await becomeReady()
    server().emit('exit', 1)
    clock.advance(500)
    assert.equal(desktop.servers.length, 2)
    assert.equal(server().args.at(-1), '4711')
    await becomeReady()
    assert.equal(window.loaded.length, 1)
  })

  it('loads a page again that has failed to load', async () => {
    const { window, becomeReady, server, clock } = await open()
    await becomeReady()
    window.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', ORIGIN, true)
    server().emit('exit', 1)
    clock.advance(500)
    await becomeReady()
    assert.equal(window.loaded.length, 2)
  })

  it('does not mind a load that was given up or that of a frame', async () => {
    const { window, becomeReady, server, clock } = await open()
    await becomeReady()
    window.webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', ORIGIN, true)
    window.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', ORIGIN, false)
    server().emit('exit', 1)
    clock.advance(500)
    await becomeReady()
    assert.equal(window.loaded.length, 1)
  })

  it('loads the page again after its crash, and starts all again after many', async () => {
    const { window, becomeReady } = await open()
    await becomeReady()
    const crash = () => window.webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 })
    for (let crashes = 0; crashes < 5; crashes++) crash()
    assert.equal(window.loaded.length, 6)
    await exitAfter(() => {
      crash()
      crash()
    })
    assert.deepEqual(desktop.calls.slice(2), ['relaunch', 'exit 0'])
  })

  it('blocks the browser’s keys in a kiosk only', async () => {
    for (const kiosk of [true, false]) {
      const { window } = await open(kiosk)
      const event = fakeEvent({})
      const input = { key: 'F11', control: false, meta: false, alt: false, shift: false }
      window.webContents.emit('before-input-event', event, input)
      assert.equal(event.prevented, kiosk)
      await exitAfter(() => window.close())
      desktop.reset()
    }
  })

  it('leaves at once by closing the window while no PIN is set, stopping the server', async () => {
    const { window, server } = await open()
    await exitAfter(() => window.close())
    assert.equal(server().killed, 1)
    assert.equal(desktop.calls.at(-1), 'exit 0')
    assert.equal(existsSync(join(folder.path, 'station.lock')), false)
  })

  it('stays when the window is closed or the program is to quit while a PIN is set', async () => {
    const { window, becomeReady, server } = await open()
    await becomeReady()
    assert.deepEqual(await setPin('2468'), { ok: true })
    window.close()
    assert.equal(window.destroyed, false)
    const event = fakeEvent({})
    app.emit('before-quit', event)
    await turn()
    assert(event.prevented)
    assert.equal(server().killed, 0)
  })

  it('leaves with the right PIN and stays with a wrong one', async () => {
    const { becomeReady, server } = await open()
    await becomeReady()
    await setPin('2468')
    const wrong = (await desktop.ask('window:leave', { pin: '1111' }, page)) as PinAnswer
    assert.deepEqual(wrong, { ok: false, reason: 'wrong', waitMs: 0 })
    assert.equal(server().killed, 0)
    await exitAfter(() => void desktop.ask('window:leave', { pin: '2468' }, page))
    assert.equal(server().killed, 1)
    assert.equal(desktop.calls.at(-1), 'exit 0')
  })

  it('ends in order at a signal, PIN or not', async () => {
    const { becomeReady, server } = await open()
    await becomeReady()
    await setPin('2468')
    await exitAfter(() => {
      const added = process
        .listeners('SIGTERM')
        .filter((listener) => !listening.get('SIGTERM')?.includes(listener))
      assert.equal(added.length, 1)
      added[0]?.('SIGTERM')
    })
    assert.equal(server().killed, 1)
  })

  it('tells the page how it is locked', async () => {
    const { becomeReady } = await open(false)
    await becomeReady()
    assert.deepEqual(await desktop.ask('window:state', null, page), { kiosk: false, exitPin: false })
    await setPin('2468')
    assert.deepEqual(await desktop.ask('window:state', null, page), { kiosk: false, exitPin: true })
  })

  it('prints what the window shows, with the paper’s size, and says when it fails', async () => {
    const { becomeReady, window } = await open()
    await becomeReady()
    const job = { printer: 'badges', widthMm: 80, heightMm: 120.5, copies: 2 }
    assert.deepEqual(await desktop.ask('print:printers', null, page), [
      { name: 'badges', label: 'Badge printer' },
    ])
    assert.deepEqual(await desktop.ask('print:page', job, page), {
      printed: true,
      reason: null,
    } as PrintAnswer)
    assert.deepEqual(window.webContents.printed, [
      {
        silent: true,
        deviceName: 'badges',
        printBackground: true,
        margins: { marginType: 'none' },
        pageSize: { width: 80_000, height: 120_500 },
        copies: 2,
      },
    ])
    window.webContents.printFailure = 'Print job canceled'
    assert.deepEqual(await desktop.ask('print:page', job, page), {
      printed: false,
      reason: 'Print job canceled',
    })
  })

  const strangers: readonly [string, { url: string; parent: object | null } | null][] = [
    ['another origin', { url: 'http://evil.example/', parent: null }],
    ['a lookalike', { url: `${ORIGIN}.evil.example/`, parent: null }],
    ['a frame inside the page', { url: `${ORIGIN}/`, parent: {} }],
    ['a frame that is gone', null],
  ]
  for (const [who, frame] of strangers) {
    it(`answers nothing to ${who}`, async () => {
      const { becomeReady } = await open()
      await becomeReady()
      assert.equal(desktop.channels.size, 6)
      for (const channel of desktop.channels.keys()) {
        await assert.rejects(desktop.ask(channel, null, frame), /Only the station’s own page/)
      }
    })
  }

  it('answers nothing before there is a page', async () => {
    await open()
    await assert.rejects(desktop.ask('window:state', null, page), /Only the station’s own page/)
  })

  const nonsense: readonly [string, unknown][] = [
    ['window:state', 'x'],
    ['window:leave', null],
    ['window:leave', '2468'],
    ['window:leave', { pin: 2468 }],
    ['window:leave', { pin: 'x'.repeat(65) }],
    ['window:set-pin', { next: '2468' }],
    ['print:page', { printer: 'badges' }],
    ['print:page', { printer: 'badges', widthMm: -1, heightMm: 10, copies: 1 }],
    ['print:page', { printer: 'badges', widthMm: 10, heightMm: Number.NaN, copies: 1 }],
    ['print:page', { printer: 'badges', widthMm: 10, heightMm: 10, copies: 1e9 }],
    ['print:page', { printer: 'badges', widthMm: 10, heightMm: 10, copies: 1.5 }],
    ['print:page', { printer: ['badges'], widthMm: 10, heightMm: 10, copies: 1 }],
  ]
  for (const [channel, value] of nonsense) {
    it(`refuses ${JSON.stringify(value)?.slice(0, 60)} on ${channel}`, async () => {
      const { becomeReady, window } = await open()
      await becomeReady()
      await assert.rejects(desktop.ask(channel, value, page), /Not what/)
      assert.deepEqual(window.webContents.printed, [])
    })
  }

  it('ends at once as a second program, before touching the data', async () => {
    desktop.isFirst = false
    await runElectronShell({ dataFolder: folder.path, kiosk: true, log: () => {}, loadHid: async () => null })
    assert.equal(desktop.calls.at(-1), 'exit 0')
    assert.deepEqual([desktop.windows.length, desktop.servers.length], [0, 0])
    assert.equal(existsSync(join(folder.path, 'station.lock')), false)
  })

  it('comes forward when it is started a second time', async () => {
    const { window } = await open()
    window.minimized = true
    app.emit('second-instance')
    assert.deepEqual(window.calls, ['restore', 'focus'])
  })

  it('says that another shell uses the data, and ends', async () => {
    await open()
    const before = desktop.servers.length
    await runElectronShell({ dataFolder: folder.path, kiosk: true, log: () => {}, loadHid: async () => null })
    assert.match(desktop.errors.join(), /already running on .* \(process \d+\)/)
    assert.equal(desktop.calls.at(-1), 'exit 1')
    assert.equal(desktop.servers.length, before)
    desktop.calls.splice(0)
  })

  it('says what to do when the server never starts, and ends', async () => {
    const { server, clock } = await open()
    server().stderr.write('no space left on device\n')
    await turn()
    await exitAfter(() => {
      for (const pause of [500, 1000, 2000]) {
        server().emit('exit', 1)
        clock.advance(pause)
      }
      server().emit('exit', 1)
    })
    assert.match(desktop.errors.join(), /Gatehouse cannot start: The server did not start in 4 tries/)
    assert.equal(desktop.calls.at(-1), 'exit 1')
  })
})
