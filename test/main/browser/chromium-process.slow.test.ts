import assert from 'node:assert/strict'
import { lstatSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { keepChromium } from '../../../main/browser/chromium-process.ts'
import { makeHandClock } from '../common/hand-clock.ts'
import { makeInbox } from '../common/inbox.ts'
import { isAlive, makeTestFolder, type TestFolder } from '../common/scripts.ts'
import { shellAnswers } from '../common/shell-answers.ts'

// Speaks just enough of the protocol, and does what the loaded address says.
const FAKE_CHROMIUM = `
  import { appendFileSync, createReadStream, writeSync } from 'node:fs'
  const say = (message) => writeSync(4, JSON.stringify(message) + '\\0')
  const page = { targetId: 'T', type: 'page' }
  let rest = ''
  createReadStream('', { fd: 3 }).setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\\0')
    rest = parts.pop()
    for (const part of parts) {
      const { id, method, params } = JSON.parse(part)
      if (method === 'Target.setDiscoverTargets') say({ method: 'Target.targetCreated', params: { targetInfo: page } })
      if (method === 'Target.attachToTarget') say({ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo: page } })
      if (method !== 'Browser.close') say({ id, result: {} })
      if (method === 'Browser.close' && !process.argv.includes('deaf')) process.exit(0)
      if (method === 'Page.navigate') {
        appendFileSync(process.argv[2], process.pid + ' ' + params.url + '\\n')
        if (params.url === 'crash:') say({ method: 'Target.targetCrashed', params: { targetId: 'T' } })
        if (params.url.startsWith('exit:')) {
          console.error('cannot open display')
          process.exit(Number(params.url.slice(5)))
        }
      }
    }
  }).on('close', () => process.exit(0))
`

/** How long anything may take; machines that build are busy. */
const patience = 30_000

describe('the process of Chromium', function () {
  this.timeout(180_000)
  let folder: TestFolder
  before(() => {
    folder = makeTestFolder()
  })
  const stops: (() => Promise<void>)[] = []
  after(() => folder.remove())
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  function open(closed: 'open again' | 'leave closed' = 'leave closed', ...more: string[]) {
    const clock = makeHandClock()
    const logged = makeInbox<string>()
    const closes = makeInbox<true>()
    const script = folder.write('chromium.mjs', FAKE_CHROMIUM)
    const loads = folder.write(`loads-${Math.random()}`, '')
    const chromium = keepChromium({
      isLocked: false,
      answers: shellAnswers(),
      program: process.execPath,
      args: [script, loads, ...more],
      profile: folder.path,
      clock,
      log: logged.put,
      onClosed() {
        closes.put(true)
        return closed
      },
    })
    stops.push(chromium.stop)
    return { clock, logged, closes, chromium, loaded: (count: number) => waitForLines(loads, count) }
  }

  async function waitForLines(file: string, count: number): Promise<readonly string[]> {
    const { readFile } = await import('node:fs/promises')
    const deadline = Date.now() + patience
    for (;;) {
      const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1)
      if (lines.length >= count) return lines
      assert(Date.now() < deadline, `still ${lines.length} lines: ${lines}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  const pidOf = (line: string | undefined) => Number.parseInt(line ?? '', 10)

  it('loads the address, and the next one in the same process', async () => {
    const { chromium, loaded } = open()
    chromium.show('http://127.0.0.1:1/')
    await loaded(1)
    chromium.show('http://127.0.0.1:2/')
    const [first, second] = await loaded(2)
    assert.equal(pidOf(first), pidOf(second))
    assert(second?.endsWith(' http://127.0.0.1:2/'))
  })

  it('is opened again with its address after it was killed', async () => {
    const { chromium, loaded, logged, clock } = open()
    chromium.show('http://127.0.0.1:1/')
    const [first] = await loaded(1)
    process.kill(pidOf(first), 'SIGKILL')
    assert.equal(await logged.next(), 'Chromium was ended by SIGKILL; it is started again in 0.5 s')
    clock.advance(500)
    const [, second] = await loaded(2)
    assert.notEqual(pidOf(first), pidOf(second))
    assert(second?.endsWith(' http://127.0.0.1:1/'))
  })

  it('is opened again after it failed, with its last words', async () => {
    const { chromium, logged } = open()
    chromium.show('exit:5')
    assert.equal(await logged.next(), 'Chromium’s last words:\ncannot open display')
    assert.equal(await logged.next(), 'Chromium ended with code 5; it is started again in 0.5 s')
  })

  it('stays closed when its user has closed it', async () => {
    const { chromium, closes, clock } = open('leave closed')
    chromium.show('exit:0')
    await closes.next()
    assert.deepEqual(clock.planned(), [])
  })

  it('is opened again when its user may not leave', async () => {
    const { chromium, logged } = open('open again')
    chromium.show('exit:0')
    assert.equal(await logged.next(), 'Chromium ended with code 0; it is started again in 0.5 s')
  })

  it('loads a crashed page again, and is opened anew when that does not help', async () => {
    const { chromium, loaded, logged } = open()
    chromium.show('crash:')
    const lines = await loaded(6)
    assert.equal(lines.length, 6)
    const said: string[] = []
    for (let line = await logged.next(); ; line = await logged.next()) {
      said.push(line)
      if (line.includes('SIGKILL')) break
    }
    assert.equal(said.filter((line) => line === 'The page in Chromium has crashed').length, 6)
  })

  it('closes in order', async () => {
    const { chromium, loaded, closes, logged } = open()
    chromium.show('http://127.0.0.1:1/')
    const [first] = await loaded(1)
    await chromium.stop()
    assert.equal(isAlive(pidOf(first)), false)
    assert.deepEqual([closes.rest(), logged.rest()], [[], []])
  })

  it('is killed when it does not close', async () => {
    const { chromium, loaded, clock } = open('leave closed', 'deaf')
    chromium.show('http://127.0.0.1:1/')
    const [first] = await loaded(1)
    const stopped = chromium.stop()
    clock.advance(5000)
    await stopped
    assert.equal(isAlive(pidOf(first)), false)
  })

  it('that cannot be started is tried again, saying why', async () => {
    const logged = makeInbox<string>()
    const clock = makeHandClock()
    const program = join(folder.path, 'no-such-chromium')
    const onClosed = () => assert.fail('nobody closed it')
    const chromium = keepChromium({
      isLocked: false,
      answers: shellAnswers(),
      program,
      args: [],
      profile: folder.path,
      clock,
      log: logged.put,
      onClosed,
    })
    assert.match(await logged.next(), /no-such-chromium cannot be started: .*ENOENT/)
    assert.match(await logged.next(), /started again in 0.5 s/)
    await chromium.stop()
  })

  for (const [whose, host, kept] of [
    ['another name of this machine', 'old-name', false],
    ['this machine', hostname(), true],
  ] as const) {
    it(`${kept ? 'keeps' : 'forgets'} a profile’s lock of ${whose}`, async () => {
      const lock = join(folder.path, 'SingletonLock')
      symlinkSync(`${host}-1`, lock)
      const { chromium } = open()
      await chromium.stop()
      assert.equal(lstatSync(lock, { throwIfNoEntry: false }) !== undefined, kept)
    })
  }
})
