import assert from 'node:assert/strict'
import type { Browser, Page, Route } from 'playwright-core'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { addHall } from '../support/hall.ts'
import { allPictures, picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const ev = '/api/v1/organizers/demo/events/festival'

describe('the seats of a box office', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]
  let token: string

  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await station.call(method, path, body, `Token ${token}`)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Record<string, unknown>
  }

  before(async () => {
    station = await startStation('demo')
    ;({ token } = await demo())
    await addHall(call, [
      { name: 'Stalls', price: '45.00', rows: 20, seatsInRow: 50 },
      { name: 'Gallery', price: '28.00', rows: 20, seatsInRow: 50 },
    ])
    const seat_guids = ['Stalls-1-1', 'Stalls-1-2', 'Stalls-1-3']
    await call('POST', `${ev}/seats/bulk_block/`, { seat_guids })
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open))
    page.setDefaultTimeout(8000)
    await press('Box office')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const plan = () => page.getByRole('listbox', { name: 'Seats' })
  const seat = (guid: string) => page.locator(`[data-seat="${guid}"]`)
  const total = (amount: string) => page.locator(`[data-total="${amount}"]`).waitFor()
  const held = (guid: string) => page.locator(`[data-seat="${guid}"][data-state="mine"]`).waitFor()

  it('are not said to be gone while the plan is still on its way', async () => {
    const asked = Promise.withResolvers<Route>()
    await page.route('**/api/v1/station/sale/seats/**', (route) => asked.resolve(route), { times: 1 })
    await press(/Stalls/)
    const route = await asked.promise
    assert.equal(await page.getByRole('button', { name: 'Best seats for 2' }).isEnabled(), false)
    await route.continue()
    await plan().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Best seats for 2' }).isEnabled(), true)
    await press('Done')
  })

  it('are drawn as a plan: colours, prices, what is free, all of 2,000', async () => {
    await press(/Stalls/)
    await plan().waitFor()
    assert.equal(await page.getByRole('option').count(), 2000)
    assert.equal(await page.locator('[data-state="blocked"][data-seat]').count(), 3)
    await allPictures(page, 'box-office-seats')
  })

  it('come as the best for a party: beside each other, in the middle of the first row', async () => {
    await press('Best seats for 2')
    await held('Stalls-1-25')
    await held('Stalls-1-26')
    await total('90.00')
    await picture(page, 'box-office-seats-best')
  })

  it('are chosen by arrow keys and Enter, and given back by Enter again', async () => {
    await plan().focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    const { length } = await page.locator('[data-state="mine"][data-seat]').all()
    await page.locator('[data-total="135.00"]').waitFor()
    assert.ok(length >= 2)
    await page.keyboard.press('Enter')
    await total('90.00')
  })

  it('say why they cannot be had', async () => {
    await seat('Stalls-1-1').click({ force: true })
    await page.getByText('The organizer has blocked this seat.').waitFor()
    await press('Zoom in')
    await press('Zoom in')
    await picture(page, 'box-office-seats-near')
  })

  it('cost what their category costs, and are sold with their names', async () => {
    await press('Zoom out')
    await press('Zoom out')
    await seat('Gallery-11-10').click()
    await total('118.00')
    await press('Done')
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    const code = await page.locator('[data-order]').getAttribute('data-order')
    const { positions, total: sum } = await call('GET', `${ev}/orders/${code}/`)
    const seats = (positions as { seat: { seat_guid: string } | null }[]).map((one) => one.seat?.seat_guid)
    assert.deepEqual(seats.sort(), ['Gallery-11-10', 'Stalls-1-25', 'Stalls-1-26'])
    assert.equal(sum, '118.00')
  })

  it('are sold with the voucher that keeps one of them, at its price', async () => {
    const rows = await call('GET', `${ev}/seats/?seat_guid=Gallery-12-10`)
    const [kept] = rows.results as { id: number; product: number }[]
    const money = { price_mode: 'set', value: '10.00' }
    const seat_guid = 'Gallery-12-10'
    await call('POST', `${ev}/vouchers/`, { code: 'ROW12', item: kept?.product, seat: seat_guid, ...money })
    await press('Next')
    await press(/Gallery/)
    await page.locator(`[data-seat="${seat_guid}"][data-state="voucher"]`).waitFor()
    await press('Done')
    await page.locator('#till-voucher').fill('ROW12')
    await page.keyboard.press('Enter')
    await page.locator('[data-voucher="ROW12"]').waitFor()
    await press(/Gallery/)
    await seat(seat_guid).click()
    await total('10.00')
    await picture(page, 'box-office-seats-voucher')
    await press('Done')
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    const code = await page.locator('[data-order]').getAttribute('data-order')
    const { positions, total: sum } = await call('GET', `${ev}/orders/${code}/`)
    const [sold] = positions as { seat: { seat_guid: string } | null; voucher: number | null }[]
    assert.deepEqual([sold?.seat?.seat_guid, typeof sold?.voucher, sum], [seat_guid, 'number', '10.00'])
  })

  it('are sold at once in every other plan, and the page has complained about nothing', async () => {
    await press(/Stalls/)
    await page.locator('[data-seat="Stalls-1-25"][data-state="sold"]').waitFor()
    const expected = /Failed to load resource/
    assert.deepEqual(
      complaints.filter((one) => !expected.test(one)),
      [],
    )
  })
})
