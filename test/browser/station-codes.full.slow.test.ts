import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { glimpsed, scan, shown } from './support/entrance.ts'
import { allPictures, picture } from './support/pictures.ts'
import { type Linked, marked, openPlace, type Place, slowly, startUnjoined } from './support/venue.ts'

/** Tickets enough for several pieces of a copy. */
const codes = Array.from({ length: 2000 }, (_, index) => `TICKET${index}`)

describe('connecting a station by its code', function () {
  this.timeout(90_000)
  let browser: Browser
  let place: Place
  let linked: Linked
  let page: Page
  let finish = (): void => {}

  before(async () => {
    browser = await openBrowser()
    place = await openPlace(codes)
  })

  after(async () => {
    await browser?.close()
    await place?.close()
  })

  beforeEach(async () => {
    linked = await startUnjoined()
    ;({ page } = await openWindow(browser, linked.open))
    await page.getByRole('button', { name: 'Connect this station' }).click()
  })

  afterEach(async () => {
    finish()
    await page?.context().close()
    await linked?.node.close()
  })

  const typed = async (code: string, address?: string): Promise<void> => {
    await page.getByLabel('or type the code or its token').fill(code)
    if (address !== undefined) await page.getByLabel('Address of the server').fill(address)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
  }

  it('says what to do next for everything that can go wrong', async () => {
    const says = async (kind: string, words: RegExp): Promise<void> => {
      const found = page.locator(`[data-problem="${kind}"]`)
      await found.waitFor()
      assert.match(await found.innerText(), words)
    }
    await typed('what is this')
    await says('no_code', /not a pairing code[\s\S]*Scan the code that is shown where the device was made/)
    await typed('{"handshake_version": 1, "tok')
    await says('incomplete', /not read completely[\s\S]*Scan it again/)
    await typed('nosuchtoken', '')
    await says('no_address', /Type the address of the server/)
    await typed('nosuchtoken', place.central.url)
    await says('unknown', /does not know this code[\s\S]*have a new one made/)
    await allPictures(page, 'pairing-unknown')

    const { token } = JSON.parse(await place.pairing('Once'))
    const body = {
      token,
      hardware_brand: 'x',
      hardware_model: 'x',
      software_brand: 'x',
      software_version: '1',
    }
    const used = await place.central.call('POST', '/api/v1/device/initialize', body, { Authorization: '' })
    assert.equal(used.status, 200)
    await typed(token, place.central.url)
    await says('used', /used already[\s\S]*new one made for this computer/)

    linked.network.down = true
    await typed(await place.pairing('Later'))
    await says('unreachable', /cannot be reached[\s\S]*Check the network/)
    linked.network.down = false
    linked.network.instead = () =>
      new Response('<html>Log in</html>', { headers: { 'Content-Type': 'text/html' } })
    await typed(await place.pairing('Elsewhere'))
    await says('stranger', /no Gatehouse server[\s\S]*log in first/)
  })

  it('shows what is loaded, how much of it, and how long it will still take', async () => {
    finish = slowly(linked.network, 120)
    await typed(await place.pairing('Slow'))
    await page.locator('[data-phase="loading"]').waitFor()
    const panel = page.locator('[data-phase]')
    await panel.getByText(/^[\d,]+ of [\d,]+ rows$/).waitFor()
    await panel.getByText('Loading events and tickets').waitFor()
    await panel.getByText(/seconds? left$/).waitFor()
    await page.locator('progress[value]:not([value="0"])').waitFor()
    await allPictures(page, 'pairing-loading')
    finish()
    await page.getByRole('radio', { name: 'gala' }).waitFor()
  })

  it('says why nothing comes, and goes on by itself', async () => {
    linked.network.instead = (url) =>
      url.pathname.includes('/sync/') ? new Response('', { status: 502 }) : undefined
    await typed(await place.pairing('Patient'))
    await page.getByText('Connected as Patient').waitFor()
    await page.getByText(/^It is tried again by itself/).waitFor()
    await picture(page, 'pairing-trouble')
    linked.network.instead = () => undefined
    await page.getByRole('radio', { name: 'gala' }).waitFor()
  })

  it('takes the code from a keyboard scanner, wherever the keys are', async () => {
    await page.getByLabel('or type the code or its token').focus()
    await scan(page, await place.pairing('Typed'))
    await page.getByRole('radio', { name: 'gala' }).waitFor()
    await page.getByRole('button', { name: 'Start scanning' }).click()
    await marked(page, 'online')
  })

  it('takes the code from a scanner of the station itself', async () => {
    const code = await place.pairing('Plugged')
    const { status } = await linked.node.call('POST', '/api/v1/station/scan/', { code, source: 'hid' })
    assert.equal(status, 409)
    await page.getByRole('radio', { name: 'gala' }).waitFor()
  })

  it('lets no code that is held up at the door connect the station', async () => {
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Connect this station' }).waitFor()
    const noticed = glimpsed(page, '[data-notice="not-set-up"]')
    await scan(page, await place.pairing('Stranger'))
    await noticed
    await shown(page, 'setup')
    assert.equal((await linked.node.link()).upstream, null)
  })
})
