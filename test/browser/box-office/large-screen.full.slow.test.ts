import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo, sample } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { canBeRead } from '../support/everybody.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const large = { width: 1920, height: 1080 }

describe('a box office on a large screen, in German and in the dark', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let sold = ''

  before(async () => {
    station = await startStation('demo')
    const { token } = await demo()
    const org = '/api/v1/organizers/demo'
    const card = { secret: 'LARGE-CARD', value: '10.00', currency: 'EUR' }
    await station.call('POST', `${org}/giftcards/`, card, `Token ${token}`)
    browser = await openBrowser()
    await choose(station, 'Main entrance', { locale: 'de', task: 'box-office' })
    const look = { locale: 'de-DE', viewport: large, colorScheme: 'dark' } as const
    ;({ page } = await openWindow(browser, station.open, look))
    page.setDefaultTimeout(8000)
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  async function show(name: string): Promise<void> {
    await picture(page, `large-${name}`)
    await hasNoFindings(page)
    await canBeRead(page, `large-${name}`)
  }

  it('opens the drawer', async () => {
    await press(/^Lade/)
    await page.locator('#drawer-float').waitFor()
    await show('opening')
    await page.locator('#drawer-float').fill('100')
    await press('Lade öffnen')
    await page.locator('[data-figure="till.receipts"]').waitFor()
    await show('drawer')
    await press('Zurück')
  })

  it('sells a ticket in a form, half by gift card and half in cash', async () => {
    await show('products')
    await press(/Tageskarte/)
    await page.getByRole('button', { name: /Erwachsene/ }).waitFor()
    await show('forms')
    await press(/Erwachsene/)
    await page.locator('[data-total]:not([data-total=""])').waitFor()
    await press(/^Bezahlen/)
    await page.locator('#till-given').waitFor()
    await show('cash')
    await press('Gutscheinkarte')
    await show('gift-card')
    await page.locator('#till-gift-card').fill('LARGE-CARD')
    await page.keyboard.press('Enter')
    await page.getByText('10,00').first().waitFor()
    await press('Karte')
    await show('card')
    await press('Bar')
    await press('Passend')
    await page.locator('[data-order]').waitFor()
    sold = (await page.locator('[data-order]').getAttribute('data-order')) ?? ''
    await show('sold')
  })

  it('shows its receipt, the order, and one that is not paid', async () => {
    await press('Beleg')
    await page.getByRole('button', { name: /^Beleg drucken|drucken/ }).waitFor()
    await show('receipt')
    await press('Zurück')
    await press('Bestellung suchen')
    await page.locator('#till-order').fill(sold)
    await page.locator(`[data-code="${sold}"] h1`).waitFor()
    await show('order')
    await press('Zurück')
    await press('Bestellung suchen')
    const { order } = await sample('unpaid')
    await page.locator('#till-order').fill(order.split('-')[0] ?? '')
    await page.locator(`[data-code="${order.split('-')[0]}"] h1`).waitFor()
    await show('unpaid')
    await press('Zurück')
  })

  it('shows what the guest sees, and counts the drawer by notes and coins', async () => {
    await press(/^Anzeige|Kundenanzeige/)
    await page.getByRole('heading', { name: 'Kundenanzeige' }).waitFor()
    await show('display')
    await press('Zurück')
    await press(/^Lade/)
    await press(/Scheine/)
    await show('counting')
  })
})
