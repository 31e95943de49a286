import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type PrinterSimulator, startPrinter } from '../../station/printing/printer-simulator.ts'
import { until } from '../../support/servers/nodes.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { sample } from '../support/demo.ts'
import { choose, eventually, scan, shown } from '../support/entrance.ts'
import { type Station, startStation } from '../support/station.ts'
import { asksNames, isForEverybody, shows, upright } from './for-everybody.ts'

describe('a kiosk that prints, in a real browser', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station
  let printer: PrinterSimulator
  const printing = () => ({
    printing: { at_entry: ['badge'], at_sale: [] },
    printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['badge'] }],
  })

  before(async () => {
    printer = await startPrinter()
    browser = await openBrowser()
    station = await startStation('demo')
    await choose(station, 'Main entrance', { task: 'kiosk', ...printing() })
    await asksNames(station, false)
  })
  after(async () => {
    await browser?.close()
    await station?.close()
    await printer?.close()
  })

  const open = async () => (await openWindow(browser, station.open, { steady: true, ...upright })).page
  const openPrints = async () =>
    ((await station.call('GET', '/api/v1/station/prints/')).body as { results: object[] }).results
  const isOut = async () =>
    ((await station.call('GET', '/api/v1/station/kiosk/')).body as { faults: object[] }).faults.length > 0
  /** Waits until the page has heard what the server knows by now. */
  const looks = async (page: Page, state: string) => {
    await page.clock.runFor(500)
    await page.locator(`[data-guest-print="${state}"]`).waitFor()
  }

  it('prints the badge of a guest, and says when to take it', async () => {
    const page = await open()
    printer.behaviour = 'has-no-paper'
    await scan(page, (await sample('Main entrance: admitted')).code)
    await shows(page, 'done')
    await page.locator('[data-guest-print="printing"]').waitFor()
    await isForEverybody(page, 'printing')
    printer.behaviour = 'prints'
    await until('the badge is on paper', () => printer.papers.length === 1)
    await until('nothing is left to print', async () => (await openPrints()).length === 0)
    await looks(page, 'printed')
    await isForEverybody(page, 'printed')
    await page.clock.runFor(3100)
    await shows(page, 'welcome')
  })

  it('gives a guest a code for the desk where a badge broke off, and stays out of order over a restart', async () => {
    let page = await open()
    printer.behaviour = 'breaks-off'
    await scan(page, (await sample('admitted with attention')).code)
    await shows(page, 'done')
    await until('it is given up', async () => (await openPrints()).length === 0 && (await isOut()))
    await looks(page, 'failed')
    await isForEverybody(page, 'print-failed')
    printer.behaviour = 'prints'
    const code = await page.locator('strong', { hasText: /^[A-Z3789]{4}$/ }).innerText()
    await page.getByRole('button', { name: /^(I have noted it|Ich habe ihn notiert)$/ }).tap()
    await shows(page, 'out-of-order')
    await page.getByText('P2').waitFor()
    await station.kill()
    station = await station.restart()
    page = await open()
    await shows(page, 'out-of-order')
    await isForEverybody(page, 'out-of-order-printer')
    for (let press = 0; press < 5; press += 1) await page.mouse.click(20, 20)
    await shows(page, 'staff')
    await page.getByText('Code P2').waitFor()
    await page.getByRole('button', { name: 'Open the station' }).tap()
    assert.equal(await isOut(), false)
    await desk(code)
    await choose(station, 'Main entrance', { task: 'kiosk', ...printing() })
  })

  /** What somebody at a desk does with the code that a guest tells them. */
  async function desk(code: string): Promise<void> {
    await choose(station, 'Main entrance', { task: 'entrance', ...printing() })
    const { page } = await openWindow(browser, station.open)
    await shown(page, 'ready')
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await page.locator('search input').fill(code.toLowerCase())
    await page.locator('[data-row]').first().waitFor()
    assert.equal(await page.locator('[data-row]').count(), 1)
    const papers = printer.papers.length
    await page.locator('[data-prints="badge"]').first().click()
    await until('the badge is on paper', () => printer.papers.length > papers)
  }

  it('is out of order without paper, and by itself no longer', async () => {
    const page = await open()
    await shows(page, 'welcome')
    printer.behaviour = 'has-no-paper'
    await shows(page, 'out-of-order')
    await page.getByText('Code P1').waitFor()
    printer.behaviour = 'prints'
    await shows(page, 'welcome')
  })

  it('has a guest correct their name before the badge is printed, in few presses', async () => {
    await asksNames(station, true)
    const page = await open()
    let presses = 0
    const press = async (name: string | RegExp) => {
      presses += 1
      await page.getByRole('button', { name, exact: true }).tap()
    }
    await scan(page, (await sample('the second scan is refused')).code)
    await shows(page, 'naming')
    // The order may be in another language.
    await page.getByRole('button', { name: 'English' }).tap()
    await page.getByRole('heading', { name: 'Is your name right?' }).waitFor()
    await isForEverybody(page, 'name')
    await press('Correct the name')
    const first = page.getByRole('textbox', { name: 'First name' })
    await first.fill('Zo')
    await press('e')
    await isForEverybody(page, 'name-typed')
    const papers = printer.papers.length
    await press('This is right')
    await shows(page, 'done')
    await page.getByRole('heading', { name: /^Welcome, Zoe / }).waitFor()
    assert.equal(presses, 3)
    await until('the badge is on paper', () => printer.papers.length > papers)
    await asksNames(station, false)
  })

  it('says kindly that a badge was printed before', async () => {
    const page = await open()
    const { code } = await sample('Main entrance: admitted')
    // Whoever goes out may come in again.
    await choose(station, 'Main entrance', { task: 'kiosk', direction: 'exit', ...printing() })
    await page.clock.runFor(4000)
    await eventually(
      async () => (await station.call('GET', '/api/v1/station/kiosk/')).body as { direction: string },
      ({ direction }) => direction === 'exit',
    )
    await scan(page, code)
    await shows(page, 'done')
    await choose(station, 'Main entrance', { task: 'kiosk', ...printing() })
    await page.clock.runFor(4000)
    await shows(page, 'welcome')
    await scan(page, code)
    await page.locator('[data-guest-print="earlier"]').waitFor()
    await isForEverybody(page, 'print-earlier')
  })
})
