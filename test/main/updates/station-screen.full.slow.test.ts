import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Browser, chromium, type Page } from 'playwright-core'
import { readUpdateState } from '../../../main/updates/update-notes.ts'
import { patience } from '../../browser/support/browser.ts'
import { caught, scan, shown } from '../../browser/support/entrance.ts'
import { picture } from '../../browser/support/pictures.ts'
import { makeDevice, openVenue, until, type Venue } from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addTable, type BuiltVersions, buildVersions, endAfterMigrations } from './support/built-versions.ts'

const codes = ['TICKET0', 'TICKET1', 'TICKET2', 'TICKET3']

/** Ends a program in order; whether that was the end of it. */
async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

describe('a station on the screen of which somebody looks while it is updated', function () {
  this.timeout(300_000)
  let versions: BuiltVersions
  let central: TestServer
  let venue: Venue
  let folder: string
  let data: string
  let display: string
  let xvfb: ChildProcess
  let station: ChildProcess | undefined
  let browser: Browser
  let page: Page
  let said = ''

  before(async () => {
    versions = buildVersions()
    await versions.publish('0.2.0', (program) => addTable(program, '9001-added'))
    // For stations of the channel `early` at first.
    const broken = (program: string): void => {
      addTable(program, '9001-added')
      addTable(program, '9002-added')
      endAfterMigrations(program)
    }
    await versions.publish('0.3.0', broken, 1)
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-watched-'))
    // As folders of users are called elsewhere.
    data = join(folder, 'Application Support', 'Tür & Tor')
    central = await startTestServer(undefined, null, {
      updates: { folder: join(folder, 'central'), place: versions.updates, keys: [versions.key], speed: 1e7 },
    })
    venue = await openVenue(central, codes)
    const screen = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
    xvfb = spawn('/usr/bin/Xvfb', screen, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const [number] = await once(xvfb.stdio[3] as Readable, 'data')
    display = `:${String(number).trim()}`
  })
  after(async () => {
    await browser?.close()
    await end(station)
    await end(xvfb)
    await central?.close()
    versions?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens the station as its package does, with a Chromium that lets the test look into its page. */
  async function open(): Promise<void> {
    const program = join(folder, 'chromium')
    const real = process.env.CHROMIUM ?? '/usr/bin/chromium'
    writeFileSync(program, `#!/bin/sh\nexec ${real} --remote-debugging-port=0 "$@"\n`)
    chmodSync(program, 0o700)
    const port = join(data, 'browser', 'DevToolsActivePort')
    rmSync(port, { force: true })
    station = spawn(process.execPath, [join(versions.base, 'main/start.js'), '--data', data], {
      env: { PATH: process.env.PATH, HOME: folder, DISPLAY: display, CHROMIUM: program, LANG: 'en_GB.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    station.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    let address = ''
    await until('the screen is open', () => {
      try {
        address = readFileSync(port, 'utf8').split('\n')[0] ?? ''
      } catch {}
      return address !== ''
    }).catch(() => assert.fail(said))
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${address}`)
    const [opened] = browser.contexts()[0]?.pages() ?? []
    assert.ok(opened)
    page = opened
    page.setDefaultTimeout(patience)
  }

  /** A request as the screen makes it. */
  const ask = <T>(method: string, path: string, body?: object): Promise<T> =>
    page.evaluate(
      async ({ method, path, body }) => {
        const answer = await fetch(`/api/v1/station/${path}`, {
          method,
          ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
        })
        return answer.json()
      },
      { method, path, body },
    ) as Promise<T>

  /** The headlines that the screen has shown until something is so, each once, whatever page it was on. */
  async function headlinesUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<string[]> {
    const headlines = new Set<string>()
    await until(what, async () => {
      // Between two pages there is none.
      const words = await page
        .locator('main h1, main h1 ~ p, [role=status] p')
        .allInnerTexts()
        .catch(() => [])
      for (const one of words) {
        if (!headlines.has(one)) await picture(page, `update-screen-${headlines.size}`).catch(() => undefined)
        headlines.add(one)
      }
      return isSo()
    }).catch(() => assert.fail(`${[...headlines].join('\n')}\n${said}`))
    return [...headlines]
  }

  /** Has the update installed at once, as the person at the station may. */
  async function installNow(): Promise<void> {
    await until('it is installed', async () => {
      const asked = ask<{ phase: string }>('POST', 'update/', { when: 'now' })
      // The page may be that of the next version before the answer is read.
      const { phase } = await asked.catch(() => ({ phase: 'installing' }))
      return phase === 'installing'
    })
  }

  /** Scans a code; resolves once the screen has shown what is expected, which may pass quickly. */
  async function scanned(code: string, look: 'ok' | 'refused'): Promise<void> {
    const seen = caught(page, look)
    await scan(page, code)
    await seen
  }

  it('says what happens, comes back by itself in the new version, and admits at once', async () => {
    await open()
    await shown(page, 'setup')
    const device = await makeDevice(central, 'North')
    const code = { handshake_version: 1, url: central.url, token: device.initialization_token }
    await ask('POST', 'join/', { code: JSON.stringify(code), role: 'station' })
    await until('its data are here', async () => {
      const { data_age: age } = await ask<{ data_age: number | null }>('GET', 'link/')
      return age !== null
    })
    const settings = { organizer: 'acme', event: 'gala', list: venue.list, direction: 'entry', locale: 'en' }
    await ask('PUT', 'settings/', { ...settings, name: 'North', gate: null })
    await shown(page, 'ready')
    await scanned('TICKET0', 'ok')

    await installNow()
    const headlines = await headlinesUntil('0.2.0 works', () => readUpdateState(data).current === '0.2.0')
    assert.ok(headlines.includes('Version 0.2.0 is being installed'), headlines.join('\n'))
    assert.ok(
      headlines.some((one) => one.startsWith('Step 1 of 2')),
      headlines.join('\n'),
    )
    await shown(page, 'ready')
    await page.locator('[data-update-news="updated"]').waitFor()
    await picture(page, 'update-screen-done')
    const { version } = await ask<{ version: string }>('GET', 'update/')
    assert.equal(version, '0.2.0')
    await scanned('TICKET1', 'ok')
    await scanned('TICKET0', 'refused')
  })

  it('goes back from a version that does not start, and says so', async () => {
    const { body } = await central.call('GET', `${central.org}/devices/`)
    const [device] = (body as { results: { device_id: number }[] }).results
    const early = { update_channel: 'early' }
    const { status } = await central.call('PATCH', `${central.org}/devices/${device?.device_id}/`, early)
    assert.equal(status, 200)
    await installNow()
    await headlinesUntil('it has gone back', () => readUpdateState(data).failed !== null)
    const news = page.locator('[data-update-news="failed"]')
    await news.waitFor()
    assert.match(await news.innerText(), /Version 0\.3\.0 did not work here/)
    await picture(page, 'update-screen-failed')
    await shown(page, 'ready')
    await scanned('TICKET2', 'ok')
    await scanned('TICKET1', 'refused')
    await news.getByRole('button').click()
    await news.waitFor({ state: 'detached' })
    await until('the operator sees it', async () => {
      const list = await central.call('GET', `${central.org}/devices/`)
      const { results: devices } = list.body as { results: { update_failure: string | null }[] }
      return devices.some(({ update_failure: failure }) => failure === '0.3.0: ended')
    })
  })

  it('says on its screen that the program is too old for its data, and changes nothing', async () => {
    await browser.close()
    await end(station)
    // As somebody does who wants the version of the package back.
    rmSync(join(data, 'updates'), { recursive: true })
    const database = join(data, 'gatehouse.sqlite')
    const sum = () => createHash('sha256').update(readFileSync(database)).digest('hex')
    const before = sum()
    await open()
    const alert = page.getByRole('alert').filter({ hasText: 'too old' })
    await alert.waitFor().catch(() => assert.fail(said))
    assert.match(await alert.innerText(), /written by version 0\.2\.0, and this is version 0\.1\.0/)
    assert.match(await alert.innerText(), /Update this station, or start it with another data folder/)
    await picture(page, 'newer-data')
    await page.evaluate(() => localStorage.setItem('gatehouse.language', 'de'))
    await page.reload()
    await page
      .getByText('Dieses Programm ist zu alt für seine Daten')
      .waitFor()
      .catch(async () => assert.fail(`${await page.locator('body').innerText()}\n${said}`))
    assert.equal(sum(), before)
    assert.match(said, /changed by Gatehouse 0\.2\.0/)
  })
})
