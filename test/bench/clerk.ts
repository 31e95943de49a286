import type { Page } from 'playwright-core'
import { openBrowser, openWindow } from '../browser/support/browser.ts'
import { choose, eventually } from '../browser/support/entrance.ts'
import { startStation } from '../browser/support/station.ts'
import { startPrinter } from '../station/printing/printer-simulator.ts'
import { type Figure, percentile, shownTime } from './figures.ts'
import { press } from './press.ts'

/** Sales of the clerk that count; as many as one makes in twenty minutes at 180 an hour. */
const sales = 60
const warmUp = 5

/** The longest that a clerk may wait after a press, in milliseconds. */
const patience = { tap: 100, wait: 200, printer: 300 }

/** What the clerk has waited for, sale by sale, in milliseconds. */
interface Waits {
  readonly taps: number[]
  readonly payments: number[]
  readonly sold: number[]
  readonly printer: number[]
}

async function sell(page: Page, waits: Waits, printedAt: (pulses: number) => Promise<number>): Promise<void> {
  const first = await press(page, 'Weekend ticket', '[data-total="98.00"]')
  const second = await press(page, 'Weekend ticket', '[data-total="196.00"]')
  const payment = await press(page, 'Pay', '#box-office[data-state="paying"]')
  const { took, at } = await press(page, 'Exact sum', '[data-order]')
  waits.taps.push(first.took, second.took)
  waits.payments.push(payment.took)
  waits.sold.push(took)
  waits.printer.push((await printedAt(waits.sold.length)) - at)
}

async function openDrawer(page: Page): Promise<void> {
  const drawer = () => page.getByRole('button', { name: 'Drawer' }).first().click()
  await drawer()
  await page.locator('#drawer-float').fill('100')
  await page.getByRole('button', { name: 'Open the drawer' }).click()
  await page.locator('[data-figure="till.expected"]').waitFor()
  await drawer()
  await page.locator('#box-office[data-state="selling"]').waitFor()
}

function figuresOf({ taps, payments, sold, printer }: Waits): Figure[] {
  const figure = (what: string, times: readonly number[], atMost: number): Figure => ({
    what: `a clerk on a screen, ${what}: p50, longest of ${times.length}`,
    ours: `${shownTime(percentile(times, 0.5))}, ${shownTime(Math.max(...times))}`,
    ...{ against: `${atMost} ms`, ratio: Math.max(...times) / atMost, goal: { atMost: 1 } },
  })
  return [
    figure('tap to priced basket', taps, patience.tap),
    figure('basket to payment', payments, patience.wait),
    figure('paid to sold', sold, patience.wait),
    figure('paid to the drawer’s pulse at the printer', printer, patience.printer),
  ]
}

/** Measures what one clerk waits for at the screen of a till, in Chromium, with a printer, on the demo event. */
export async function measureClerk(): Promise<Figure[]> {
  const [printer, station, browser] = [await startPrinter(), await startStation('demo'), await openBrowser()]
  const printers = [{ host: '127.0.0.1', port: printer.port, columns: 42, answers: true, drawer: true }]
  await choose(station, 'Main entrance', { task: 'box-office', printers })
  const { page } = await openWindow(browser, station.open)
  await openDrawer(page)
  const before = printer.pulses
  const waits: Waits = { taps: [], payments: [], sold: [], printer: [] }
  const printedAt = (sale: number): Promise<number> =>
    eventually(
      async () => (printer.pulses >= before + sale ? printer.pulsedAt : 0),
      (at) => at > 0,
    )
  for (let sale = 0; sale < warmUp + sales; sale += 1) await sell(page, waits, printedAt)
  for (const times of [waits.payments, waits.sold, waits.printer]) times.splice(0, warmUp)
  waits.taps.splice(0, 2 * warmUp)
  await browser.close()
  await station.close()
  await printer.close()
  return figuresOf(waits)
}
