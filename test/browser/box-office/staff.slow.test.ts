import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { allPictures, picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

interface ShownOrder {
  readonly status: string
  readonly total: string
  readonly refunds: readonly { readonly state: string; readonly amount: string; readonly provider: string }[]
}

describe('staff at a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let token: string

  const office = (method: string, path: string, body?: object) =>
    station.call(method, `/api/v1/organizers/demo/${path}`, body, `Token ${token}`)

  async function hire(name: string, role: string, pin: string): Promise<void> {
    const { status, body } = await office('POST', 'staff/', { name, role })
    assert.equal(status, 201, JSON.stringify(body))
    const set = await office('POST', `staff/${(body as { id: number }).id}/set_pin/`, { pin })
    assert.equal(set.status, 200)
  }

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    ;({ token } = await demo())
    await choose(station, 'Main entrance', { task: 'box-office' })
    await hire('Ada', 'cashier', '4711')
    await hire('Bob', 'supervisor', '123456')
    ;({ page } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const question = (kind: string) => page.locator(`dialog[data-question="${kind}"]`)

  async function pin(name: string, digits: string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name }).click()
    await page.locator('#staff-pin').fill(digits)
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  }

  async function orderOf(code: string): Promise<ShownOrder> {
    const { body } = await office('GET', `events/festival/orders/${code}/`)
    return body as ShownOrder
  }

  let code = ''

  it('sign in before anything is sold, and hear when a PIN is wrong', async () => {
    await question('sign-in').waitFor()
    await allPictures(page, 'staff-choices')
    await hasNoFindings(page)
    await page.keyboard.press('Escape')
    await question('sign-in').waitFor()
    await pin('Ada', '0000')
    await page.getByRole('alert').getByText('This is not right').waitFor()
    await picture(page, 'staff-wrong-pin')
    await hasNoFindings(page)
    for (const digit of '4711')
      await page.getByRole('dialog').getByRole('button', { name: digit, exact: true }).click()
    await page.keyboard.press('Enter')
    await question('sign-in').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ada' }).waitFor()
  })

  it('sell under their name', async () => {
    await press('Drawer')
    await page.locator('#drawer-float').fill('100')
    await press('Open the drawer')
    await page.locator('[data-drawer="open"]').waitFor()
    await press('Back')
    await press(/Day ticket/)
    await press(/^Adult/)
    await press(/Weekend ticket/)
    await page.locator('[data-total="144.00"]').waitFor()
    await press(/^Pay/)
    await press('Exact sum')
    await page.locator('[data-order]').waitFor()
    code = (await page.locator('[data-order]').getAttribute('data-order')) ?? ''
    const { body } = await office('GET', 'events/festival/receipts/?ordering=-id')
    const [receipt] = (body as { results: { cashier: string; order: string }[] }).results
    assert.deepEqual([receipt?.order, receipt?.cashier], [code, 'Ada'])
  })

  it('cancel a ticket and give its money back when a supervisor allows it', async () => {
    await page.keyboard.press('F2')
    await page.locator('#till-order').fill(code)
    await page.locator(`section[data-code="${code}"]`).waitFor()
    await picture(page, 'order-afterwards')
    await page.getByRole('button', { name: 'Cancel: Weekend ticket' }).click()
    await question('step-up').waitFor()
    await page.locator('#staff-reason').fill('Bought one too many')
    await picture(page, 'staff-step-up')
    await hasNoFindings(page)
    await pin('Bob', '123456')
    await page.locator('[data-owed="98.00"]').waitFor()
    await picture(page, 'order-to-give-back')
    await hasNoFindings(page)
    await press('In cash')
    await question('step-up').waitFor()
    await page.locator('#staff-reason').fill('Bought one too many')
    await pin('Bob', '123456')
    await page.getByText('€98.00 given back.').waitFor()
    await picture(page, 'order-given-back')
    const order = await orderOf(code)
    assert.deepEqual([order.status, order.total], ['p', '46.00'])
    assert.deepEqual(
      order.refunds.map(({ state, amount, provider }) => [state, amount, provider]),
      [['done', '98.00', 'boxoffice']],
    )
    const { body } = await office('GET', 'events/festival/receipts/?ordering=-id')
    const [receipt] = (body as { results: { type: string; total: string }[] }).results
    assert.deepEqual([receipt?.type, receipt?.total], ['refund', '-98.00'])
  })

  it('cancel nothing where nobody allows it', async () => {
    await press('Cancel the order')
    await page.getByText('will not be admitted any more').waitFor()
    await press('Cancel the order')
    await question('step-up').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Ask a supervisor to stand in.').waitFor()
    assert.equal((await orderOf(code)).status, 'p')
  })

  it('take over from each other in the middle of a basket, which stays', async () => {
    await page.keyboard.press('Escape')
    await page.getByText('will not be admitted any more').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator(`section[data-code="${code}"]`).waitFor({ state: 'detached' })
    await press(/VIP/)
    await page.locator('[data-total="189.00"]').waitFor()
    await press('Ada')
    await pin('Bob', '123456')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Bob' }).waitFor()
    await page.locator('[data-total="189.00"]').waitFor()
    await press('Empty the basket')
  })

  it('cancel a whole order as supervisors, and the money goes back by the terminal', async () => {
    await page.keyboard.press('F2')
    await page.locator('#till-order').fill(code)
    await page.locator(`section[data-code="${code}"]`).waitFor()
    await press('Cancel the order')
    await press('Cancel the order')
    await page.locator('[data-owed="46.00"]').waitFor()
    await press('By the card terminal')
    await page.getByText('€46.00 given back.').waitFor()
    const order = await orderOf(code)
    assert.equal(order.status, 'c')
    assert.deepEqual(order.refunds.map(({ amount }) => amount).toSorted(), ['46.00', '98.00'])
  })

  it('are asked in German', async () => {
    await choose(station, 'Main entrance', { locale: 'de', task: 'box-office' })
    await press('Bob')
    await page.getByText('Wer bist du?').waitFor()
    await picture(page, 'staff-german')
    await press('Abbrechen')
  })
})
