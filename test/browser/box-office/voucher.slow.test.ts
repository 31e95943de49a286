import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const api = '/api/v1/organizers/demo/events/festival'

interface Sold {
  readonly total: string
  readonly positions: readonly { readonly price: string; readonly voucher: number | null }[]
}

describe('vouchers at a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page } = await openWindow(browser, station.open))
    await press('Box office')
    await page.locator('#till-voucher').waitFor()
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const total = (amount: string) => page.locator(`[data-total="${amount}"]`).waitFor()

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const { token } = await demo()
    const answer = await station.call(method, `${api}/${path}`, body, `Token ${token}`)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as T
  }
  const weekend = async (): Promise<{ readonly id: number; readonly default_price: string }> => {
    const { results } = await call<{
      results: readonly { id: number; default_price: string; name: { en: string } }[]
    }>('GET', 'items/?page_size=50')
    const found = results.find(({ name }) => name.en === 'Weekend ticket')
    assert.ok(found)
    return found
  }

  it('are typed in, show what they are for at its price, and are sold once each', async () => {
    await page.locator('#till-voucher').fill('friends')
    await page.keyboard.press('Enter')
    await page.locator('[data-voucher="FRIENDS"]').waitFor()
    assert.equal(await page.locator('[data-product]').count(), 1)
    await picture(page, 'till-voucher')
    await hasNoFindings(page)
    await page.locator('[data-product]', { hasText: 'Weekend ticket' }).click()
    const { default_price } = await weekend()
    const price = (Number(default_price) * 0.8).toFixed(2)
    await total(price)
    await page.getByText('Voucher FRIENDS').last().waitFor()
    await press('Sell without it')
    await page.locator('#till-voucher').waitFor()
    await total(price)
    await press('Pay')
    await press('Exact sum')
    await page.getByText('Sold', { exact: true }).first().waitFor()
    const code = await page.locator('[data-order]').getAttribute('data-order')
    const sold = await call<Sold>('GET', `orders/${code}/`)
    assert.equal(sold.total, price)
    assert.equal(sold.positions.filter(({ voucher }) => voucher !== null).length, 1)
  })

  it('say in the field why they cannot be redeemed', async () => {
    await page.locator('#till-voucher').fill('NOBODYS')
    await press('Redeem')
    await page.getByRole('alert').getByText('This voucher code is not known in this event.').waitFor()
    await page.locator('#till-voucher').fill('')
  })

  it('that somebody else uses a second before sell nothing, and the basket says so', async () => {
    const { id } = await weekend()
    await call('POST', 'vouchers/', { code: 'ONLYONE', item: id, max_usages: 1 })
    await page.locator('#till-voucher').fill('ONLYONE')
    await press('Redeem')
    await page.locator('[data-voucher="ONLYONE"]').waitFor()
    await page.locator('[data-product]', { hasText: 'Weekend ticket' }).click()
    await page.locator('[data-total]:not([data-total=""])').waitFor()
    await press('Pay')
    await call('POST', 'orders/', {
      ...{
        status: 'p',
        payment_provider: 'manual',
        email: 'a@example.org',
        locale: 'en',
        sales_channel: 'web',
      },
      positions: [{ item: id, variation: null, voucher: 'ONLYONE' }],
    })
    await press('Exact sum')
    await page.getByText('Not sold').waitFor()
    const { results } = await call<{ results: readonly { redeemed: number }[] }>(
      'GET',
      'vouchers/?search=ONLYONE',
    )
    assert.equal(results[0]?.redeemed, 1)
    await press('Back')
    await page.locator('#till-voucher').waitFor()
    await picture(page, 'till-voucher-used')
    await page
      .getByRole('alert')
      .getByText(/voucher/i)
      .waitFor()
    await press('Empty the basket')
  })
})
