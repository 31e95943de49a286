import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { startTerminal, type TerminalSimulator } from '../../station/paying/terminal-simulator.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { picture, pictures } from '../support/pictures.ts'
import { contrasts } from '../support/readable.ts'
import { type Station, startStation } from '../support/station.ts'

describe('paying at a box office', function () {
  this.timeout(40_000)
  let browser: Browser
  let station: Station
  let terminal: TerminalSimulator
  let page: Page
  const ev = '/api/v1/organizers/demo/events/festival'

  before(async () => {
    station = await startStation('demo')
    terminal = await startTerminal()
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    const { body } = await station.call('GET', '/api/v1/station/')
    const { settings } = body as { settings: Record<string, unknown> }
    const set = await station.call('PUT', '/api/v1/station/settings/', {
      ...{ organizer: settings.organizer, event: settings.event, list: settings.list },
      ...{ direction: settings.direction, task: 'box-office' },
      terminal: { host: '127.0.0.1', port: terminal.port },
    })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    ;({ page } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
    await terminal?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const code = async () => (await page.locator('[data-order]').getAttribute('data-order')) ?? ''
  const due = (amount: string) => page.getByRole('heading', { name: `To pay: €${amount}` }).waitFor()

  async function paymentsOf(order: string) {
    const { token } = await demo()
    const { body } = await station.call('GET', `${ev}/orders/${order}/`, undefined, `Token ${token}`)
    const { payments } = body as { payments: readonly { provider: string; amount: string }[] }
    return payments.map(({ provider, amount }) => [provider, amount])
  }

  async function giftCard(secret: string, value: string): Promise<void> {
    const { token } = await demo()
    const card = { secret, value, currency: 'EUR' }
    const made = await station.call('POST', '/api/v1/organizers/demo/giftcards/', card, `Token ${token}`)
    assert.equal(made.status, 201, JSON.stringify(made.body))
  }

  it('is half a gift card, half the card terminal', async () => {
    await giftCard('HALF-AND-HALF', '49.00')
    await press(/Weekend ticket/)
    await press('Pay')
    await press('Gift card')
    await page.locator('#till-gift-card').fill('nobody has this')
    await press('Use it')
    await page.getByText('No gift card has this code').waitFor()
    await page.locator('#till-gift-card').fill('half-and-half')
    await press('Use it')
    await due('49.00')
    await pictures(page, 'paying-half-gift-card')
    assert.deepEqual(
      (await contrasts(page)).filter(({ ratio }) => ratio < 4.5),
      [],
    )
    await press('Card terminal')
    terminal.behaviour = 'waits'
    const { asked } = terminal
    await press('Charge €49.00')
    await page.locator('[data-charging="pending"]').waitFor()
    await picture(page, 'paying-terminal')
    await terminal.untilAsked(asked + 1)
    terminal.goOn()
    await page.locator('[data-order]').waitFor()
    assert.deepEqual(await paymentsOf(await code()), [
      ['giftcard', '49.00'],
      ['cardterminal', '49.00'],
    ])
    assert.equal(terminal.held, 4900)
  })

  it('is declined, and paid in cash then', async () => {
    terminal.behaviour = 'declines'
    await press(/Weekend ticket/)
    await press('Pay')
    await press('Card terminal')
    await press(/^Charge/)
    await page.getByText('The card was declined').waitFor()
    await picture(page, 'paying-declined')
    await press('Cash')
    await press('Exact sum')
    await page.locator('[data-change="0.00"]').waitFor()
  })

  it('shows what happened after the station was killed while the terminal was asked', async () => {
    terminal.behaviour = 'waits'
    const before = terminal.held
    await press(/Weekend ticket/)
    await press('Pay')
    await press('Card terminal')
    const asked = terminal.asked
    await press(/^Charge/)
    await terminal.untilAsked(asked + 1)
    await station.kill()
    terminal.chargeByHand(9800)
    terminal.behaviour = 'charges'
    station = await station.restart()
    await page.close()
    ;({ page } = await openWindow(browser, station.open))
    await page.locator('[data-unsettled="1"]').waitFor()
    await pictures(page, 'paying-unsettled')
    await press('Give back to the card')
    await page.locator('[data-unsettled]').waitFor({ state: 'detached' })
    assert.equal(terminal.held, before)
  })

  it('is set up with the address of its terminal', async () => {
    await press('Entrance')
    await press('Settings')
    const field = page.getByLabel(/Card terminal/)
    assert.equal(await field.inputValue(), `127.0.0.1:${terminal.port}`)
    await picture(page, 'paying-settings')
  })
})
