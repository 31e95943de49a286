import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow, wide } from './support/browser.ts'
import { sample } from './support/demo.ts'
import { choose, eventually, shown } from './support/entrance.ts'
import { canBeRead, canBeWorked } from './support/everybody.ts'
import { picturesInLightAndDark } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

const sizes = { wide, tall: { width: 1080, height: 1920 }, narrow: { width: 390, height: 844 } }

describe('the statistics at an entrance', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open))
    await shown(page, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const first = async (): Promise<number> =>
    Number((await page.locator('[data-kind="first_entries"] dd').innerText()).replaceAll(/\D/g, ''))
  const scanned = async (words: string): Promise<void> => {
    const { code } = await sample(words)
    await station.call('POST', '/api/v1/station/scan/', { code, source: 'keyboard' })
  }

  it('are opened with the keyboard, follow the scans, and are left with Escape', async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Statistics' }).focus()
    await page.keyboard.press('Enter')
    await shown(page, 'statistics')
    const before = await first()
    await scanned('Main entrance: admitted')
    await scanned('canceled')
    await eventually(first, (now) => now === before + 1)
    await page.getByRole('img', { name: /^By quarter of an hour, / }).waitFor()
    const reasons = page.getByRole('row', { name: /^Canceled/ })
    await eventually(
      () => reasons.count(),
      (rows) => rows === 1,
    )
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
    assert.deepEqual(complaints, [])
  })

  it('can be read and worked by everybody in every size', async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Statistics' }).click()
    await page.getByRole('img', { name: /^By quarter of an hour, / }).waitFor()
    await picturesInLightAndDark(page, 'statistics', sizes)
    for (const size of [sizes.narrow, wide]) {
      await page.setViewportSize(size)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    }
    await canBeRead(page, 'statistics')
    await canBeWorked(page, 1)
  })
})
