import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { until } from '../../support/servers/nodes.ts'
import { hasNoFindings } from '../support/accessible.ts'
import { narrow, openBrowser, openWindow, wide } from '../support/browser.ts'
import { choose } from '../support/entrance.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const sizes = {
  wide,
  small: { width: 1024, height: 600 },
  large: { width: 1920, height: 1080 },
  narrow,
}

describe('the customer display', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let till: Page
  let display: Page
  let link: string

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance', { locale: 'de', task: 'box-office' })
    ;({ page: till } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => till.getByRole('button', { name }).first().click()
  const phase = (name: string, at = display) => at.locator(`[data-phase="${name}"]`).waitFor()
  const sum = (name: string, amount: string, at = display) =>
    at.locator(`[data-sum="${name}"][data-amount="${amount}"]`).waitFor()

  async function show(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await display.emulateMedia({ colorScheme })
      await hasNoFindings(display)
      for (const [size, viewport] of Object.entries(sizes)) {
        await display.setViewportSize(viewport)
        await picture(display, `customer-display-${name}-${colorScheme}-${size}`)
        const { scrollWidth } = await {
          scrollWidth: await display.evaluate<number>('document.documentElement.scrollWidth'),
        }
        assert.ok(scrollWidth <= viewport.width, `${name} ${size}`)
        for (const row of await display.locator('[data-sum]').all()) {
          const box = await row.boundingBox()
          assert.ok(box && box.y + box.height <= viewport.height, `${name} ${size}`)
        }
      }
    }
    await display.setViewportSize(wide)
  }

  it('opens in a second window from the till, and by a link in another browser', async () => {
    await press('Anzeige')
    const address = till.locator('#till-display-link')
    // A condition that is not so at once would be looked at by the page itself, which its policy forbids.
    await until('there is a link', async () => (await address.inputValue()) !== '')
    link = await address.inputValue()
    for (const [size, viewport] of Object.entries(sizes)) {
      await till.setViewportSize(viewport)
      await picture(till, `box-office-display-${size}`)
    }
    await till.setViewportSize(wide)
    await hasNoFindings(till)
    const opening = till.waitForEvent('popup')
    await press('In einem zweiten Fenster öffnen')
    await phase('idle', await opening)
    const other = await browser.newContext({ viewport: wide })
    display = await other.newPage()
    await display.goto(link)
    await phase('idle')
    assert.doesNotMatch(display.url(), /key/)
    await press('Zurück')
    await show('idle')
  })

  it('shows lines, total, what was given and goes back, and says thank you', async () => {
    for (let time = 0; time < 2; time += 1) await press(/Wochenendkarte/)
    await press(/VIP/)
    await sum('total', '385.00')
    assert.equal(await display.locator('li').count(), 2)
    await show('basket')
    await press(/^Bezahlen/)
    await phase('paying')
    await till.keyboard.type('40000', { delay: 60 })
    await sum('given', '400.00')
    await sum('change', '15.00')
    await show('paying')
    await press('Verkaufen')
    await phase('sold')
    await sum('change', '15.00')
    await show('sold')
  })

  it('goes on after a reload of either side, and the till without it', async () => {
    await press(/Wochenendkarte/)
    await sum('total', '98.00')
    await display.reload()
    await sum('total', '98.00')
    await till.reload()
    await sum('total', '98.00')
    await display.close()
    await press(/Wochenendkarte/)
    await till.locator('[data-total="196.00"]').waitFor()
    await press(/^Bezahlen/)
    await press('Passend')
    await till.locator('[data-change="0.00"]').waitFor()
  })

  it('goes on when the station was killed, and says that it waits meanwhile', async () => {
    const other = await browser.newContext({ viewport: wide })
    display = await other.newPage()
    await display.goto(link)
    await phase('sold')
    await station.kill()
    await phase('waiting')
    await show('waiting')
    station = await station.restart()
    await till.goto(station.open)
    await phase('idle')
    await press(/VIP/)
    await sum('total', '189.00')
  })
})
