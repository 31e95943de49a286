import assert from 'node:assert/strict'
import type { Input, Session, WebContents } from 'electron'
import { countCrashes, recoverPage } from '../../../main/common/recovery.ts'
import { windowOptions } from '../../../main/electron/window-options.ts'
import {
  blockBrowserKeys,
  isBrowserKey,
  isWithin,
  lockNavigation,
  restrictSession,
} from '../../../main/electron/window-rules.ts'
import { FakeContents, FakeSession, fakeEvent } from '../../support/mocha/fake-electron.ts'
import { makeHandClock } from '../common/hand-clock.ts'

const ORIGIN = 'http://127.0.0.1:4711'

const asContents = (contents: FakeContents) => contents as unknown as WebContents

describe('the window’s options', () => {
  it('leave the page no way into the machine', () => {
    assert.deepEqual(windowOptions('/preload.cjs', true).webPreferences, {
      preload: '/preload.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      devTools: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      autoplayPolicy: 'no-user-gesture-required',
      backgroundThrottling: false,
    })
  })

  it('fill the screen of a kiosk', () => {
    const { kiosk, fullscreen, show } = windowOptions('', true)
    assert.deepEqual({ kiosk, fullscreen, show }, { kiosk: true, fullscreen: true, show: false })
  })

  it('are those of an ordinary window otherwise, just as closed', () => {
    const options = windowOptions('', false)
    assert.deepEqual([options.kiosk, options.fullscreen], [false, false])
    assert.deepEqual({ ...options.webPreferences, devTools: false }, windowOptions('', true).webPreferences)
  })
})

const ADDRESSES: readonly [string, boolean][] = [
  [`${ORIGIN}/`, true],
  [`${ORIGIN}/open#key=1`, true],
  ['http://127.0.0.1:4711', true],
  ['http://127.0.0.1:4712/', false],
  ['http://127.0.0.1:47110/', false],
  ['https://127.0.0.1:4711/', false],
  ['http://127.0.0.1:4711.example.org/', false],
  ['http://127.0.0.1:4711@example.org/', false],
  ['http://localhost:4711/', false],
  ['http://example.org/http://127.0.0.1:4711/', false],
  ['file:///etc/passwd', false],
  ['about:blank', false],
  ['data:text/html,hello', false],
  [`javascript:location='${ORIGIN}/'`, false],
  ['blob:null/1', false],
  ['', false],
  ['null', false],
]

describe('navigation', () => {
  for (const [url, allowed] of ADDRESSES) {
    it(`${allowed ? 'may' : 'may not'} go to ${url || 'nothing'}`, () => {
      assert.equal(isWithin(ORIGIN, url), allowed)
      const contents = new FakeContents()
      lockNavigation(asContents(contents), () => ORIGIN)
      for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
        const event = fakeEvent({ url })
        contents.emit(name, event)
        assert.equal(event.prevented, !allowed, name)
      }
    })
  }

  it('may go nowhere before there is an address', () => {
    assert.equal(isWithin(null, `${ORIGIN}/`), false)
    assert.equal(isWithin(null, 'null'), false)
  })

  it('opens no window and attaches no view', () => {
    const contents = new FakeContents()
    lockNavigation(asContents(contents), () => ORIGIN)
    for (const url of [`${ORIGIN}/`, 'http://127.0.0.1:4712/display.html', `${ORIGIN}/display.html/`, ''])
      assert.deepEqual(contents.openHandler?.({ url } as Electron.HandlerDetails), { action: 'deny' }, url)
    const event = fakeEvent({})
    contents.emit('will-attach-webview', event)
    assert(event.prevented)
  })

  it('opens the customer’s display, which is locked as well', () => {
    const contents = new FakeContents()
    lockNavigation(asContents(contents), () => ORIGIN)
    const details = { url: `${ORIGIN}/display.html?till=1` } as Electron.HandlerDetails
    assert.equal(contents.openHandler?.(details).action, 'allow')
    const display = new FakeContents()
    contents.emit('did-create-window', { webContents: display })
    assert.deepEqual(display.openHandler?.({ url: `${ORIGIN}/` } as Electron.HandlerDetails), {
      action: 'deny',
    })
    const away = fakeEvent({ url: 'http://example.org/' })
    display.emit('will-navigate', away)
    assert(away.prevented)
  })
})

type Request = Parameters<NonNullable<FakeSession['request']>>
type Check = Parameters<NonNullable<FakeSession['check']>>

describe('permissions', () => {
  function restricted(kiosk = true) {
    const session = new FakeSession()
    restrictSession(session as unknown as Session, () => ORIGIN, kiosk)
    return {
      session,
      request(permission: string, details: object): boolean {
        let answer: boolean | null = null
        const contents = new FakeContents()
        contents.url = `${ORIGIN}/`
        session.request?.(
          asContents(contents),
          permission as Request[1],
          (granted) => {
            answer = granted
          },
          { requestingUrl: `${ORIGIN}/`, isMainFrame: true, ...details } as Request[3],
        )
        assert.notEqual(answer, null)
        return answer === true
      },
      check: (permission: string, origin: string, details: object) =>
        session.check?.(null, permission as Check[1], origin, { isMainFrame: true, ...details }),
    }
  }

  const requests: readonly [string, string, object, boolean][] = [
    ['the camera', 'media', { mediaTypes: ['video'] }, true],
    ['camera and microphone', 'media', { mediaTypes: ['video', 'audio'] }, false],
    ['the microphone', 'media', { mediaTypes: ['audio'] }, false],
    ['media without saying which', 'media', {}, false],
    ['media of no kind', 'media', { mediaTypes: [] }, false],
    [
      'the camera for another origin',
      'media',
      { mediaTypes: ['video'], requestingUrl: 'http://evil.example/' },
      false,
    ],
    ['the camera for a frame', 'media', { mediaTypes: ['video'], isMainFrame: false }, false],
    ['the screen', 'display-capture', { mediaTypes: ['video'] }, false],
    ...[
      'geolocation',
      'notifications',
      'hid',
      'usb',
      'serial',
      'fullscreen',
      'clipboard-read',
      'openExternal',
    ].map((permission): [string, string, object, boolean] => [permission, permission, {}, false]),
  ]
  for (const [what, permission, details, granted] of requests) {
    it(`${granted ? 'grant' : 'refuse'} ${what} when asked`, () => {
      assert.equal(restricted().request(permission, details), granted)
    })
  }

  const checked: readonly [string, string, string, object, boolean][] = [
    ['the camera', 'media', `${ORIGIN}/`, { mediaType: 'video' }, true],
    ['the microphone', 'media', `${ORIGIN}/`, { mediaType: 'audio' }, false],
    ['unknown media', 'media', `${ORIGIN}/`, { mediaType: 'unknown' }, false],
    ['the camera of another origin', 'media', 'http://evil.example/', { mediaType: 'video' }, false],
    ['the camera of no origin', 'media', '', { mediaType: 'video' }, false],
    ['other devices', 'hid', `${ORIGIN}/`, {}, false],
  ]
  for (const [what, permission, origin, details, granted] of checked) {
    it(`${granted ? 'allow' : 'deny'} ${what} when checked without a page`, () => {
      assert.equal(restricted().check(permission, origin, details), granted)
    })
  }

  it('give no device to the page', () => {
    assert.equal(restricted().session.device?.({} as Electron.DevicePermissionHandlerHandlerDetails), false)
  })

  for (const kiosk of [true, false]) {
    it(`${kiosk ? 'refuse' : 'allow'} downloads ${kiosk ? 'in a kiosk' : 'in a window'}`, () => {
      const event = fakeEvent({})
      restricted(kiosk).session.emit('will-download', event)
      assert.equal(event.prevented, kiosk)
    })
  }
})

const KEYS: readonly [string, boolean][] = [
  ['F11', true],
  ['F5', true],
  ['F12', true],
  ['Control+r', true],
  ['Control+R', true],
  ['Control+Shift+r', true],
  ['Meta+r', true],
  ['Control+w', true],
  ['Control+p', true],
  ['Control++', true],
  ['Control+-', true],
  ['Control+0', true],
  ['Control+Shift+i', true],
  ['Alt+ArrowLeft', true],
  ['r', false],
  ['Shift+R', false],
  ['Enter', false],
  ['Tab', false],
  ['F1', false],
  ['Control+a', false],
  ['Control+c', false],
  ['Control+v', false],
  ['Control+i', false],
  ['Control+Alt+q', false],
  ['ArrowLeft', false],
  ['0', false],
  ['-', false],
]

function press(combination: string): Pick<Input, 'key' | 'control' | 'meta' | 'alt' | 'shift'> {
  const key = combination.endsWith('++') ? '+' : (combination.split('+').at(-1) ?? '')
  const has = (modifier: string) =>
    combination.startsWith(`${modifier}+`) || combination.includes(`+${modifier}+`)
  return { key, control: has('Control'), meta: has('Meta'), alt: has('Alt'), shift: has('Shift') }
}

describe('keys', () => {
  for (const [combination, blocked] of KEYS) {
    it(`${blocked ? 'keep' : 'give'} ${combination} ${blocked ? 'from' : 'to'} the page`, () => {
      assert.equal(isBrowserKey(press(combination)), blocked)
      const contents = new FakeContents()
      blockBrowserKeys(asContents(contents))
      const event = fakeEvent({})
      contents.emit('before-input-event', event, press(combination))
      assert.equal(event.prevented, blocked)
    })
  }

  it('leave the zoom as it is', () => {
    const contents = new FakeContents()
    blockBrowserKeys(asContents(contents))
    contents.zoom = 3
    contents.emit('zoom-changed', fakeEvent({}), 'in')
    assert.equal(contents.zoom, 1)
  })
})

describe('the recovery of a page', () => {
  function recovered() {
    const contents = new FakeContents()
    const clock = makeHandClock()
    const done: string[] = []
    recoverPage(asContents(contents), {
      clock,
      log: () => {},
      reload: () => void done.push('reload'),
      giveUp: () => void done.push('give up'),
    })
    const crash = (reason = 'crashed') => contents.emit('render-process-gone', {}, { reason, exitCode: 1 })
    return { contents, clock, done, crash }
  }

  for (const reason of ['crashed', 'oom', 'killed', 'abnormal-exit', 'launch-failed', 'memory-eviction']) {
    it(`loads it again when it is gone (${reason})`, () => {
      const { crash, done } = recovered()
      crash(reason)
      assert.deepEqual(done, ['reload'])
    })
  }

  it('leaves it alone when it ended by itself', () => {
    const { crash, done } = recovered()
    crash('clean-exit')
    assert.deepEqual(done, [])
  })

  it('gives up after five crashes within a minute', () => {
    const { crash, done, clock } = recovered()
    for (let crashes = 0; crashes < 6; crashes++) {
      crash()
      clock.advance(9000)
    }
    assert.deepEqual(done, [...Array<string>(5).fill('reload'), 'give up'])
  })

  it('goes on loading it again when crashes are rare', () => {
    const clock = makeHandClock()
    const tooMany = countCrashes(clock)
    for (let crashes = 0; crashes < 50; crashes++) {
      assert.equal(tooMany(), false)
      clock.advance(12_001)
    }
  })

  it('ends a page that does not answer', () => {
    const { contents } = recovered()
    contents.emit('unresponsive')
    assert.equal(contents.forcedCrashes, 1)
  })
})
