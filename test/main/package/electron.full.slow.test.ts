import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { extractAll, listPackage } from '@electron/asar'
import { PROGRAM_FOLDER } from '../../../main/common/program-files.ts'
import { buildElectronPackages } from '../../../main/package/electron-package.ts'
import { languages } from '../../../schema/texts/translate.ts'
import { type Demo, scanAtMainEntrance } from './support/demo-scan.ts'

/** The languages of the screens, by Chromium's names. */
const spoken = Object.keys(languages).map((language) => (language === 'en' ? 'en-US' : language))
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** An unpacked Electron that has its files and its fuses, and whose program only says that it was started. */
function writeElectronStub(folder: string): void {
  mkdirSync(join(folder, 'locales'), { recursive: true })
  mkdirSync(join(folder, 'resources'))
  for (const name of [
    'LICENSE',
    'LICENSES.chromium.html',
    'chrome-sandbox',
    ...[...spoken, 'ja'].map((locale) => `locales/${locale}.pak`),
  ])
    writeFileSync(join(folder, name), 'x')
  writeFileSync(join(folder, 'version'), 'v45.4.1')
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([
      Buffer.from(`#!/bin/sh\nexit 0\n${fuseMark}`),
      Buffer.from([1, 9]),
      Buffer.from('000000000'),
    ]),
  )
  chmodSync(join(folder, 'electron'), 0o755)
}

describe('the package of the station with Electron', function () {
  this.timeout(300_000)
  let output: string
  let tree: string
  let resources: string

  before(async () => {
    output = mkdtempSync(join(tmpdir(), 'gatehouse-electron-'))
    const electron = join(output, 'stub')
    writeElectronStub(electron)
    process.env.CUSTOM_FPM_PATH = join(import.meta.dirname, 'support', 'fpm-stand-in.mjs')
    const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
    const [file = ''] = await buildElectronPackages({
      ...{ from: PROGRAM_FOLDER, output, version: '1.2.3', electron, targets: ['deb'] },
      target: { platform: 'linux', arch },
    })
    tree = join(output, 'tree')
    execFileSync('dpkg-deb', ['-R', file, tree])
    resources = join(tree, 'opt', 'Gatehouse', 'resources')
    extractAll(join(resources, 'app.asar'), join(output, 'unpacked'))
  })
  after(() => {
    delete process.env.CUSTOM_FPM_PATH
    rmSync(output, { recursive: true })
  })

  it('holds the program in an archive, without sources, tests and tools', () => {
    const files = listPackage(join(resources, 'app.asar'), { isPack: false })
    for (const needed of ['/main/index.js', '/main/electron/preload.cjs', '/server/cli.js', '/package.json'])
      assert.ok(files.includes(needed), needed)
    const tops = new Set(files.map((path) => path.split('/')[1]))
    assert.deepEqual([...tops].sort(), [
      ...[
        'LICENSE',
        'bill-of-materials.json',
        'main',
        'node_modules',
        'package.json',
        'renderer',
        'schema',
        'server',
      ],
    ])
    const own = files.filter((path) => !path.startsWith('/node_modules/'))
    assert.deepEqual(
      own.filter((path) => /\.(c?ts|tsx|map)$|^\/main\/package/.test(path)),
      [],
    )
    const manifest: { readonly version: string } = JSON.parse(
      readFileSync(join(output, 'unpacked', 'package.json'), 'utf8'),
    )
    assert.equal(manifest.version, '1.2.3')
  })

  it('has the words of Chromium in the languages of the screens, and in no others', () => {
    const kept = readdirSync(join(tree, 'opt', 'Gatehouse', 'locales'))
    assert.deepEqual(kept.toSorted(), spoken.map((locale) => `${locale}.pak`).toSorted())
  })

  it('has beside the archive what the system loads and other processes read', () => {
    const unpacked = execFileSync('find', [join(resources, 'app.asar.unpacked'), '-type', 'f'], {
      encoding: 'utf8',
    })
    for (const needed of [/better-sqlite3\/prebuilds\/linux/, /node-hid\/prebuilds\//, /\.wasm$/m, /\.ttf$/m])
      assert.match(unpacked, needed)
    assert.doesNotMatch(unpacked, /darwin|win32|musl/)
    assert.match(unpacked, /renderer\/dist\/index\.html/)
  })

  it('has its fuses set: no other program runs in its name, and it loads nothing but its archive', () => {
    const program = readFileSync(join(tree, 'opt', 'Gatehouse', 'gatehouse-desktop'), 'latin1')
    const at = program.indexOf(fuseMark) + fuseMark.length + 2
    // Run as Node, cookie encryption, NODE_OPTIONS, --inspect, integrity, only from the archive, snapshot, file protocol.
    assert.equal(program.slice(at, at + 8), '01001100')
  })

  it('starts at login, may read scanners, and brings its icon', () => {
    const read = (path: string) => readFileSync(join(tree, path), 'utf8')
    assert.match(read('etc/xdg/autostart/gatehouse-desktop.desktop'), /^Exec=gatehouse-desktop$/m)
    assert.match(
      read('usr/share/applications/gatehouse-desktop.desktop'),
      /^Exec=\/opt\/Gatehouse\/gatehouse-desktop/m,
    )
    assert.match(read('usr/lib/udev/rules.d/71-gatehouse.rules'), /hidraw/)
    assert.ok(
      readFileSync(join(tree, 'usr/share/icons/hicolor/512x512/apps/gatehouse-desktop.png')).length > 1000,
    )
    for (const script of ['postinst', 'postrm'])
      execFileSync('sh', ['-n', join(tree, 'DEBIAN', script)], { stdio: 'pipe' })
  })

  it('serves and admits a ticket with nothing but its own files', async () => {
    const app = join(output, 'unpacked')
    const data = join(output, 'data')
    const cli = [join(app, 'server', 'cli.js')]
    const made = execFileSync(process.execPath, [...cli, 'demo', '--data', data], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const demo: Demo = JSON.parse(made.trim().split('\n').at(-1) ?? '')
    const server = spawn(process.execPath, [...cli, 'serve', '--data', data, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(server, 'close')
    try {
      const [line]: string[] = await once(createInterface({ input: server.stdout }), 'line')
      const { url }: { readonly url: string } = JSON.parse(line ?? '{}')
      const ticket = demo.tickets.find(({ note }) => note === 'Main entrance: admitted')
      assert.ok(ticket)
      assert.equal(await scanAtMainEntrance(url, demo, ticket.code), 'ok')
    } finally {
      server.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
    }
  })
})
