import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { PNG } from 'pngjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { openBrowser, openWindow } from './support/browser.ts'
import { caught, glimpsed, scan, shown } from './support/entrance.ts'
import { picture, pictures } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')

/** What a scanner reads on a picture of a ticket. */
async function codeOn(png: string): Promise<string> {
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })
  const { data, width, height } = PNG.sync.read(readFileSync(png))
  const [found] = await readBarcodes({ data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' })
  return found?.text ?? ''
}

describe('the first start of a station', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station

  before(async () => {
    station = await startStation('empty')
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  it('speaks the language of its browser before anything is chosen', async () => {
    const { page } = await openWindow(browser, station.open, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Willkommen bei Gatehouse' }).waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Welcome to Gatehouse' }).waitFor()
    await page.context().close()
  })

  it('makes the demo event, is told where it stands, and scans one of its tickets', async () => {
    const { page, complaints } = await openWindow(browser, station.open)
    await shown(page, 'setup')
    await page.getByRole('heading', { name: 'Welcome to Gatehouse' }).waitFor()
    await page.getByRole('button', { name: 'Create the demo event' }).waitFor()
    await pictures(page, 'first-start')
    const lead = glimpsed(page, '#demo-making:has(+ progress[aria-labelledby="demo-making"])')
    const begun = glimpsed(page, ':has(> progress[value]:not([value="0"]))')
    await page.getByRole('button', { name: 'Create the demo event' }).click()
    assert.equal(await lead, 'Creating the demo event')
    assert.match(await begun, /[1-9][\d,]* of [\d,]+/)
    await picture(page, 'first-start-progress')

    await page
      .getByRole('status')
      .getByText(/^Sample tickets .* are in /)
      .waitFor()
    await page.getByRole('radio', { name: 'Riverside Festival' }).check()
    await page.getByRole('radio', { name: 'Main entrance' }).check()
    await page.getByRole('radio', { name: 'South' }).check()
    await page.getByRole('radio', { name: 'Entry' }).check()
    await page.getByLabel('Name of this station').fill('Tent')
    await pictures(page, 'first-start-choices')
    await page.getByRole('button', { name: 'Start scanning' }).click()
    await shown(page, 'ready')
    await page.getByRole('banner').getByText('Main entrance · South').waitFor()

    const { body } = await station.call('GET', '/api/v1/station/demo/')
    const [, folder = ''] = /are in (.*)\.$/.exec((body as { message: string }).message) ?? []
    const code = await codeOn(join(folder, 'ticket-01.png'))
    const words = caught(page, 'ok')
    await scan(page, code)
    assert.match(await words, /Admitted/)
    assert.deepEqual(complaints, [])

    await page.reload()
    await shown(page, 'ready')
    await page.getByRole('banner').getByText('Main entrance · South').waitFor()
  })
})
