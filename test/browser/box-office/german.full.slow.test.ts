import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo, sample } from '../support/demo.ts'
import { choose, scan } from '../support/entrance.ts'
import { canBeRead } from '../support/everybody.ts'
import { addHall } from '../support/hall.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const small = { width: 1024, height: 600 }

describe('a small screen in German', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    const { token } = await demo()
    const call = async (method: string, path: string, body?: object) => {
      const answer = await station.call(method, path, body, `Token ${token}`)
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body as Record<string, unknown>
    }
    await addHall(call, [
      { name: 'Parkett', price: '45.00', rows: 8, seatsInRow: 30 },
      { name: 'Erster Rang', price: '28.00', rows: 4, seatsInRow: 34 },
    ])
    await call('POST', '/api/v1/organizers/demo/giftcards/', {
      ...{ secret: 'SMALL-CARD', value: '10.00', currency: 'EUR' },
    })
    browser = await openBrowser()
    await choose(station, 'Main entrance', { locale: 'de' })
    ;({ page } = await openWindow(browser, station.open, { locale: 'de-DE', viewport: small }))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  /** How wide something is, and how high in lines of its text. */
  const sizeOf = async (text: string) => {
    const box = await page.getByText(text, { exact: true }).first().boundingBox()
    assert.ok(box, text)
    return box
  }
  const isSeen = async (name: string) => {
    const box = await page.getByRole('button', { name, exact: true }).first().boundingBox()
    return box !== null && box.y + box.height <= small.height
  }
  async function show(name: string): Promise<void> {
    await picture(page, `german-${name}`)
    await canBeRead(page, `german-${name}`)
  }

  it('shows at the entrance where it is and what each tool is called, and takes money', async () => {
    await scan(page, (await sample('unpaid')).code)
    await page.locator('[data-owed="98.00"]').waitFor()
    const [search, settings] = [await sizeOf('Suchen'), await sizeOf('Einstellungen')]
    assert.equal(settings.height, search.height)
    assert.ok((await sizeOf('Festival am Fluss')).width > 100)
    for (const name of ['98,00 € bar annehmen', 'Trotzdem einlassen']) assert.ok(await isSeen(name), name)
    await show('unpaid')
  })

  it('names zones, rows and seats', async () => {
    await press('Kasse')
    await press(/Parkett/)
    await press('Beste Plätze für 2')
    await page.locator('[data-total="90.00"]').waitFor()
    await page.getByText('Parkett, Reihe 1, Platz 15', { exact: true }).waitFor()
    assert.deepEqual(await page.locator('[data-zone]').allTextContents(), ['Parkett', 'Erster Rang'])
    await show('seats')
  })

  it('has the whole payment on it, also when a part is paid', async () => {
    await press('Fertig')
    await press('Bezahlen')
    assert.ok(await isSeen('Verkaufen'))
    await show('cash')
    await press('Gutschein')
    await page.locator('#till-gift-card').fill('SMALL-CARD')
    await press('Einlösen')
    await page.getByRole('heading', { name: 'Zu zahlen: 80,00 €' }).waitFor()
    assert.ok(await isSeen('Verkaufen'))
    await show('part')
    await press('Karte')
    assert.ok(await isSeen('Belastet'))
    await show('card')
  })
})
