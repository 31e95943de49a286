import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { openBrowser, openWindow, wide } from './support/browser.ts'
import { demo, sample } from './support/demo.ts'
import { caught, choose, eventually, scan, shown } from './support/entrance.ts'
import { canBeRead, canBeWorked } from './support/everybody.ts'
import { picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

const sizes = {
  wide,
  tall: { width: 1080, height: 1920 },
  narrow: { width: 390, height: 844 },
  low: { width: 844, height: 390 },
}

describe('an entrance for several check-in lists', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]
  /** The code of a ticket for the hall, which is another event. */
  let seat: string
  let main: number
  let hall: number

  const office = async (method: string, path: string, body?: object) => {
    const { token } = await demo()
    const answer = await station.call(method, `/api/v1/organizers/demo/${path}`, body, `Token ${token}`)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as { id: number; positions: { secret: string }[] }
  }
  const settings = async () =>
    ((await station.call('GET', '/api/v1/station/')).body as { settings: Settings }).settings
  const speak = async (locale: string) => {
    const { organizer, event, list, gate, direction } = await settings()
    const place = { organizer, event, list, gate, direction, locale }
    assert.equal((await station.call('PUT', '/api/v1/station/settings/', place)).status, 200)
    await page.locator(`html[lang="${locale}"]`).waitFor()
  }

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    main = await choose(station, 'Main entrance')
    const date_from = '2030-06-01T18:00:00Z'
    await office('POST', 'events/', { name: { en: 'Jazz hall' }, slug: 'hall', date_from, currency: 'EUR' })
    const item = await office('POST', 'events/hall/items/', { name: { en: 'Seat' }, default_price: '20.00' })
    hall = (await office('POST', 'events/hall/checkinlists/', { name: 'Hall doors', all_products: true })).id
    const order = await office('POST', 'events/hall/orders/', {
      email: 'ada@example.org',
      status: 'p',
      payment_provider: 'manual',
      force: true,
      positions: [{ item: item.id, attendee_name: 'Ada Lovelace' }],
    })
    seat = String(order.positions[0]?.secret)
    ;({ page, complaints } = await openWindow(browser, station.open))
    await shown(page, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  async function inFourSizes(name: string): Promise<void> {
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, size)
      await picture(page, `${name}-${size}`)
    }
    await page.setViewportSize(wide)
  }

  /** Shows the ready screen in some languages and sizes. */
  async function everywhere(name: string): Promise<void> {
    for (const locale of ['de', 'ar', 'en']) {
      await speak(locale)
      await inFourSizes(`${name}-${locale}`)
    }
  }

  it('refuses a ticket of a list that was not chosen', async () => {
    await scan(page, seat)
    await shown(page, 'refused')
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
  })

  it('is set up in the settings, and says where a ticket belongs', async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Admit guests of other lists too' }).click()
    await page.getByRole('checkbox', { name: 'Hall doors' }).check()
    await inFourSizes('lists-settings')
    await canBeRead(page, 'lists-settings')
    await canBeWorked(page, 10)
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(page, 'ready')
    await page.getByText('Main entrance + Hall doors').waitFor()
    const admitted = caught(page, 'ok')
    await scan(page, seat)
    assert.match(await admitted, /Ada Lovelace[\s\S]*Hall doors · Jazz hall/)
    await page.locator('aside button', { hasText: 'Ada Lovelace' }).click()
    await page.locator('[data-list]').waitFor()
    await inFourSizes('lists-result')
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
    const own = caught(page, 'ok')
    await scan(page, (await sample('Main entrance: admitted')).code)
    assert.match(await own, /Main entrance · Riverside Festival/)
  })

  it('finds and undoes guests of all of them', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('textbox', { name: 'Search' }).fill('Lovelace')
    await page.locator('[data-presence="in"]', { hasText: 'Ada Lovelace' }).waitFor()
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
    await page.locator('aside button', { hasText: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Undo this' }).click()
    await shown(page, 'undone')
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
  })

  it('warns of a place that is nearly full or full, and goes on admitting', async () => {
    await office('PATCH', 'events/hall/settings/', { entrance_capacity_warning: 50 })
    await office('PATCH', `events/hall/checkinlists/${hall}/`, { capacity: 2 })
    const call = (code: string) =>
      station.call('POST', '/api/v1/station/scan/', { code, source: 'hand', nonce: crypto.randomUUID() })
    await call(seat)
    const near = page.locator('[data-fullness="near"]')
    await near.waitFor()
    assert.equal((await near.innerText()).replaceAll(/\s+/g, ' '), 'Hall doors 1 of 2 inside')
    await inFourSizes('capacity-near')
    await office('PATCH', `events/hall/checkinlists/${hall}/`, { capacity: 1 })
    const full = page.locator('[data-fullness="full"]')
    await full.waitFor()
    assert.equal((await full.innerText()).replaceAll(/\s+/g, ' '), 'Hall doors Full: 1 of 1')
    await everywhere('capacity-full')
    await canBeRead(page, 'capacity-full')
  })

  it('says that a list has gone, and goes on with the others', async () => {
    await office('DELETE', `events/hall/checkinlists/${hall}/`)
    await page.reload()
    await eventually(
      () => page.locator('[data-notice="lists-missing"]').count(),
      (notices) => notices === 1,
    )
    await inFourSizes('lists-missing')
    assert.equal((await settings()).list, main)
    assert.deepEqual(complaints, [])
  })
})
