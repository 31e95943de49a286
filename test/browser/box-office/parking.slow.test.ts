import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow, wide } from '../support/browser.ts'
import { choose } from '../support/entrance.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const sizes = { small: { width: 1024, height: 600 }, large: { width: 1920, height: 1080 }, wide }

describe('parked baskets', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let other: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page } = await openWindow(browser, station.open))
    await press(page, 'Box office')
    await page.locator('#box-office').waitFor()
    ;({ page: other } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (at: Page, name: string | RegExp) => at.getByRole('button', { name }).first().click()
  const total = (at: Page, amount: string) => at.locator(`[data-total="${amount}"]`).waitFor()
  const parked = (at: Page, name: string) => at.locator(`[data-parked="${name}"]`)

  async function show(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await hasNoFindings(page)
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        await picture(page, `${name}-${colorScheme}-${size}`)
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }

  it('are put aside with a name by keys alone, and seen at once at every other till', async () => {
    await page.locator('[data-product]', { hasText: 'Weekend' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await total(page, '196.00')
    await page.keyboard.press('F7')
    await page.locator('#till-park:focus').waitFor()
    await show('box-office-parking')
    await page.locator('#till-park').pressSequentially('Family Meyer', { delay: 60 })
    await page.keyboard.press('Enter')
    await parked(page, 'Family Meyer').waitFor()
    await page.getByText('Press a product to sell it.').waitFor()
    await show('box-office-parked')
    await parked(other, 'Family Meyer').waitFor()
  })

  it('are there after a reload, and go to the till that takes them up', async () => {
    await page.reload()
    await parked(page, 'Family Meyer').waitFor()
    await parked(other, 'Family Meyer').click()
    await total(other, '196.00')
    await parked(page, 'Family Meyer').waitFor({ state: 'detached' })
    await press(other, 'Pay')
    await press(other, 'Exact sum')
    await other.locator('[data-change="0.00"]').waitFor()
    await press(other, /Weekend/)
    await press(other, 'Empty the basket')
  })

  it('outlive a station that is killed', async () => {
    await press(page, /VIP/)
    await total(page, '189.00')
    await press(page, /^Park/)
    await page.locator('#till-park').fill('Anna')
    await page.getByRole('button', { name: 'Park', exact: true }).click()
    await parked(page, 'Anna').waitFor()
    await station.kill()
    station = await station.restart()
    const { page: again } = await openWindow(browser, station.open)
    await parked(again, 'Anna').click()
    await total(again, '189.00')
    await press(again, 'Empty the basket')
  })

  it('speak German', async () => {
    await choose(station, 'Main entrance', { locale: 'de' })
    ;({ page } = await openWindow(browser, station.open))
    await press(page, /Wochenendkarte/)
    await press(page, /^Parken/)
    await page.locator('#till-park').fill('Familie Meyer')
    await show('box-office-parking-german')
    await page.keyboard.press('Enter')
    await parked(page, 'Familie Meyer').waitFor()
    await show('box-office-parked-german')
    assert.equal(await parked(page, 'Familie Meyer').count(), 1)
  })
})
