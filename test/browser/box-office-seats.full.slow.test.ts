import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { demo } from './support/demo.ts'
import { choose } from './support/entrance.ts'
import { allPictures, picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

const organizer = '/api/v1/organizers/demo'
const ev = `${organizer}/events/festival`

/** A hall: rows of seats in the format of seating plan editors. */
function hall(rows: number, seatsInRow: number) {
  const seats = (row: number) =>
    Array.from({ length: seatsInRow }, (_, seat) => ({
      seat_guid: `${row}-${seat + 1}`,
      seat_number: String(seat + 1),
      category: row < rows / 2 ? 'Stalls' : 'Gallery',
      position: { x: seat * 24, y: 0 },
    }))
  return {
    name: 'Hall',
    size: { width: seatsInRow * 24, height: rows * 28 },
    categories: [
      { name: 'Stalls', color: '#b5452c' },
      { name: 'Gallery', color: '#2f6fb5' },
    ],
    zones: [
      {
        name: 'Hall',
        position: { x: 0, y: 0 },
        rows: Array.from({ length: rows }, (_, row) => ({
          row_number: String.fromCharCode(65 + (row % 26)) + (row < 26 ? '' : '2'),
          position: { x: 0, y: row * 28 },
          seats: seats(row),
        })),
      },
    ],
  }
}

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

  /** Has the demo sell two products by 2,000 seats. */
  async function addHall(): Promise<void> {
    const item = async (name: string, price: string): Promise<unknown> => {
      const { id } = await call('POST', `${ev}/items/`, {
        ...{ name: { en: name, de: name }, default_price: price, active: true, admission: true },
        ...{ sales_channels: ['web', 'boxoffice'] },
      })
      await call('POST', `${ev}/quotas/`, { name, size: 2000, items: [id], variations: [] })
      return id
    }
    const stalls = await item('Stalls', '45.00')
    const gallery = await item('Gallery', '28.00')
    const plan = await call('POST', `${organizer}/seatingplans/`, { name: 'Hall', layout: hall(40, 50) })
    await call('PATCH', `${ev}/`, {
      seating_plan: plan.id,
      seat_category_mapping: { Stalls: stalls, Gallery: gallery },
    })
    await call('POST', `${ev}/seats/bulk_block/`, { seat_guids: ['0-1', '0-2', '0-3'] })
  }

  before(async () => {
    station = await startStation('demo')
    ;({ token } = await demo())
    await addHall()
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

  it('are drawn as a plan: colours, prices, what is free, all of 2,000', async () => {
    await press(/Stalls/)
    await plan().waitFor()
    assert.equal(await page.getByRole('option').count(), 2000)
    assert.equal(await page.locator('[data-state="blocked"][data-seat]').count(), 3)
    await allPictures(page, 'box-office-seats')
  })

  it('come as the best for a party: beside each other, in the middle of the first row', async () => {
    await press('Best seats for 2')
    await held('0-25')
    await held('0-26')
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
    await seat('0-1').click({ force: true })
    await page.getByText('The organizer has blocked this seat.').waitFor()
    await press('Zoom in')
    await press('Zoom in')
    await picture(page, 'box-office-seats-near')
  })

  it('cost what their category costs, and are sold with their names', async () => {
    await press('Zoom out')
    await press('Zoom out')
    await seat('30-10').click()
    await total('118.00')
    await press('Done')
    await press('Pay')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
    const code = await page.locator('[data-order]').getAttribute('data-order')
    const { positions, total: sum } = await call('GET', `${ev}/orders/${code}/`)
    const seats = (positions as { seat: { seat_guid: string } | null }[]).map((one) => one.seat?.seat_guid)
    assert.deepEqual(seats.sort(), ['0-25', '0-26', '30-10'])
    assert.equal(sum, '118.00')
  })

  it('are sold at once in every other plan, and the page has complained about nothing', async () => {
    await press(/Stalls/)
    await page.locator('[data-seat="0-25"][data-state="sold"]').waitFor()
    const expected = /Failed to load resource/
    assert.deepEqual(
      complaints.filter((one) => !expected.test(one)),
      [],
    )
  })
})
