import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeInbox } from '../common/inbox.ts'
import { GOOD_SERVER, isAlive, makeTestFolder, type TestFolder, watchServer } from '../common/scripts.ts'

const BROWSER = new URL('../../../main/browser/browser.ts', import.meta.url).href

describe('the browser shell without a display', function () {
  this.timeout(180_000)
  let folder: TestFolder
  let shells: ChildProcess[] = []
  beforeEach(() => {
    folder = makeTestFolder()
  })
  afterEach(async () => {
    for (const shell of shells) {
      if (shell.exitCode !== null || shell.signalCode !== null) continue
      const gone = new Promise((resolve) => shell.once('exit', resolve))
      shell.kill('SIGKILL')
      await gone
    }
    shells = []
    folder.remove()
  })

  /** Runs the shell as a process of its own, as npm start does. */
  function open(server = GOOD_SERVER) {
    const serverScript = folder.write('server.mjs', server)
    const options = { dataFolder: join(folder.path, 'data'), kiosk: true, window: true, serverScript }
    const script = folder.write(
      'shell.mjs',
      `const { runBrowserShell } = await import(${JSON.stringify(BROWSER)})
       process.exit(await runBrowserShell(${JSON.stringify(options)}))`,
    )
    const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env
    const shell = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    shells.push(shell)
    const addresses = makeInbox<URL>()
    let said = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      for (const [url] of text.matchAll(/http:\S+/g)) addresses.put(new URL(url))
    })
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const ended = new Promise<number | null>((resolve) => shell.once('close', resolve))
    return { shell, addresses, said: () => said, ended }
  }

  const serverOf = (address: URL) => Number(address.searchParams.get('key'))

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`prints the address to open, and ends in order at ${signal}`, async () => {
      const { shell, addresses, said, ended } = open()
      const address = await addresses.next()
      assert.equal((await fetch(address)).status, 200)
      shell.kill(signal)
      assert.equal(await ended, 0)
      assert.equal(isAlive(serverOf(address)), false)
      assert.match(said(), /There is no display/)
      assert.match(said(), /stopped in order/)
      assert.equal(existsSync(join(folder.path, 'data', 'station.lock')), false)
    })
  }

  it('prints the address again when it has changed with a restart of the server', async () => {
    const { addresses } = open()
    const first = await addresses.next()
    await assert.rejects(fetch(new URL('/crash', first)))
    const second = await addresses.next()
    assert.equal(second.port, first.port)
    assert.notEqual(second.search, first.search)
  })

  it('refuses to run twice on the same data', async () => {
    const first = open()
    await first.addresses.next()
    const second = open()
    assert.equal(await second.ended, 1)
    assert.match(second.said(), new RegExp(`already running on .* \\(process ${first.shell.pid}\\)`))
  })

  it('runs again after it was killed, and leaves no server behind', async () => {
    const { shell, addresses } = open()
    const { gone } = await watchServer(await addresses.next())
    shell.kill('SIGKILL')
    await gone
    assert.match(
      readFileSync(join(folder.path, 'data', 'station.lock'), 'utf8'),
      new RegExp(`^${shell.pid}\\b`),
    )
    const again = open()
    assert.equal((await fetch(await again.addresses.next())).status, 200)
  })

  it('ends with a message when the server never starts', async () => {
    const { ended, said } = open('console.error("no space left"); process.exit(1)')
    assert.equal(await ended, 1)
    assert.match(said(), /did not start in 4 tries.*--data DIR.*no space left/s)
  })
})
