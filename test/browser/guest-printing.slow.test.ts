import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type PrinterSimulator, startPrinter } from '../station/printing/printer-simulator.ts'
import { until } from '../support/servers/nodes.ts'
import { hasNoFindings } from './support/accessible.ts'
import { narrow, openBrowser, openWindow, wide } from './support/browser.ts'
import { sample } from './support/demo.ts'
import { choose, eventually, shown } from './support/entrance.ts'
import { pictures, picturesInLightAndDark } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

describe('printing for guests at an entrance', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let printer: PrinterSimulator
  let page: Page

  before(async () => {
    printer = await startPrinter()
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page } = await openWindow(browser, station.open))
    await shown(page, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
    await printer?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()

  async function findGuest(): Promise<void> {
    const { name } = await sample('Main entrance: admitted')
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await page.locator('search input').fill(name ?? '')
    await page.locator('[data-row]').first().waitFor()
  }

  it('is set up with a printer, what it prints, and a page that shows what it can', async () => {
    await press('Settings')
    await press('Add a printer')
    await page.getByLabel('Address', { exact: true }).fill(`127.0.0.1:${printer.port}`)
    await page.getByRole('switch', { name: 'Tickets' }).check()
    await page.getByRole('switch', { name: 'Badges' }).first().check()
    await page.getByLabel('What kind it is').selectOption('Labels, 203 dpi (ZPL)')
    await press('Show what is printed')
    for (const document of ['ticket', 'badge'])
      await eventually(
        () =>
          page
            .locator(`[data-preview="${document}"] img`)
            .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
        (width) => width > 500,
      )
    await page.locator('[data-preview="badge"]').scrollIntoViewIfNeeded()
    await picturesInLightAndDark(page, 'printers-preview', { wide, narrow })
    await hasNoFindings(page)
    await press('Close the preview')
    await page.getByLabel('What kind it is').selectOption('Receipts, 80 mm (ESC/POS)')
    await page.getByRole('switch', { name: 'Wristbands' }).first().scrollIntoViewIfNeeded()
    await picturesInLightAndDark(page, 'printers-settings', { wide, narrow })
    await press('Save')
    await shown(page, 'ready')
    await press('Settings')
    await press('Print a test page')
    await page.getByText(/^Sent\. Compare the page/).waitFor()
    await until('the page is on paper', () => printer.papers.length > 0)
    await press('Back')
  })

  it('shows on the page of the station how the printer is', async () => {
    printer.behaviour = 'has-no-paper'
    await press('Settings')
    await press('This station')
    // While it prints it is not asked.
    await eventually(
      async () => {
        await press('Look again')
        await page.locator('[data-printer]').waitFor()
        return page.locator('[data-printer][data-ok="false"]').getByText('There is no paper').count()
      },
      (count) => count > 0,
    )
    await picturesInLightAndDark(page, 'printers-station', { wide, narrow })
    printer.behaviour = 'prints'
    await press('Look again')
    await page.locator('[data-printer][data-ok="true"]').getByText('Ready').waitFor()
    await press('Back')
    await press('Back')
  })

  it('prints a badge for who was found, once, and again when somebody says so', async () => {
    await findGuest()
    const papers = printer.papers.length
    await page.locator('[data-prints="badge"]').first().click()
    await page.getByText('Sent to the printer.').waitFor()
    await pictures(page, 'printing-search')
    while (printer.papers.length === papers) await page.waitForFunction(() => true)
    await page.locator('[data-prints="badge"]').first().click()
    await page.getByText(/^Printed already: .*Door 1/).waitFor()
    await picturesInLightAndDark(page, 'printing-again', { wide, narrow })
    const before = printer.papers.length
    await press('Print again')
    await page.getByText('Sent to the printer.').waitFor()
    while (printer.papers.length === before) await page.waitForFunction(() => true)
    await page.keyboard.press('Escape')
  })

  it('says what waits for paper, and asks what came out where nobody knows', async () => {
    printer.behaviour = 'has-no-paper'
    await findGuest()
    await page.locator('[data-prints="ticket"]').first().click()
    const waiting = page.locator('[data-print="waiting"][data-reason="paper"]')
    await waiting.waitFor()
    await pictures(page, 'printing-no-paper')
    await hasNoFindings(page)
    printer.behaviour = 'breaks-off'
    const unknown = page.locator('[data-print="unknown"]')
    await unknown.waitFor()
    printer.behaviour = 'prints'
    const papers = printer.papers.length
    await press('Print again')
    await unknown.waitFor({ state: 'detached' })
    while (printer.papers.length === papers) await page.waitForFunction(() => true)
    assert.ok(printer.papers.length > papers)
  })

  it('says what waits for the background of its layout, and prints it without where somebody says so', async () => {
    const job = {
      document: 'badge',
      subject: 1,
      title: 'Ann Example',
      copy: 0,
      printer: null,
      id: 'late-badge',
    }
    const late = { ...job, created: '2030-06-01T10:00:00Z', state: 'waiting', reason: 'background-missing' }
    await page.route('**/api/v1/station/prints/', (route) => route.fulfill({ json: { results: [late] } }))
    await page.reload()
    await page.locator('[data-reason="background-missing"]').waitFor()
    await picturesInLightAndDark(page, 'printing-background', { wide, narrow })
    await hasNoFindings(page)
    const asked = page.waitForRequest(/prints\/late-badge\/without-background\/$/)
    await press('Print without it')
    assert.equal((await asked).method(), 'POST')
  })
})
