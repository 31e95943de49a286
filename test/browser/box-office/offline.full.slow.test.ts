import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { countOf, until } from '../../support/servers/nodes.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { picture } from '../support/pictures.ts'
import { type Linked, marked, openPlace, type Place, startLinked } from '../support/venue.ts'

describe('a till that loses its network', function () {
  this.timeout(90_000)
  let browser: Browser
  let place: Place
  let station: Linked
  let page: Page

  before(async () => {
    browser = await openBrowser()
    place = await openPlace([])
    const { central, venue } = place
    const item = { sales_channels: ['web', 'boxoffice'] }
    assert.equal((await central.call('PATCH', `${central.ev}/items/${venue.item}/`, item)).status, 200)
    const quota = { name: 'House', size: 12, items: [venue.item], variations: [] }
    assert.equal((await central.call('POST', `${central.ev}/quotas/`, quota)).status, 201)
    station = await startLinked(place, 'North')
    await until('the station knows what is sold', async () => (await countOf(station.node, 'quota')) === 1)
    ;({ page } = await openWindow(browser, station.open))
    await page.getByRole('button', { name: 'Box office' }).click()
  })

  after(async () => {
    await browser?.close()
    await station?.node.close()
    await place?.close()
  })

  const product = () => page.locator('[data-product]')
  const pay = () => page.getByRole('button', { name: /^Pay/ })

  /** Sells one, and waits until the screen knows what is left. */
  async function sellOne(): Promise<void> {
    await product().click()
    await pay().click()
    const looked = page.waitForResponse((response) => response.url().includes('/station/sale/'))
    await page.getByRole('button', { name: 'Exact sum' }).click()
    await page.locator('[data-order]').waitFor()
    await looked
    await page.getByRole('button', { name: 'Next guest' }).click()
  }

  const ordersAt = async (): Promise<number> => {
    const { body } = await place.central.call('GET', `${place.central.ev}/orders/?sales_channel=boxoffice`)
    return (body as { count: number }).count
  }

  it('sells what it may sell by itself, says when that is used up, and reports each sale once', async () => {
    await sellOne()
    await until('it may sell more by itself', async () => (await countOf(station.node, 'quota_lease')) > 1)
    await until('all is reported', async () => (await station.node.link()).queue === 0)
    station.network.down = true
    await marked(page, 'offline')
    let sold = 1
    const left = page.getByText(/^\d+ left$/)
    const lookAgain = page.getByText('Sold out').or(left)
    for (await lookAgain.waitFor(); sold < 12 && (await product().isEnabled()); sold += 1) await sellOne()
    assert.ok(sold > 1, 'nothing was sold without network')
    assert.ok(sold < 12, 'more was sold than a lease holds')
    await page.getByText('Sold out').waitFor()
    await picture(page, 'box-office-used-up')
    station.network.down = false
    await marked(page, 'online')
    await until('all is reported', async () => (await station.node.link()).queue === 0)
    assert.equal(await ordersAt(), sold)
    await left.waitFor()
    await sellOne()
    await until('all is reported', async () => (await station.node.link()).queue === 0)
    assert.equal(await ordersAt(), sold + 1)
  })
})
