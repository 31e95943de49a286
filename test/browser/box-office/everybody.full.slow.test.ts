import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { narrow, openBrowser, openWindow, wide } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { canBeRead, canBeWorked } from '../support/everybody.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

/** One thing that a till can show, and how it comes about after the one before. */
interface Scene {
  readonly name: string
  readonly state: string
  readonly come: (page: Page) => Promise<void>
}

/** The sizes of the screens that box offices have. */
const sizes = { small: { width: 1024, height: 600 }, large: { width: 1920, height: 1080 }, narrow }

/** What of the page is wider than its place. */
const cutOff = `[...document.querySelectorAll('main > *')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ className, scrollWidth, clientWidth }) => ({ className, scrollWidth, clientWidth }))`

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

const scenes: readonly Scene[] = [
  {
    name: 'selling',
    state: 'selling',
    come: (page) => page.locator('[data-product]', { hasText: 'Weekend ticket' }).waitFor(),
  },
  { name: 'choosing', state: 'choosing', come: (page) => press(page, /Day ticket/) },
  {
    name: 'basket',
    state: 'selling',
    async come(page) {
      await press(page, /^Adult/)
      await press(page, /VIP/)
      await page.locator('[data-total="235.00"]').waitFor()
    },
  },
  { name: 'cash', state: 'paying', come: (page) => press(page, 'Pay') },
  {
    name: 'card',
    state: 'paying',
    async come(page) {
      await press(page, 'Card')
      await page.locator('#till-reference').waitFor()
    },
  },
  {
    name: 'sold',
    state: 'selling',
    async come(page) {
      await press(page, 'Charged')
      await page.getByText('Sold', { exact: true }).first().waitFor()
    },
  },
  {
    name: 'found',
    state: 'finding',
    async come(page) {
      await page.keyboard.press('F2')
      await page.locator('#till-order').fill('mar')
      await page.locator('[data-code]').first().waitFor()
    },
  },
  {
    name: 'order',
    state: 'order',
    async come(page) {
      const [ticket] = (await demo()).tickets
      await page.locator('#till-order').fill(ticket?.order.split('-')[0] ?? '')
      const name = page.locator('section[data-code] li small')
      await name.evaluate((shown) => {
        shown.textContent = 'Świętosława Żółkiewska-Wolfeschlegelsteinhausen'
      })
    },
  },
  {
    name: 'no-drawer',
    state: 'drawer',
    async come(page) {
      await press(page, 'Drawer')
      await page.locator('#drawer-float').waitFor()
    },
  },
  {
    name: 'drawer',
    state: 'drawer',
    async come(page) {
      await page.locator('#drawer-float').fill('150')
      await press(page, 'Open the drawer')
      await page.locator('[data-figure="till.expected"]').waitFor()
    },
  },
]

describe('a box office, for everybody', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page } = await openWindow(browser, station.open))
    await press(page, 'Box office')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  for (const { name, state, come } of scenes)
    it(`can be read, heard and worked with the keyboard: ${name}`, async () => {
      await come(page)
      await page.locator(`#box-office[data-state="${state}"]`).waitFor()
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        await picture(page, `till-${name}-${size}`)
        assert.deepEqual(await page.evaluate(cutOff), [], `cut off at the side: ${size}`)
      }
      await page.setViewportSize(wide)
      await picture(page, `till-${name}`)
      await canBeRead(page, `till-${name}`)
      await canBeWorked(page, 4)
    })
})
