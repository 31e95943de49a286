import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { choose } from '../support/entrance.ts'
import { allPictures, picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

describe('the receipts of a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance', { task: 'box-office' })
    ;({ page } = await openWindow(browser, station.open))
    await page.evaluate(`window.print = () => document.body.setAttribute('data-printed', 'yes'); undefined`)
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const state = (name: string) => page.locator(`#box-office[data-state="${name}"]`).waitFor()
  const drawn = async (): Promise<string> => {
    const address = await page.locator('[data-copy] img').getAttribute('src')
    return page.evaluate(async (url) => (await fetch(String(url))).text(), address)
  }

  it('is shown after a sale, and printed once as itself, then as copies', async () => {
    await press('Drawer')
    await page.locator('#drawer-float').fill('100')
    await press('Open the drawer')
    await page.locator('[data-drawer="open"]').waitFor()
    await press('Back')
    await press(/Weekend ticket/)
    await press(/^Pay/)
    await press('Exact sum')
    await page.locator('[data-order]').waitFor()
    await press('Receipt')
    await state('receipts')
    await page.locator('[data-receipt]').waitFor()
    await press('Print the receipt')
    await page.locator('[data-copy="0"]').waitFor()
    await page.locator('body[data-printed]').waitFor()
    assert.doesNotMatch(await drawn(), /COPY|KOPIE/)
    await press('Print the receipt')
    await page.locator('[data-copy="1"]').waitFor()
    await page.getByText('This is copy 1.').waitFor()
    await hasNoFindings(page)
    await allPictures(page, 'receipts-sold')
  })

  it('is mailed to an address, and says what is wrong with one', async () => {
    await page.locator('#receipt-email').fill('nobody')
    await press('Send by e-mail')
    await page.getByText('Enter an e-mail address.').waitFor()
    await page.locator('#receipt-email').fill('anna@example.org')
    await press('Send by e-mail')
    await page.getByText('It will be sent to anna@example.org. This is copy 2.').waitFor()
  })

  it('is saved as a PDF, as a copy', async () => {
    const saved = page.waitForEvent('download')
    await press('Save as PDF')
    assert.equal(await (await saved).failure(), null)
    await page.getByText('This is copy 3.').waitFor()
  })

  it('is found again from the drawer, by its number', async () => {
    await press('Back')
    await press('Drawer')
    await press('Receipts')
    await page.locator('[data-receipt]').nth(1).waitFor()
    await page.locator('#receipt-search').fill('1')
    await page.locator('[data-receipt]').nth(1).waitFor({ state: 'detached' })
    await page.getByText('Cash in or out').waitFor()
    await page.locator('#receipt-search').fill('99')
    await page.getByText('No receipt fits.').waitFor()
    await page.locator('#receipt-search').fill('')
    await page.locator('[data-receipt]').nth(1).waitFor()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1024, height: 600 })
    await hasNoFindings(page)
    await picture(page, 'receipts-journal-light')
  })
})
