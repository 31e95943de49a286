import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import yazl from 'yazl'
import type { FetchedElectron } from '../../../main/common/choose-screen.ts'
import { realClock } from '../../../main/common/clock.ts'
import { fetchElectron } from '../../../main/electron/fetch-electron.ts'
import { makeTestFolder, type TestFolder } from '../common/scripts.ts'

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const { version }: { version: string } = JSON.parse(
  readFileSync(join(installed, 'electron', 'package.json'), 'utf8'),
)
const day = 24 * 3_600_000

/** A packed program of Electron that does nothing. */
async function packedStub(): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('#!/bin/sh\n'), 'electron', { mode: 0o100755 })
  zip.addBuffer(Buffer.from(version), 'version')
  // More than a few pieces of a download.
  zip.addBuffer(Buffer.alloc(2_000_000, 7), 'resources.pak', { compress: false })
  zip.end()
  return buffer(zip.outputStream)
}

describe('the program of Electron, where it was not fetched yet', function () {
  this.timeout(60_000)
  let zip: Buffer
  let folder: TestFolder
  let server: Server
  let said: string[]
  let asked: string[]
  let now: number
  const usual = process.env.ELECTRON_MIRROR

  before(async () => {
    zip = await packedStub()
  })
  beforeEach(() => {
    folder = makeTestFolder()
    said = []
    asked = []
    now = realClock.now()
    const modules = join(folder.path, 'node_modules')
    const own = join(modules, 'electron')
    mkdirSync(own, { recursive: true })
    for (const name of readdirSync(installed).filter((each) => each !== 'electron' && !each.startsWith('.')))
      symlinkSync(join(installed, name), join(modules, name))
    for (const name of ['package.json', 'install.js'])
      copyFileSync(join(installed, 'electron', name), join(own, name))
    const sum = createHash('sha256').update(zip).digest('hex')
    const name = `electron-v${version}-${process.platform}-${process.arch}.zip`
    writeFileSync(join(own, 'checksums.json'), JSON.stringify({ [name]: sum }))
  })
  afterEach(async () => {
    if (usual === undefined) delete process.env.ELECTRON_MIRROR
    else process.env.ELECTRON_MIRROR = usual
    server?.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    folder.remove()
  })

  /** Serves what is asked for in some way, as a mirror of Electron's downloads. */
  async function mirror(answer: RequestListener): Promise<void> {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      answer(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    process.env.ELECTRON_MIRROR = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  const fetchIt = (
    more: { isAskedFor?: boolean; env?: object; within?: number } = {},
  ): Promise<FetchedElectron> =>
    fetchElectron({
      programFolder: folder.path,
      env: { ...process.env, electron_config_cache: join(folder.path, 'cache'), ...more.env },
      clock: { now: () => now, after: realClock.after },
      log: (message) => void said.push(message),
      isAskedFor: more.isAskedFor ?? false,
      silentFor: 1000,
      ...(more.within === undefined ? {} : { within: more.within }),
    })
  const whyOf = (fetched: FetchedElectron): string =>
    'why' in fetched ? fetched.why : assert.fail(fetched.program)

  it('is fetched once, checked and unpacked, with what is being done', async () => {
    await mirror((_, response) => {
      response.setHeader('content-length', zip.length)
      for (let at = 0; at < zip.length; at += 500_000) {
        now += 5000
        response.write(zip.subarray(at, at + 500_000))
      }
      response.end()
    })
    const fetched = await fetchIt()
    const program = join(folder.path, 'node_modules/electron/dist/electron')
    assert.deepEqual(fetched, { program }, said.join('\n'))
    assert.equal(readFileSync(program, 'utf8'), '#!/bin/sh\n')
    assert.match(said[0] ?? '', new RegExp(`Electron ${version} is fetched from 127\\.0\\.0\\.1`))
    assert.match(said.join('\n'), /Electron: \d of 2 MB/)
    assert.equal(asked.length, 1)
  })

  const bad: readonly (readonly [what: string, answer: RequestListener, why: RegExp])[] = [
    [
      'does not have it',
      (_, response) => response.writeHead(404).end(),
      /^127\.0\.0\.1:\d+ does not have it$/,
    ],
    ['sends nothing', () => undefined, /has sent nothing for 1 s/],
    [
      'stops in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': zip.length })
        response.write(zip.subarray(0, 1000))
      },
      /has sent nothing for 1 s/,
    ],
    [
      'closes half way',
      (_, response) => {
        response.writeHead(200, { 'content-length': zip.length })
        response.write(zip.subarray(0, zip.length / 2), () => response.destroy())
      },
      /broke off/,
    ],
    [
      'sends something else',
      (_, response) => {
        const wrong = Buffer.from(zip)
        wrong[1000] = (wrong[1000] ?? 0) ^ 1
        response.end(wrong)
      },
      /is not what Electron’s makers published/,
    ],
  ]
  for (const [what, answer, why] of bad)
    it(`is not had from a server that ${what}, which is remembered for a day`, async () => {
      await mirror(answer)
      assert.match(whyOf(await fetchIt()), why)
      assert.equal(existsSync(join(folder.path, 'node_modules/electron/dist')), false)
      assert.equal(asked.length, 1)
      now += day - 1
      assert.match(whyOf(await fetchIt()), /tried again after a day, or at once with "npx install-electron"/)
      assert.equal(asked.length, 1)
      now += 1
      await fetchIt()
      assert.equal(asked.length, 2)
    })

  it('is not had where nothing answers, and is tried again by whoever asks for it', async () => {
    await mirror((_, response) => response.end(zip))
    const port = (server.address() as AddressInfo).port
    await new Promise((resolve) => server.close(resolve))
    assert.match(whyOf(await fetchIt()), /nothing answers at 127\.0\.0\.1/)
    server = createServer((_, response) => response.end(zip)).listen(port, '127.0.0.1')
    await once(server, 'listening')
    assert.ok('why' in (await fetchIt()))
    assert.ok('program' in (await fetchIt({ isAskedFor: true })))
  })

  it('is given up where it takes too long, though something comes all the time', async () => {
    await mirror((_, response) => {
      response.writeHead(200, { 'content-length': zip.length })
      const drip = setInterval(() => response.write(zip.subarray(0, 10)), 100)
      response.on('close', () => clearInterval(drip))
    })
    assert.match(whyOf(await fetchIt({ within: 1500 })), /takes longer than/)
  })

  it('is not asked for where somebody forbids it, or its package is not there', async () => {
    await mirror((_, response) => response.end(zip))
    assert.match(whyOf(await fetchIt({ env: { ELECTRON_SKIP_BINARY_DOWNLOAD: '1' } })), /forbids/)
    rmSync(join(folder.path, 'node_modules/electron'), { recursive: true })
    assert.match(whyOf(await fetchIt()), /not installed/)
    assert.deepEqual(asked, [])
  })
})
