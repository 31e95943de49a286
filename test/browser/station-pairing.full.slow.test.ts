import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bwipjs from 'bwip-js/node'
import type { Browser } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { demo, sample } from './support/demo.ts'
import { caught, glimpsed, scan, shown } from './support/entrance.ts'
import { allPictures, picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'
import { marked, unhurried } from './support/venue.ts'
import { videoFile } from './support/video.ts'

/** What the server prints as a QR code when a device is made there. */
async function pairingAt(central: Station, name: string): Promise<string> {
  const { token } = await demo()
  const body = { name, all_events: true }
  const made = await central.call('POST', '/api/v1/organizers/demo/devices/', body, `Token ${token}`)
  assert.equal(made.status, 201)
  const { initialization_token } = made.body as { initialization_token: string }
  return JSON.stringify({ handshake_version: 1, url: central.url, token: initialization_token })
}

describe('a station that is connected to a server', function () {
  this.timeout(120_000)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pairing-'))
  let central: Station
  let station: Station
  let browser: Browser

  before(async () => {
    central = await startStation('demo')
    station = await startStation('empty')
    const code = join(folder, 'code.png')
    const look = { scale: 4, paddingwidth: 12, paddingheight: 12, backgroundcolor: 'ffffff' }
    const text = await pairingAt(central, 'East')
    writeFileSync(code, await bwipjs.toBuffer({ bcid: 'qrcode', text, ...look }))
    browser = await openBrowser(videoFile(code))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
    await central?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('says that a ticket connects nothing, and takes an address as people type it', async () => {
    const { page } = await openWindow(browser, station.open)
    await page.getByRole('button', { name: 'Connect this station' }).click()
    await page.getByRole('button', { name: 'Scan it with the camera' }).waitFor()
    await scan(page, (await sample('Main entrance: admitted')).code)
    const objection = page.getByRole('alert')
    await objection.getByText('Tickets do not connect a station.').waitFor()
    await allPictures(page, 'pairing-ticket')
    await page.getByLabel('or type the code or its token').fill('abcd1234')
    await page.getByLabel('Address of the server').fill('localhost:9')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await objection.getByText('The server cannot be reached').waitFor()
    await page.close()
  })

  it('reads the code with the camera, shows how the data comes, and goes on where the server is gone', async () => {
    const { page, complaints } = await openWindow(browser, station.open)
    await page.getByRole('button', { name: 'Connect this station' }).waitFor()
    await allPictures(page, 'pairing-first')
    await page.getByRole('button', { name: 'Connect this station' }).click()
    await page.getByRole('button', { name: 'Scan it with the camera' }).waitFor()
    await allPictures(page, 'pairing')
    const loading = glimpsed(page, '#first-load:has(+ progress[aria-labelledby="first-load"])')
    await page.getByRole('button', { name: 'Scan it with the camera' }).click()
    assert.equal(await loading, 'Connected as East')
    await picture(page, 'pairing-load')
    await page.getByRole('radio', { name: 'Riverside Festival' }).check()
    await page.getByRole('radio', { name: 'Main entrance' }).check()
    assert.equal(await page.getByLabel('Name of this station').inputValue(), 'East')
    await page.getByRole('button', { name: 'Start scanning' }).click()
    await shown(page, 'ready')
    await marked(page, 'online')
    const { status } = await station.call('PUT', '/api/v1/station/link/settings/', unhurried)
    assert.equal(status, 200)

    const first = caught(page, 'ok')
    await scan(page, (await sample('Main entrance: admitted')).code)
    assert.match(await first, /Confirmed/)

    await central.kill()
    await marked(page, 'offline')
    await page.getByRole('button', { name: /^Connection: Offline/ }).waitFor()
    const { code } = await sample('the second scan is refused')
    // Else the one before could still be shown, and be taken for this one.
    await shown(page, 'ready')
    const second = caught(page, 'ok')
    await scan(page, code)
    assert.match(await second, /Decided offline/)
    await page.locator('button[data-link] [data-count="queue"]').getByText('1 waiting').waitFor()
    await picture(page, 'link-offline')
    // A browser may complain of nothing but of what this test has broken.
    assert.deepEqual(complaints, [])

    central = await central.restart()
    await marked(page, 'online')
    await page.locator('button[data-link] [data-count="queue"]').waitFor({ state: 'detached' })
    const { settings } = (await station.call('GET', '/api/v1/station/')).body as {
      settings: { list: number }
    }
    const again = { secret: code, lists: [settings.list] }
    const { token } = await demo()
    const known = await central.call(
      'POST',
      '/api/v1/organizers/demo/checkinrpc/redeem/',
      again,
      `Token ${token}`,
    )
    assert.deepEqual([known.status, (known.body as { reason: string }).reason], [400, 'already_redeemed'])
  })
})
