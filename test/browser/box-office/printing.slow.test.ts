import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { printedRequest } from '../../../server/domain/printers/escpos.ts'
import { bitmapPng } from '../../../server/exporters/printing/bitmap-png.ts'
import { documentIn, type PrinterSimulator, startPrinter } from '../../station/printing/printer-simulator.ts'
import { until } from '../../support/servers/nodes.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { decodedEscpos } from '../../support/ticketing/printed-bitmaps.ts'
import { hasNoFindings } from '../support/accessible.ts'
import { narrow, openBrowser, openWindow, wide } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

describe('the printer of a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let printer: PrinterSimulator
  let page: Page

  before(async () => {
    printer = await startPrinter()
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance', { task: 'box-office' })
    ;({ page } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
    await printer?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const trouble = (state: string, reason: string) =>
    page.locator(`[data-print="${state}"][data-reason="${reason}"]`)

  async function sellOne(): Promise<void> {
    await press(/Weekend ticket/)
    await press(/^Pay/)
    await press('Exact sum')
    await page.getByRole('heading', { name: 'Sold' }).waitFor()
  }

  it('is entered in the settings, and shows what it can', async () => {
    await press('Entrance')
    await press('Settings')
    await press('Add a printer')
    await page.getByLabel('Address', { exact: true }).fill(`127.0.0.1:${printer.port}`)
    for (const duty of ['Receipts', 'Closings', 'Tickets'])
      await page.getByRole('switch', { name: duty }).check()
    const country = page.getByLabel('Country of this till')
    await country.selectOption('Austria')
    await page.locator('[data-till-rule="signing_device"]').getByText('have to be signed').waitFor()
    await picture(page, 'printer-settings')
    await hasNoFindings(page)
    await press('Save')
    await press('Settings')
    await press('Print a test page')
    await page.getByText(/^Sent\. Compare the page/).waitFor()
    await press('Back')
    await choose(station, 'Main entrance', { task: 'box-office' })
    await page.locator('#box-office').waitFor()
  })

  it('prints what is sold, and opens the drawer, without being asked', async () => {
    await press('Drawer')
    await page.locator('[data-till-rule="signing_device"]').waitFor()
    await picture(page, 'drawer-country')
    await page.locator('#drawer-float').fill('100')
    await press('Open the drawer')
    await page.locator('[data-figure="till.expected"]').waitFor()
    await press('Drawer')
    // Opening it is printed, and opens it as well.
    await until('the opening float is on paper', () =>
      printer.papers.some((paper) => paper.includes('Opening float')),
    )
    const { pulses } = printer
    await sellOne()
    await press('Receipt')
    await press(/^Print/)
    await page.getByText(/This is copy 1/).waitFor()
    assert.equal(printer.pulses, pulses + 1)
    assert.ok(printer.papers.some((paper) => /Weekend ticket/.test(paper) && !/COPY/.test(paper)))
    await press('Back')
  })

  it('opens the drawer without a sale, for a reason that is printed', async () => {
    await press('Next guest')
    await press('Drawer')
    const { pulses } = printer
    const opens = page.getByRole('button', { name: 'Open without a sale' })
    assert.equal(await opens.isDisabled(), true)
    await page.locator('#cash-reason').fill('Stuck coin')
    await picture(page, 'drawer-without-sale')
    await page.setViewportSize({ width: 1024, height: 600 })
    await picture(page, 'drawer-without-sale-small')
    await page.setViewportSize(wide)
    await hasNoFindings(page)
    await opens.click()
    await until('it is on paper', () =>
      printer.papers.some((paper) => /no sale[\s\S]*Stuck coin/.test(paper)),
    )
    assert.equal(printer.pulses, pulses + 1)
    await press('Back')
  })

  it('says that there is no paper, and prints once there is some', async () => {
    printer.behaviour = 'has-no-paper'
    await sellOne()
    await trouble('waiting', 'paper').waitFor()
    await picture(page, 'printer-no-paper')
    await page.setViewportSize(narrow)
    await picture(page, 'printer-no-paper-narrow')
    await page.setViewportSize(wide)
    await hasNoFindings(page)
    printer.behaviour = 'prints'
    await trouble('waiting', 'paper').waitFor({ state: 'detached' })
  })

  it('asks what came out where nobody knows, also after a reload, and prints again as a copy', async () => {
    printer.behaviour = 'breaks-off'
    await sellOne()
    await trouble('unknown', 'broken-off').waitFor()
    await page.reload()
    await trouble('unknown', 'broken-off').waitFor()
    await picture(page, 'printer-unknown')
    printer.behaviour = 'prints'
    await press('Print again')
    await trouble('unknown', 'broken-off').waitFor({ state: 'detached' })
    await sellOne()
    await press('Receipt')
    await press(/^Print/)
    await page.getByText(/This is copy 1/).waitFor()
    assert.ok(printer.papers.some((paper) => /COPY/.test(paper)))
  })

  it('prints the ticket of an order when that is asked for, once', async () => {
    await press('Back')
    const code = (await page.locator('[data-order]').getAttribute('data-order')) ?? ''
    await press('Next')
    await press('Find an order')
    await page.locator('#till-order').fill(code)
    await page.locator(`[data-code="${code}"] h1`).waitFor()
    const before = printer.received.length
    await page.locator('[data-prints="ticket"]').first().click()
    await page.getByText('Sent to the printer.').waitFor()
    const ticketSent = () => printer.received.slice(before).find((bytes) => bytes.includes('\x1dv0'))
    await until('the ticket is on paper', () => ticketSent()?.includes(Buffer.from(printedRequest)) ?? false)
    const picked = decodedEscpos(documentIn(ticketSent() ?? Buffer.alloc(0)))
    const { token } = await demo()
    const path = `/api/v1/organizers/demo/events/festival/orders/${code}/`
    const { body } = await station.call('GET', path, undefined, `Token ${token}`)
    const { positions } = body as { positions: { secret: string }[] }
    assert.deepEqual(await textsIn(bitmapPng(picked), ['QRCode']), [positions[0]?.secret])
    await page.locator('[data-prints="ticket"]').first().click()
    await page.getByText(/^Printed already: .*Door 1/).waitFor()
    await picture(page, 'printing-till-again')
    await hasNoFindings(page)
    await press('Do not print')
  })
})
