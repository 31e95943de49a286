import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { allPictures, picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

describe('exchanging tickets at a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let token: string
  let exchanged = ''
  const org = '/api/v1/organizers/demo'

  const office = async (method: string, path: string, expected: number, body?: object) => {
    const answer = await station.call(method, `${org}/${path}`, body, `Token ${token}`)
    assert.equal(answer.status, expected, JSON.stringify(answer.body))
    return answer.body as Readonly<Record<string, unknown>>
  }

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    ;({ token } = await demo())
    await choose(station, 'Main entrance', { task: 'box-office' })
    ;({ page } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const target = (name: RegExp) => page.locator('[data-exchange]').getByRole('button', { name })

  async function sell(product: RegExp, form?: RegExp): Promise<string> {
    await press(product)
    if (form) await press(form)
    await press(/^Pay/)
    await press('Exact sum')
    const code = (await page.locator('[data-order]').getAttribute('data-order')) ?? ''
    await press('Next')
    return code
  }

  async function find(code: string, label = 'Find an order'): Promise<void> {
    await press(label)
    await page.locator('#till-order').fill(code)
    await page.locator(`[data-code="${code}"] h1`).waitFor()
  }

  const moved = async (code: string) => {
    const order = await office('GET', `events/festival/orders/${code}/`, 200)
    const sums = (rows: unknown) => (rows as { amount: string }[]).map(({ amount }) => amount)
    return [order.status, order.total, sums(order.payments), sums(order.refunds)]
  }

  it('takes the difference for what costs more, and writes both on one receipt', async () => {
    await press('Drawer')
    await page.locator('#drawer-float').fill('100')
    await press('Open the drawer')
    await page.locator('[data-figure="till.receipts"]').waitFor()
    await press('Back')
    const code = await sell(/Day ticket/, /Adult/)
    await find(code)
    await picture(page, 'exchange-order')
    await page.getByRole('button', { name: /^Exchange: Day ticket/ }).click()
    await target(/Weekend ticket/).click()
    await page.locator('[data-due]').waitFor()
    await page.setViewportSize({ width: 1024, height: 600 })
    await picture(page, 'exchange-more-small')
    await allPictures(page, 'exchange-more')
    await hasNoFindings(page)
    const due = (await page.locator('[data-due]').getAttribute('data-due')) ?? ''
    await press(/^Take €/)
    await press('Exact sum')
    await page.locator('[data-order]').waitFor()
    const [status, total, paid] = await moved(code)
    assert.deepEqual([status, total, (paid as string[]).at(-1)], ['p', '98.00', due])
    const { results } = await office('GET', `events/festival/receipts/?order=${code}&ordering=-number`, 200)
    const [receipt] = results as { total: string; lines: { amount: string }[] }[]
    assert.equal(receipt?.total, due)
    assert.deepEqual(
      receipt?.lines.map(({ amount }) => Number(amount) < 0),
      [true, false],
    )
    await press('Next')
  })

  it('is for orders that are found twenty by twenty', async () => {
    await press('Find an order')
    await page.locator('#till-order').fill('an')
    const more = page.getByRole('button', { name: /^20 of \d+ shown/ })
    await more.scrollIntoViewIfNeeded()
    await picture(page, 'orders-more')
    await hasNoFindings(page)
    await more.click()
    await page.locator('search li:nth-child(21)').waitFor()
    await press('Back')
  })

  it('gives the difference back for what costs less, where a supervisor stands in', async () => {
    const code = await sell(/Weekend ticket/)
    exchanged = code
    for (const [name, role, pin] of [
      ['Ada', 'cashier', '4711'],
      ['Bob', 'supervisor', '123456'],
    ] as const) {
      const { id } = await office('POST', 'staff/', 201, { name, role })
      await office('POST', `staff/${id}/set_pin/`, 200, { pin })
    }
    await page.reload()
    await page.getByRole('dialog').getByRole('button', { name: 'Ada' }).click()
    await page.locator('#staff-pin').fill('4711')
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await find(code)
    await page.getByRole('button', { name: /^Exchange: Weekend/ }).click()
    await target(/Day ticket.*Child/).click()
    await page.locator('[data-owed]').waitFor()
    await allPictures(page, 'exchange-less')
    await hasNoFindings(page)
    const owed = (await page.locator('[data-owed]').getAttribute('data-owed')) ?? ''
    await press('In cash')
    await page.getByRole('dialog').getByRole('button', { name: 'Bob' }).click()
    await page.locator('#staff-pin').fill('123456')
    await page.locator('#staff-reason').fill('Ill')
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Exchanged for Day ticket').waitFor()
    const [status, , , back] = await moved(code)
    assert.deepEqual([status, back], ['p', [owed]])
    await picture(page, 'exchange-done')
  })

  it('speaks German, in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await choose(station, 'Main entrance', { locale: 'de', task: 'box-office' })
    await find(exchanged, 'Bestellung suchen')
    await page.getByRole('button', { name: /^Umtauschen: Tageskarte/ }).click()
    await target(/Wochenend/).click()
    await page.locator('[data-due]').waitFor()
    await allPictures(page, 'exchange-german')
    await hasNoFindings(page)
  })
})
