import assert from 'node:assert/strict'
import type { Browser, Response } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { sample } from './support/demo.ts'
import { caught, choose, says, scan, shown, typeSlowly } from './support/entrance.ts'
import { type Station, startStation } from './support/station.ts'
import { videoFile } from './support/video.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

describe('the entrance screen and the network', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station

  before(async () => {
    station = await startStation('demo')
    await choose(station, 'Main entrance')
    const ticket = await sample('Main entrance: admitted')
    browser = await openBrowser(videoFile(ticket.png))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  it('asks its own server alone, which tells the browser to keep it so', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const requests: string[] = []
    const responses: Response[] = []
    const complaints: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    context.on('response', (response) => responses.push(response))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))

    await page.goto(station.open)
    await shown(page, 'ready')
    const admitted = caught(page, 'ok')
    await page.keyboard.press('F6')
    await admitted
    await page.keyboard.press('F6')
    await scan(page, 'nobody-sold-this')
    await shown(page, 'refused')
    await page.getByRole('button', { name: 'Search by name' }).click()
    await typeSlowly(page, 'mar')
    await says(page, /tickets/)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('img', { name: 'Test code for the scanner' }).waitFor()

    const origins = new Set(requests.map((url) => new URL(url).origin))
    assert.deepEqual([...origins], [station.url])
    const paths = requests.map((url) => new URL(url).pathname)
    for (const part of [/\/live$/, /decoder-.*\.js$/, /\.wasm$/, /\.css$/, /search\/$/, /favicon/])
      assert.ok(
        paths.some((path) => part.test(path)),
        `nothing like ${part} was asked for`,
      )
    const lax = responses.filter((response) => {
      const said = response.headers()['content-security-policy'] ?? ''
      return policy.some((part) => !said.includes(part)) || /unsafe-inline|'unsafe-eval'|\*/.test(said)
    })
    assert.deepEqual(
      lax.map((response) => response.url()),
      [],
    )
    assert.deepEqual(complaints, [])

    const cookies = await context.cookies()
    assert.deepEqual(
      cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
      [{ httpOnly: true, sameSite: 'Strict' }],
    )
    assert.equal(await page.evaluate('document.cookie'), '')
    assert.equal(page.url(), `${station.url}/`)
    await context.close()
  })

  it('shows nothing to a window that has not opened the address with the key', async () => {
    const { page } = await openWindow(browser, station.url)
    await shown(page, 'locked')
    await says(page, 'Open this window again')
    assert.doesNotMatch(await page.locator('body').innerText(), /Riverside/)
    assert.equal((await station.call('GET', '/api/v1/station/', undefined, '')).status, 401)
    await page.goto(`${station.url}/open#key=guessed`)
    await shown(page, 'locked')
    assert.deepEqual(await page.context().cookies(), [])
    await page.goto(station.open)
    await shown(page, 'ready')
    await page.context().close()
  })

  it('has its key in no address that is asked for, stays or is referred to', async () => {
    const key = new URL(station.open).hash.slice('#key='.length)
    const context = await browser.newContext()
    const page = await context.newPage()
    const seen: string[] = []
    // What is behind the # of an address is named by the browser here, but not sent.
    page.on('request', (asked) => seen.push(asked.url().replace(/#.*/, ''), asked.headers().referer ?? ''))
    await page.goto(station.open)
    await shown(page, 'ready')
    assert.equal(page.url(), `${station.url}/`)
    await page.reload()
    await shown(page, 'ready')
    assert.ok(key.length > 0 && seen.length > 4)
    assert.deepEqual(
      seen.filter((one) => one.includes(key)),
      [],
    )
    await context.close()
  })

  it('runs nothing that a guest or a ticket brings along', async () => {
    const { page, complaints } = await openWindow(browser, station.open)
    const code = '<img src=x onerror="document.title=1">'
    await scan(page, code)
    await says(page, code)
    assert.equal(await page.locator('main img').count(), 0)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
