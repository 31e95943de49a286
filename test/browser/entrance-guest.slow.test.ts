import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type PrinterSimulator, startPrinter } from '../station/printing/printer-simulator.ts'
import { hasNoFindings } from './support/accessible.ts'
import { openBrowser, openWindow, wide } from './support/browser.ts'
import { sample } from './support/demo.ts'
import { choose, eventually, scan, shown } from './support/entrance.ts'
import { canBeRead, canBeWorked } from './support/everybody.ts'
import { picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

const sizes = {
  wide,
  tall: { width: 1080, height: 1920 },
  narrow: { width: 390, height: 844 },
  low: { width: 1024, height: 600 },
}

describe('a guest at the entrance', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let printer: PrinterSimulator
  let page: Page
  let complaints: readonly string[]

  before(async () => {
    printer = await startPrinter()
    station = await startStation('demo')
    browser = await openBrowser()
    const address = `127.0.0.1:${printer.port}`
    await choose(station, 'Main entrance', {
      printers: [
        {
          way: 'tcp',
          address,
          profile: 'escpos-80',
          documents: ['badge'],
          columns: 42,
          answers: true,
          drawer: false,
        },
      ],
    })
    ;({ page, complaints } = await openWindow(browser, station.open))
    await shown(page, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
    await printer?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const happened = (kind: string) => page.locator(`[data-first] [data-happened="${kind}"]`)
  const inEverySize = async (name: string) => {
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, size)
      await picture(page, `${name}-${size}`)
    }
    await page.setViewportSize(wide)
  }

  it('offers the sample tickets of the demo, which are scanned with a click', async () => {
    const { name } = await sample('Main entrance: admitted')
    const card = page.getByRole('button', { name: new RegExp(`^Valid here now ${name}`) })
    await card.waitFor()
    await inEverySize('samples')
    await canBeRead(page, 'samples')
    await card.click()
    await shown(page, 'admitted')
    await shown(page, 'ready')
    await page.getByRole('button', { name: new RegExp(`^Already used ${name}`) }).click()
    await shown(page, 'refused')
    await page.keyboard.press('Escape')
    await page.setViewportSize(sizes.narrow)
    await page.reload()
    await page.locator('details:not([open]) summary').click()
    const samples = page.locator('details li').first()
    await samples.waitFor()
    await page.locator('details[open] summary').click()
    await samples.waitFor({ state: 'hidden' })
    await page.reload()
    await page.locator('details:not([open])').waitFor()
    await page.setViewportSize(wide)
  })

  it('is opened from the search with the keyboard alone, and left to where one was', async () => {
    const { name, order } = await sample('Main entrance: admitted')
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await page.locator('search input').fill(name)
    const row = page.locator('[data-guest]').filter({ hasText: order })
    await row.focus()
    await page.keyboard.press('Enter')
    await shown(page, 'guest')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await happened('entry').getByText('Main entrance · North · Door 1').waitFor()
    await happened('refused').getByText('Already used').waitFor()
    await page.keyboard.press('Escape')
    await shown(page, 'search')
    assert.equal(await page.locator('search input').inputValue(), name)
    assert.match(String(await page.evaluate('document.activeElement.textContent')), new RegExp(order))
  })

  it('shows what is printed and taken back, and lets them in again', async () => {
    await page.locator('[data-guest]').first().press('Enter')
    await shown(page, 'guest')
    await page.locator('[data-first] [data-prints="badge"]').click()
    await happened('printed').getByText('Badge printed').waitFor()
    await press(/^Take back the last scan/)
    await happened('undone').waitFor()
    await page.locator('[data-first]').getByText('Valid here now').waitFor()
    await shown(page, 'guest')
    await inEverySize('guest')
    await canBeRead(page, 'guest')
    await canBeWorked(page, 5)
    await page
      .locator('[data-first]')
      .getByRole('button', { name: /^Check in: / })
      .click()
    await shown(page, 'admitted')
    await shown(page, 'guest')
    await happened('entry').waitFor()
  })

  it('does not keep others waiting, and is there again when they are through', async () => {
    const { code } = await sample('canceled')
    await scan(page, code)
    await shown(page, 'refused')
    await press(/^Guest: /)
    await shown(page, 'guest')
    await page.locator('[data-first]').getByText('Canceled').first().waitFor()
    await picture(page, 'guest-canceled')
    await page.keyboard.press('Escape')
    await shown(page, 'refused')
    await page.keyboard.press('Escape')
    await shown(page, 'guest')
    await page.keyboard.press('Escape')
    await shown(page, 'search')
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
  })

  it('is opened from an unpaid ticket, and says what is to be paid', async () => {
    const { code } = await sample('unpaid')
    await scan(page, code)
    await shown(page, 'unpaid')
    await inEverySize('guest-from-unpaid')
    await press(/^Guest: /)
    await shown(page, 'guest')
    await page.getByText(/ to pay$/).waitFor()
    await picture(page, 'guest-unpaid')
    await page.keyboard.press('Escape')
    await shown(page, 'unpaid')
    await page.keyboard.press('Escape')
  })

  it('has every ticket of the order', async () => {
    await page.keyboard.press('F2')
    await page.locator('search input').fill('schmidt')
    await page.locator('li:has(header) [data-guest]').first().click()
    await page.locator('[data-ticket]').nth(1).waitFor()
    await inEverySize('guest-order')
    await hasNoFindings(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
  })

  it('is opened from the last scans', async () => {
    const { name } = await sample('canceled')
    await page
      .getByRole('complementary', { name: 'Last scans' })
      .getByRole('button', { name: `Guest: ${name}` })
      .click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await picture(page, 'guest-history')
    await hasNoFindings(page)
    await page.goBack()
    await shown(page, 'ready')
    assert.deepEqual(complaints, [])
  })

  it('is read from right to left in Arabic', async () => {
    await choose(station, 'Main entrance', { locale: 'ar' })
    await page.locator('html[dir="rtl"]').waitFor()
    await inEverySize('samples-ar')
    await page.locator('aside li button + button').first().click()
    await shown(page, 'guest')
    await inEverySize('guest-ar')
    await hasNoFindings(page)
    await eventually(
      () => page.locator('[data-ticket]').count(),
      (tickets) => tickets > 0,
    )
  })
})
