import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose, eventually, typeSlowly } from '../support/entrance.ts'
import { allPictures, picture } from '../support/pictures.ts'
import { contrasts } from '../support/readable.ts'
import { type Station, startStation } from '../support/station.ts'

interface ShownOrder {
  readonly code: string
  readonly status: string
  readonly total: string
  readonly sales_channel: string
  readonly positions: readonly { readonly price: string; readonly addon_to: number | null }[]
  readonly payments: readonly {
    readonly state: string
    readonly provider: string
    readonly amount: string
    readonly details: Readonly<Record<string, string>>
  }[]
}

describe('a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const state = (name: string) => page.locator(`#box-office[data-state="${name}"]`).waitFor()
  const soldCode = async (): Promise<string> =>
    (await page.locator('[data-order]').getAttribute('data-order')) ?? ''

  async function orderOf(code: string): Promise<ShownOrder> {
    const { token } = await demo()
    const path = `/api/v1/organizers/demo/events/festival/orders/${code}/`
    const { status, body } = await station.call('GET', path, undefined, `Token ${token}`)
    assert.equal(status, 200)
    return body as ShownOrder
  }

  const total = (amount: string) => page.locator(`[data-total="${amount}"]`).waitFor()

  it('is opened from the entrance, and shows products by category with prices and what is left', async () => {
    await press('Box office')
    await state('selling')
    await page.locator('[data-product]').getByText('Weekend ticket').waitFor()
    await allPictures(page, 'box-office-selling')
  })

  it('sells two equal tickets for the exact sum with four presses', async () => {
    await press(/Weekend ticket/)
    await press(/Weekend ticket/)
    await total('196.00')
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    await picture(page, 'box-office-sold')
    const order = await orderOf(await soldCode())
    assert.equal(order.status, 'p')
    assert.equal(order.total, '196.00')
    assert.equal(order.sales_channel, 'boxoffice')
    assert.equal(order.positions.length, 2)
    const [payment] = order.payments
    assert.deepEqual(
      { ...payment, details: payment?.details },
      { ...payment, provider: 'boxoffice', state: 'confirmed', amount: '196.00' },
    )
  })

  it('sells four with two presses, or a number typed before, and takes some out again', async () => {
    const inBasket = (number: string) =>
      page
        .locator('[data-product]', { hasText: 'Weekend ticket' })
        .locator('b', { hasText: number })
        .waitFor()
    await press('4 ×')
    await page.locator('[data-quantity="4"][aria-pressed="true"]').waitFor()
    await press(/Weekend ticket/)
    await inBasket('4')
    await total('392.00')
    await typeSlowly(page, '12')
    await page.locator('[data-quantity="12"][aria-pressed="true"]').waitFor()
    await allPictures(page, 'box-office-quantities')
    await hasNoFindings(page)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await typeSlowly(page, '2')
    await page.locator('[data-product]', { hasText: 'Weekend' }).focus()
    await page.keyboard.press('Enter')
    await inBasket('6')
    await press('5 ×')
    await press('Take out: Weekend ticket')
    await inBasket('1')
    await total('98.00')
    await press('3 ×')
    await press(/Day ticket/)
    await page.getByRole('heading', { name: /3 × Day ticket/ }).waitFor()
    await press(/^Child/)
    await total('167.00')
    await press('Empty the basket')
  })

  it('is not left by Back, which closes what is open and keeps the basket', async () => {
    await press(/Weekend ticket/)
    await press('Pay')
    await state('paying')
    await page.goBack()
    await state('selling')
    await total('98.00')
    await press('Find an order')
    await state('finding')
    await page.goBack()
    await state('selling')
    await total('98.00')
    await press('Empty the basket')
  })

  it('says what goes back of a note, and keeps both with the payment', async () => {
    await press(/Day ticket/)
    await state('choosing')
    await picture(page, 'box-office-choosing')
    await press(/More: Parking/)
    await press(/^Adult/)
    await total('58.00')
    await press('Pay')
    await state('paying')
    await allPictures(page, 'box-office-cash')
    await press('€60.00')
    await page.locator('[data-change="2.00"]').waitFor()
    const { payments, positions } = await orderOf(await soldCode())
    assert.equal(payments[0]?.details.given, '60.00')
    assert.equal(payments[0]?.details.change, '2.00')
    assert.equal(positions.filter(({ addon_to }) => addon_to !== null).length, 1)
  })

  it('takes any sum that is typed, but none that is too small', async () => {
    await press(/Day ticket/)
    await press(/^Child/)
    await total('23.00')
    await press('Pay')
    const key = (name: string) => page.getByRole('button', { name, exact: true })
    await key('2').click()
    assert.equal(await key('Sell').isDisabled(), true)
    for (const digits of ['5', '00']) await key(digits).click()
    await key('Sell').click()
    await page.locator('[data-change="2.00"]').waitFor()
  })

  it('sells a family of four with the discount of the event, for the exact sum', async () => {
    const two = async (form: RegExp) => {
      await press('2 ×')
      await press(/Day ticket/)
      await state('choosing')
      await press(form)
    }
    await two(/^Adult/)
    await two(/^Child/)
    await page.getByText('4 in all').waitFor()
    await picture(page, 'box-office-family')
    await total('124.20')
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    const order = await orderOf(await soldCode())
    assert.deepEqual(
      order.positions.map(({ price }) => price),
      ['41.40', '41.40', '20.70', '20.70'],
    )
  })

  it('sells a donation of any amount, but not below its price', async () => {
    await press(/Donation/)
    await state('choosing')
    await page.locator('#till-price').fill('1')
    await page.getByText('It costs €2.00 or more.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Add for/ }).isDisabled(), true)
    await page.locator('#till-price').fill('7,50')
    await picture(page, 'box-office-donation')
    await press('Add for €7.50')
    await total('7.50')
    await press(/^Pay/)
    await press('Exact sum')
    const order = await orderOf(await soldCode())
    assert.equal(order.total, '7.50')
  })

  it('takes a card that a terminal has charged', async () => {
    await press(/VIP/)
    await total('189.00')
    await press('Pay')
    await press('Card')
    await picture(page, 'box-office-card')
    await page.locator('#till-reference').fill('4711')
    await press('Charged')
    await page.getByText('Sold', { exact: true }).first().waitFor()
    const { payments } = await orderOf(await soldCode())
    assert.equal(payments[0]?.provider, 'cardterminal')
    assert.equal(payments[0]?.details.reference, '4711')
  })

  it('keeps a basket when its page is opened anew', async () => {
    await press(/Weekend ticket/)
    await total('98.00')
    await page.reload()
    await total('98.00')
    await press('Empty the basket')
    await page.getByText('Press a product to sell it.').waitFor()
  })

  it('sells once where the answer is lost, and says so', async () => {
    const count = async () => {
      const path = '/api/v1/organizers/demo/events/festival/orders/?sales_channel=boxoffice'
      const { body } = await station.call('GET', path, undefined, `Token ${(await demo()).token}`)
      return (body as { count: number }).count
    }
    const before = await count()
    await press(/Weekend ticket/)
    await total('98.00')
    let isLost = false
    await page.route('**/orders/', async (route) => {
      if (isLost || route.request().postData()?.includes('"simulate"')) return route.continue()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    await page.unroute('**/orders/')
    assert.equal(isLost, true)
    assert.equal(await count(), before + 1)
  })

  it('is worked by keys alone', async () => {
    await page.locator('[data-product]', { hasText: 'Weekend' }).focus()
    await page.keyboard.press('Enter')
    await total('98.00')
    await page.keyboard.press('F10')
    await state('paying')
    await page.keyboard.press('Escape')
    await state('selling')
    await page.keyboard.press('F10')
    await page.locator('#till-given:focus').waitFor()
    await typeSlowly(page, '10000')
    await page.keyboard.press('Enter')
    await page.locator('[data-change="2.00"]').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Press a product to sell it.').waitFor()
  })

  it('shows its keys, and what was on the screen stays', async () => {
    await page.locator('[data-product]', { hasText: 'Weekend' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('F3')
    await state('drawer')
    await page.keyboard.press('F1')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByText('Put the basket aside').waitFor()
    await allPictures(page, 'box-office-keys')
    await hasNoFindings(page)
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await state('drawer')
    await page.keyboard.press('Escape')
    await state('selling')
    await page.keyboard.press('F8')
    await page.getByText('Press a product to sell it.').waitFor()
  })

  it('finds an order that is not paid by its ticket, and takes the money', async () => {
    const { tickets, token } = await demo()
    const ticket = tickets.find(({ note }) => /not paid|unpaid/i.test(note))
    assert.ok(ticket)
    const [code = ''] = ticket.order.split('-')
    await station.call('POST', '/api/v1/station/scan/', { code: ticket.code, source: 'hid' })
    await state('order')
    await page.getByText('Still to pay').waitFor()
    await picture(page, 'box-office-order')
    await press(/^Take/)
    await press('Exact sum')
    await page.locator(`[data-order="${code}"]`).waitFor()
    const path = `/api/v1/organizers/demo/events/festival/orders/${code}/`
    const { body } = await station.call('GET', path, undefined, `Token ${token}`)
    assert.equal((body as ShownOrder).status, 'p')
  })

  it('finds orders by their code, and says where none fits', async () => {
    const [ticket] = (await demo()).tickets
    assert.ok(ticket)
    const [code = ''] = ticket.order.split('-')
    await page.keyboard.press('F2')
    await page.locator('#till-order').fill(ticket.name)
    await page.locator(`[data-code="${code}"]`).waitFor()
    await picture(page, 'box-office-found')
    await page.locator('#till-order').fill(code)
    await page.locator(`section[data-code="${code}"]`).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#till-order').fill('nobody has this name')
    await page.getByText('No order fits.').waitFor()
    await page.keyboard.press('Escape')
    await state('selling')
  })

  it('counts the cash of its drawer, and closes it with what is missing', async () => {
    await press('Drawer')
    await page.locator('#drawer-float').fill('150')
    await press('Open the drawer')
    await page.locator('[data-figure="till.expected"]', { hasText: '€150.00' }).waitFor()
    await page.locator('#cash-amount').fill('20,50')
    await page.locator('#cash-reason').fill('Change from the bank')
    await press('Put in')
    await page.locator('[data-figure="till.expected"]', { hasText: '€170.50' }).waitFor()
    await press('Back')
    await press(/Weekend ticket/)
    await total('98.00')
    await press(/^Pay/)
    await press('€100.00')
    await page.locator('[data-change="2.00"]').waitFor()
    await press('Drawer')
    await page.locator('[data-figure="till.expected"]', { hasText: '€268.50' }).waitFor()
    await picture(page, 'box-office-drawer')
    await press('Notes and coins')
    await page.locator('[data-worth="50.00"]').fill('5')
    await page.locator('[data-worth="2.00"]').fill('6')
    await page.locator('[data-worth="0.50"]').fill('3')
    await page.locator('[data-pieces="263.50"]').waitFor()
    await allPictures(page, 'box-office-counting')
    await press('Close the drawer')
    await page.locator('[data-difference="-5.00"]').waitFor()
    await picture(page, 'box-office-closed')
    await press('Back')
  })

  it('admits nobody by what is scanned', async () => {
    const { tickets } = await demo()
    const ticket = tickets.find(({ note }) => note.includes('Main entrance: admitted'))
    assert.ok(ticket)
    const scanned = await station.call('POST', '/api/v1/station/scan/', { code: ticket.code, source: 'hid' })
    assert.equal(scanned.status, 409)
    await page.locator(`section[data-code="${ticket.order.split('-')[0]}"]`).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  it('can be read in the light and in the dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await press(/Weekend ticket/)
      await picture(page, `box-office-${colorScheme}`)
      const weak = (await contrasts(page)).filter(({ ratio }) => ratio < 4.5)
      assert.deepEqual(weak, [])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await press('Empty the basket')
  })

  it('speaks German', async () => {
    await choose(station, 'Main entrance', { locale: 'de' })
    await page.getByText('Drücke auf ein Produkt').waitFor()
    await press(/Wochenendkarte/)
    await picture(page, 'box-office-german')
    await press('Bezahlen')
    await page.getByText('Zu zahlen: 98,00').first().waitFor()
    await picture(page, 'box-office-cash-german')
    await press('Zurück')
  })

  it('is an entrance again with one press', async () => {
    await press('Einlass')
    await page.locator('#entrance').waitFor()
    await eventually(
      async () => (await station.call('GET', '/api/v1/station/')).body as { settings: { task: string } },
      ({ settings }) => settings.task === 'entrance',
    )
    const broken = complaints.filter((text) => !/net::ERR_FAILED|409/.test(text))
    assert.deepEqual(broken, [])
  })
})
