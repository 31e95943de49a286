import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { makeInbox } from '../main/common/inbox.ts'
import { GOOD_SERVER, makeTestFolder, type TestFolder, watchServer } from '../main/common/scripts.ts'
import { eventually } from './support/entrance.ts'

const BROWSER = new URL('../../main/browser/browser.ts', import.meta.url).href
const PROGRAMS = ['/usr/bin/Xvfb', '/usr/bin/openbox', process.env.CHROMIUM ?? '/usr/bin/chromium']

const KEYS = '/usr/bin/xdotool'
/** The window manager's settings in the kiosk's own session. */
const openbox = fileURLToPath(
  new URL(
    '../../main/package/debian/gatehouse-station/usr/share/gatehouse-station/openbox.xml',
    import.meta.url,
  ),
)

// The page says how large it is shown and whether keys come to it, and whenever that changes: a window grows, and has the
// focus, when its manager gets to it. And it says which keys it hears.
const SERVER = GOOD_SERVER.replace(
  "args.join(' ')",
  `'<script>(onresize = onfocus = () => requestAnimationFrame(() =>' +
   'fetch("/size?" + [innerWidth, innerHeight, document.hasFocus()])))();' +
   'onkeydown = ({ key }) => fetch("/key?" + encodeURIComponent(key))</script>'`,
)

// This page leaves by a wrong PIN first, and by the right one then.
const LEAVING_SERVER = GOOD_SERVER.replace(
  "args.join(' ')",
  `'<script>gatehouse.state().then(({ kiosk, exitPin }) => fetch("/state?" + [kiosk, exitPin]))' +
   '.then(() => gatehouse.leave("1234")).then(({ reason }) => fetch("/refused?" + reason))' +
   '.then(() => gatehouse.leave("4711"))</script>'`,
)

/** What opens, prints, saves, shows sources and tools, zooms, goes back or leaves. */
const combinations = [
  ...[
    't',
    'n',
    'shift+n',
    'o',
    'l',
    'p',
    'shift+p',
    's',
    'u',
    'shift+i',
    'shift+j',
    'shift+c',
    'h',
    'j',
    'w',
  ],
  ...[
    'shift+w',
    'shift+t',
    'd',
    'f',
    'g',
    'k',
    'e',
    'r',
    'shift+r',
    'q',
    'shift+q',
    'shift+o',
    'shift+b',
    'F4',
  ],
  ...['plus', 'minus', '0', 'Tab', '1', 'shift+Delete', 'shift+m'],
]
  .map((key) => `ctrl+${key}`)
  .concat(['F1', 'F3', 'F5', 'F6', 'F10', 'F11', 'F12', 'shift+Escape', 'Menu', 'shift+F10'])
  .concat(['alt+Left', 'alt+Right', 'alt+Home', 'alt+d', 'alt+e', 'alt+f', 'XF86Back', 'XF86HomePage'])

/** What window managers and desktops take: closing, switching, menus, other desktops, ending the session. */
const keysOfSystems = [
  ...['alt+F4', 'alt+Tab', 'alt+shift+Tab', 'alt+Escape', 'alt+space', 'alt+F1', 'alt+F2', 'alt+F10'],
  ...['ctrl+alt+Left', 'ctrl+alt+Right', 'ctrl+alt+Up', 'ctrl+alt+Down', 'ctrl+alt+d', 'ctrl+alt+t'],
  ...['ctrl+alt+Delete', 'ctrl+alt+BackSpace', 'ctrl+Escape', 'Super_L', 'super+d', 'super+e', 'super+r'],
  ...['super+l', 'super+Tab', 'super+F1', 'Print', 'alt+Print', 'XF86HomePage', 'XF86Mail', 'XF86Explorer'],
]

/** The processes that run in this profile, from the system's own list. */
function browsersOf(profile: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8')
        // The browser's own process; its helpers are told their kind.
        return args.includes(`--user-data-dir=${profile}`) && !args.includes('--type=')
      } catch {
        return false
      }
    })
    .map(Number)
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve))
}

// Where the programs are missing this is not a skipped test but none; a build that has to have them sets CI.
const canRun = process.env.CI !== undefined || PROGRAMS.every((program) => existsSync(program))

if (canRun) {
  describe('a kiosk on the system’s Chromium', function () {
    this.timeout(60_000)
    let folder: TestFolder
    let profile = ''
    const children: ChildProcess[] = []
    let display = ''

    before(async () => {
      folder = makeTestFolder()
      profile = join(folder.path, 'data', 'browser')
      const screen = spawn(
        '/usr/bin/Xvfb',
        ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'],
        {
          stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        },
      )
      children.push(screen)
      const number = screen.stdio[3] as Readable
      display = `:${await new Promise<string>((resolve) => number.once('data', (text) => resolve(`${text}`.trim())))}`
      const env = { ...process.env, DISPLAY: display }
      children.push(spawn('/usr/bin/openbox', ['--config-file', openbox], { env, stdio: 'ignore' }))
    })

    after(async () => {
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const ended = endOf(child)
        child.kill('SIGTERM')
        await ended
      }
      folder.remove()
    })

    function open(server = SERVER) {
      const serverScript = folder.write('server.mjs', server)
      const options = { dataFolder: join(folder.path, 'data'), kiosk: true, window: true, serverScript }
      const script = folder.write(
        'shell.mjs',
        `const { runBrowserShell } = await import(${JSON.stringify(BROWSER)})
         process.exit(await runBrowserShell(${JSON.stringify(options)}))`,
      )
      const shell = spawn(process.execPath, [script], {
        env: { ...process.env, DISPLAY: display },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      children.push(shell)
      const requests = makeInbox<string>()
      let rest = ''
      shell.stderr.setEncoding('utf8').on('data', (text: string) => {
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('request GET ')) requests.put(line.slice(12))
      })
      return {
        shell,
        ended: endOf(shell),
        async requested(start: string): Promise<string> {
          for (;;) {
            const path = await requests.next()
            if (path.startsWith(start)) return path
          }
        },
      }
    }

    it('loads the page on the whole screen, comes back when killed, and leaves nothing behind', async () => {
      const { shell, ended, requested } = open()
      const first = await requested('/open?key=')
      await requested('/size?1024,768')
      const [browser] = browsersOf(profile)
      assert(browser !== undefined)
      assert(!readFileSync(`/proc/${browser}/cmdline`, 'utf8').includes('key='))

      process.kill(browser, 'SIGKILL')
      assert.equal(await requested('/open?key='), first)
      const [next] = browsersOf(profile)
      assert.notEqual(next, browser)

      shell.kill('SIGTERM')
      assert.equal(await ended, 0)
      assert.deepEqual(browsersOf(profile), [])
    })

    it('ends its Chromium and its server also when it is killed itself', async () => {
      const { shell, requested } = open()
      await requested('/open?key=')
      const port = readFileSync(join(folder.path, 'data', 'port'), 'utf8').trim()
      const { gone } = await watchServer(`http://127.0.0.1:${port}`)
      shell.kill('SIGKILL')
      await gone
      await eventually(
        async () => browsersOf(profile),
        (browsers) => browsers.length === 0,
      )
    })

    if (existsSync(KEYS))
      it('has neither the browser nor its session do anything by itself, whatever is pressed', async () => {
        const { shell, ended, requested } = open()
        await requested('/open?key=')
        await requested('/size?1024,768,true')
        const env = { ...process.env, DISPLAY: display }
        const press = (key: string) => execFileSync(KEYS, ['key', '--clearmodifiers', key], { env })
        const windows = () =>
          execFileSync(KEYS, ['search', '--onlyvisible', '--name', ''], { env, encoding: 'utf8' })
        // A browser that has only just drawn its page may drop keys.
        let isHeard = false
        const heard = requested('/key?a').then(() => (isHeard = true))
        await eventually(
          async () => press('a'),
          () => isHeard,
        )
        await heard
        const before = windows()
        for (const [index, combination] of [...combinations, ...keysOfSystems].entries()) {
          press(combination)
          // Whatever had opened would have this key.
          const letter = String.fromCharCode(98 + (index % 24))
          press(letter)
          await requested(`/key?${letter}`)
        }
        assert.equal(windows(), before)
        shell.kill('SIGTERM')
        assert.equal(await ended, 0)
      })

    it('is left by the PIN that its page asks for, and by no other', async () => {
      const start = new URL('../../main/start.ts', import.meta.url).pathname
      const data = join(folder.path, 'data')
      execFileSync(process.execPath, [start, '--data', data, '--set-exit-pin'], {
        ...{ input: '4711\n', stdio: ['pipe', 'ignore', 'ignore'] },
      })
      const { ended, requested } = open(LEAVING_SERVER)
      await requested('/state?true,true')
      await requested('/refused?wrong')
      assert.equal(await ended, 0)
      assert.deepEqual(browsersOf(profile), [])
      rmSync(join(data, 'exit-pin'))
    })

    it('follows its server to a new key in the same Chromium', async () => {
      const { shell, ended, requested } = open()
      const first = await requested('/open?key=')
      const [browser] = browsersOf(profile)
      process.kill(Number(first.slice('/open?key='.length)), 'SIGKILL')
      assert.notEqual(await requested('/open?key='), first)
      assert.deepEqual(browsersOf(profile), [browser])
      shell.kill('SIGTERM')
      assert.equal(await ended, 0)
    })
  })
}
