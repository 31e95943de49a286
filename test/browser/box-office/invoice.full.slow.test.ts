import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { narrow, openBrowser, openWindow, wide } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose, typeSlowly } from '../support/entrance.ts'
import { picturesInLightAndDark } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const org = '/api/v1/organizers/demo'
const ev = `${org}/events/festival`
const sizes = { wide, large: { width: 1920, height: 1080 }, small: { width: 1024, height: 600 }, narrow }

interface OwedOrder {
  readonly status: string
  readonly email: string | null
  readonly total: string
  readonly payments: readonly { readonly provider: string; readonly state: string }[]
  readonly invoice_address: { readonly company: string; readonly city: string; readonly country: string }
  readonly valid_if_pending: boolean
}

describe('a sale that is paid later', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await station.call(method, path, body, `Token ${(await demo()).token}`)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as T
  }

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open))
    await press('Box office')
    await page.locator('[data-product]', { hasText: 'Weekend' }).waitFor()
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const field = (key: string) => page.locator(`#till-invoice-${key}`)
  const reach = async () => {
    await press(/Weekend ticket/)
    await page.locator('[data-total="98.00"]').waitFor()
    await press(/^Pay/)
    await page.locator('#till-given').waitFor()
  }

  const show = (name: string) => picturesInLightAndDark(page, name, sizes)

  it('is offered only where the event lets that and makes its invoices', async () => {
    await reach()
    assert.equal(await page.getByRole('button', { name: 'Invoice' }).count(), 0)
    await press('Back')
    await call('PATCH', `${ev}/settings/`, {
      ...{ till_pay_later: true, invoice_generate: 'True' },
      invoice_generate_sales_channels: ['web', 'boxoffice'],
    })
    await page.reload()
    await page.locator('[data-total="98.00"]').waitFor()
    await press(/^Pay/)
    await page.getByRole('button', { name: 'Invoice' }).waitFor()
  })

  it('asks for the address, and sells nothing without one', async () => {
    await press('Invoice')
    await page.locator('#till-invoice-company:focus').waitFor()
    await press('Sell by invoice')
    await page.getByText('This has to be answered.').first().waitFor()
    await page.locator('#till-invoice-name:focus').waitFor()
    await show('box-office-invoice-missing')
    assert.equal(await page.locator('[data-order]').count(), 0)
  })

  it('makes an order that is owed, its invoice, and tickets that are good', async () => {
    await field('company').fill('Riverside Ltd')
    await field('name').fill('Ada Meyer')
    await field('street').fill('Quay 3')
    await field('city').fill('Bremen')
    await field('email').fill('ada@example')
    await press('Sell by invoice')
    await page.getByText('Please enter an e-mail address.').waitFor()
    await field('email').fill('ada@example.org')
    await page.locator('#till-invoice-country').selectOption('DE')
    await show('box-office-invoice')
    await press('Sell by invoice')
    const code = await page.locator('[data-order]').getAttribute('data-order')
    await page.getByText('Not paid yet: the invoice is sent.').waitFor()
    await show('box-office-invoice-sold')
    const sold = await call<OwedOrder>('GET', `${ev}/orders/${code}/`)
    assert.deepEqual(
      [sold.status, sold.valid_if_pending, sold.total, sold.email],
      ['n', true, '98.00', 'ada@example.org'],
    )
    assert.deepEqual(
      sold.payments.filter(({ state }) => state === 'confirmed'),
      [],
    )
    const { company, city, country } = sold.invoice_address
    assert.deepEqual([company, city, country], ['Riverside Ltd', 'Bremen', 'DE'])
    const { results } = await call<{ results: readonly { invoice_to: string }[] }>(
      'GET',
      `${ev}/invoices/?order=${code}`,
    )
    assert.equal(results.length, 1)
    assert.match(String(results[0]?.invoice_to), /Riverside Ltd[\s\S]*Quay 3[\s\S]*Bremen/)
  })

  it('is made by keys alone', async () => {
    await press('Next guest')
    await reach()
    await page.getByRole('button', { name: 'Invoice' }).focus()
    await page.keyboard.press('Enter')
    for (const text of ['', 'Ben Meyer', 'Quay 4', '28195', 'Bremen', 'ben@example.org']) {
      if (text !== '') await typeSlowly(page, text)
      if (text !== 'ben@example.org') await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByText('Not paid yet: the invoice is sent.').waitFor()
    const code = await page.locator('[data-order]').getAttribute('data-order')
    const sold = await call<OwedOrder>('GET', `${ev}/orders/${code}/`)
    assert.deepEqual([sold.status, sold.email], ['n', 'ben@example.org'])
    assert.deepEqual(complaints, [])
  })
})
