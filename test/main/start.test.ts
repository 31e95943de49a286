import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildScreens, screensAreStale } from '../../main/browser/build-screens.ts'
import {
  chromiumArguments,
  chromiumCandidates,
  findChromium,
  hasDisplay,
} from '../../main/browser/chromium.ts'
import { readShellOptions } from '../../main/common/options.ts'
import { findElectron } from '../../main/common/program-files.ts'
import { nodeProblem } from '../../main/node-problem.mjs'
import { makeDataFolder } from '../../main/server/data-folder.ts'
import { defaultDataFolder } from '../../schema/data-folder.ts'
import { makeTestFolder, type TestFolder } from './common/scripts.ts'

const START = fileURLToPath(new URL('../../main/start.ts', import.meta.url))

describe('a start', () => {
  let folder: TestFolder
  beforeEach(() => {
    folder = makeTestFolder()
  })
  afterEach(() => folder.remove())

  describe('the check of Node', () => {
    for (const version of ['24.0.0', '24.21.0', '25.1.0', '100.0.0']) {
      it(`accepts ${version}`, () => assert.equal(nodeProblem(version), null))
    }
    for (const version of ['16.20.2', '20.20.2', '22.18.0', '23.11.0']) {
      it(`says what to do about ${version}`, () => {
        assert.match(
          nodeProblem(version) ?? '',
          new RegExp(`needs Node.js 24.*${version}.*npm install.*npm start`),
        )
      })
    }
  })

  describe('the options', () => {
    const usual = { data: null, kiosk: true, shell: null, setExitPin: false, help: false }
    const read: readonly [readonly string[], object][] = [
      [[], {}],
      [['--data', 'here'], { data: 'here' }],
      [['--data=here'], { data: 'here' }],
      [['--window'], { kiosk: false }],
      [['--shell', 'none'], { shell: 'none' }],
      [['--set-exit-pin'], { setExitPin: true }],
      [['-h'], { help: true }],
    ]
    for (const [args, more] of read) {
      it(`are read from ${args.join(' ') || 'nothing'}`, () => {
        assert.deepEqual(readShellOptions(args), { ...usual, ...more })
      })
    }

    for (const args of [
      ['--dada', 'x'],
      ['x'],
      ['--data'],
      ['--data', ''],
      ['--data='],
      ['--shell', 'firefox'],
    ]) {
      it(`are refused as ${args.join(' ')}`, () => assert.throws(() => readShellOptions(args)))
    }

    it('ignore those of Electron when told so', () => {
      assert.equal(
        readShellOptions(['--no-sandbox', '--data', 'here', 'file', '--lang=de'], true).data,
        'here',
      )
    })
  })

  describe('the data folder', () => {
    const folders: readonly [NodeJS.Platform, Record<string, string>, string][] = [
      ['linux', {}, '/home/me/.local/share/gatehouse'],
      ['linux', { XDG_DATA_HOME: '/data' }, '/data/gatehouse'],
      ['linux', { XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/gatehouse'],
      ['linux', { XDG_DATA_HOME: '' }, '/home/me/.local/share/gatehouse'],
      ['linux', { XDG_DATA_HOME: '/data', GATEHOUSE_DATA: '/mine' }, '/mine'],
      ['darwin', {}, '/home/me/Library/Application Support/Gatehouse'],
      ['win32', {}, '/home/me\\AppData\\Local\\Gatehouse'],
      ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Local\\Gatehouse'],
    ]
    for (const [platform, env, expected] of folders) {
      it(`is ${expected} on ${platform} with ${JSON.stringify(env)}`, () => {
        assert.equal(defaultDataFolder(platform, env, '/home/me'), expected)
      })
    }

    it('is made with its parents', () => {
      const deep = join(folder.path, 'a', 'b')
      makeDataFolder(deep)
      makeDataFolder(deep)
    })

    it('that cannot be made is a sentence', () => {
      const file = folder.write('file', '')
      assert.throws(() => makeDataFolder(join(file, 'data')), /cannot be made .*npm start -- --data DIR/)
    })
  })

  describe('the search for Electron', () => {
    const install = (name: string | null, program: string | null) => {
      const dist = join(folder.path, 'node_modules', 'electron', 'dist')
      mkdirSync(dist, { recursive: true })
      if (name !== null) writeFileSync(join(dist, '..', 'path.txt'), name)
      if (program !== null) writeFileSync(join(dist, program), '')
      return findElectron(folder.path, {})
    }

    it('finds its program', () => {
      assert.equal(
        install('electron', 'electron'),
        join(folder.path, 'node_modules', 'electron', 'dist', 'electron'),
      )
    })
    it('finds nothing where it was never downloaded', () => assert.equal(install(null, null), null))
    it('finds nothing where the program was removed', () => assert.equal(install('electron', null), null))
    it('finds nothing where the path is empty', () => assert.equal(install('', null), null))
    it('finds nothing where nothing is installed', () => assert.equal(findElectron(folder.path, {}), null))
    it('looks where the environment says', () => {
      install('electron', null)
      const elsewhere = folder.write('electron', '')
      assert.equal(findElectron(folder.path, { ELECTRON_OVERRIDE_DIST_PATH: folder.path }), elsewhere)
    })
  })

  describe('the choice of Chromium', () => {
    const usual = { profile: '/data/browser', kiosk: true, root: false, waylandOnly: false }

    it('looks along the path, for chromium first', () => {
      const candidates = chromiumCandidates('linux', { PATH: '/opt/bin:/usr/bin' })
      assert.deepEqual(candidates.slice(0, 4), [
        ...['/opt/bin/chromium', '/usr/bin/chromium', '/snap/bin/chromium', '/opt/bin/chromium-browser'],
      ])
      assert(candidates.includes('/usr/bin/google-chrome'))
    })

    it('takes only the one the environment names', () => {
      assert.deepEqual(chromiumCandidates('linux', { PATH: '/bin', CHROMIUM: '/opt/c' }), ['/opt/c'])
    })

    it('knows the usual places elsewhere', () => {
      assert(chromiumCandidates('darwin', {})[0]?.startsWith('/Applications/'))
      assert.deepEqual(chromiumCandidates('win32', { PROGRAMFILES: 'C:\\P' }), [
        'C:\\P\\Google\\Chrome\\Application\\chrome.exe',
        'C:\\P\\Microsoft\\Edge\\Application\\msedge.exe',
      ])
    })

    it('finds what exists', () => {
      const program = folder.write('google-chrome', '')
      assert.equal(findChromium('linux', { CHROMIUM: program }), program)
      assert.equal(findChromium('linux', { CHROMIUM: `${program}-missing` }), null)
    })

    it('tells whether there is a display', () => {
      assert.deepEqual(
        [{}, { DISPLAY: '' }, { DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }].map((env) =>
          hasDisplay('linux', env),
        ),
        [false, false, true, true],
      )
      assert(hasDisplay('darwin', {}) && hasDisplay('win32', {}))
    })

    it('locks the screen of a kiosk', () => {
      const args = chromiumArguments(usual)
      for (const wanted of [
        '--kiosk',
        '--user-data-dir=/data/browser',
        '--disable-pinch',
        '--noerrdialogs',
      ]) {
        assert(args.includes(wanted), wanted)
      }
      assert(!args.includes('--no-sandbox'))
      assert(!chromiumArguments({ ...usual, kiosk: false }).includes('--kiosk'))
    })

    it('gives up the sandbox for root alone, and takes Wayland where there is nothing else', () => {
      assert(chromiumArguments({ ...usual, root: true }).includes('--no-sandbox'))
      assert(chromiumArguments({ ...usual, waylandOnly: true }).includes('--ozone-platform=wayland'))
    })

    it('puts no address of the station among the arguments, which every user can read', () => {
      assert(!chromiumArguments(usual).some((arg) => arg.includes('http')))
    })
  })

  describe('the screens', () => {
    const AT = 1_700_000_000
    function write(path: string, time: number, text = '') {
      const file = join(folder.path, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, text)
      utimesSync(file, time, time)
    }
    beforeEach(() => {
      write('renderer/index.html', AT)
      write('renderer/entrance/screen.tsx', AT)
      write('schema/fields.ts', AT)
    })

    it('are stale while they are missing', () => assert.equal(screensAreStale(folder.path), true))

    it('are fresh when newer than all their sources', () => {
      write('renderer/dist/index.html', AT + 1)
      assert.equal(screensAreStale(folder.path), false)
    })

    for (const source of ['renderer/entrance/screen.tsx', 'renderer/index.html', 'schema/fields.ts']) {
      it(`are stale when ${source} is newer`, () => {
        write('renderer/dist/index.html', AT + 1)
        write(source, AT + 2)
        assert.equal(screensAreStale(folder.path), true)
      })
    }

    it('do not grow stale by what was built', () => {
      write('renderer/dist/index.html', AT + 1)
      write('renderer/dist/assets/index.js', AT + 2)
      assert.equal(screensAreStale(folder.path), false)
    })

    it('are never stale where there are no sources', () => {
      folder.remove()
      mkdirSync(folder.path)
      assert.equal(screensAreStale(folder.path), false)
    })

    it('are built by vite when stale, with one line that says so', async () => {
      write(
        'node_modules/vite/bin/vite.js',
        AT,
        `const fs = require('node:fs')
       fs.mkdirSync('renderer/dist')
       fs.writeFileSync('renderer/dist/index.html', process.argv.slice(2).join(' '))`,
      )
      const logged: string[] = []
      await buildScreens(folder.path, (line) => void logged.push(line))
      assert.equal(logged.length, 1)
      assert.equal(screensAreStale(folder.path), false)
      await buildScreens(folder.path, assert.fail)
    })

    it('that cannot be built are a sentence with vite’s own words', async () => {
      write(
        'node_modules/vite/bin/vite.js',
        AT,
        'console.error("syntax error in screen.tsx"); process.exit(1)',
      )
      await assert.rejects(
        buildScreens(folder.path, () => {}),
        /could not be built: syntax error in screen\.tsx/,
      )
    })

    it('that cannot be built are shown as they were before', async () => {
      write('renderer/dist/index.html', AT - 1)
      const logged: string[] = []
      await buildScreens(folder.path, (line) => void logged.push(line))
      assert.match(logged.at(-1) ?? '', /the ones from before are shown.*npm install/)
    })
  })

  describe('npm start', function () {
    this.timeout(180_000)
    const run = (args: readonly string[], input = '') =>
      spawnSync(process.execPath, [START, ...args], { input, encoding: 'utf8', timeout: 120_000 })

    it('explains itself', () => {
      const { status, stdout } = run(['--help'])
      assert.equal(status, 0)
      assert.match(stdout, /--data DIR/)
    })

    it('refuses what it does not know, with a sentence', () => {
      const { status, stderr } = run(['--dada'])
      assert.equal(status, 1)
      assert.match(stderr, /^Unknown option '--dada'/)
      assert(!stderr.includes('    at '))
    })

    it('sets the exit PIN, and asks for it before setting another', () => {
      const set = (input: string) => run(['--set-exit-pin', '--data', folder.path], input).status
      assert.equal(set('2468\n'), 0)
      assert.equal(set('2468\n3579\n'), 0)
      assert.equal(set('2468\n0000\n'), 1)
    })
  })
})
