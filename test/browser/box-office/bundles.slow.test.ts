import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { allPictures } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const ev = '/api/v1/organizers/demo/events/festival'

interface Shown {
  readonly total: string
  readonly positions: readonly {
    readonly positionid: number
    readonly item: number
    readonly price: string
    readonly addon_to: number | null
  }[]
}

describe('a product that comes with others', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let token: string
  let [family, meal] = [0, 0]

  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await station.call(method, `${ev}/${path}`, body, `Token ${token}`)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  const add = async (name: string, price: string, more: object = {}): Promise<number> => {
    const { id } = await call<{ id: number }>('POST', 'items/', {
      ...{ name: { en: name }, default_price: price, active: true, admission: false },
      ...{ sales_channels: ['boxoffice'], ...more },
    })
    await call('POST', 'quotas/', { name, size: 40, items: [id], variations: [] })
    return id
  }

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    ;({ token } = await demo())
    meal = await add('Picnic', '12.00', { require_bundling: true })
    family = await add('Family day', '80.00', {
      bundles: [{ bundled_item: meal, bundled_variation: null, count: 3, designated_price: '10.00' }],
    })
    await choose(station, 'Main entrance', { task: 'box-office' })
    ;({ page } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()

  it('shows what it comes with, is sold with one press, and costs no more for it', async () => {
    const tile = page.locator(`[data-product="${family}"]`)
    await tile.getByText('with 3 × Picnic').waitFor()
    assert.equal(await page.locator(`[data-product="${meal}"]`).count(), 0)
    await tile.getByText('13 left').waitFor()
    await tile.click()
    await page.locator('[data-total="80.00"]').waitFor()
    await page.getByRole('complementary', { name: 'Basket' }).getByText('with 3 × Picnic').waitFor()
    await allPictures(page, 'box-office-bundle')
    await hasNoFindings(page)
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    const code = await page.locator('[data-order]').getAttribute('data-order')
    const { total, positions } = await call<Shown>('GET', `orders/${code}/`)
    assert.equal(total, '80.00')
    const [base, ...bundled] = positions
    assert.deepEqual([base?.item, base?.price], [family, '50.00'])
    assert.deepEqual(
      bundled.map(({ item, price }) => [item, price]),
      Array(3).fill([meal, '10.00']),
    )
    assert.equal(new Set(bundled.map(({ addon_to }) => addon_to)).size, 1)
  })
})
