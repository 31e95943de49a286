import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose } from '../support/entrance.ts'
import { allPictures, picture } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

describe('the drawer of a box office', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let token: string

  const office = async (method: string, path: string, expected: number, body?: object) => {
    const url = `/api/v1/organizers/demo/${path}`
    const answer = await station.call(method, url, body, `Token ${token}`)
    assert.equal(answer.status, expected, JSON.stringify(answer.body))
    return answer.body as Readonly<Record<string, unknown>>
  }

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    ;({ token } = await demo())
    await choose(station, 'Main entrance', { task: 'box-office' })
    await office('PATCH', 'events/festival/settings/', 200, { drawer_blind_count: true })
    for (const [name, role, pin] of [
      ['Ada', 'cashier', '4711'],
      ['Eve', 'cashier', '4712'],
      ['Bob', 'supervisor', '123456'],
    ] as const) {
      const { id } = await office('POST', 'staff/', 201, { name, role })
      await office('POST', `staff/${id}/set_pin/`, 200, { pin })
    }
    ;({ page } = await openWindow(browser, station.open))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const figure = (name: string, text: string) =>
    page.locator(`[data-figure="till.${name}"]`, { hasText: text }).waitFor()

  async function signIn(name: string, digits: string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name }).click()
    await page.locator('#staff-pin').fill(digits)
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
  }

  async function sellOne(): Promise<void> {
    await press(/Weekend ticket/)
    await press(/^Pay/)
    await press('Exact sum')
    await page.locator('[data-order]').waitFor()
  }

  it('shows nothing of what should be in it while it is counted blind', async () => {
    await signIn('Ada', '4711')
    await press('Drawer')
    await page.locator('#drawer-float').fill('100')
    await press('Open the drawer')
    await page.locator('[data-blind="true"]').waitFor()
    await press('Back')
    await sellOne()
    await press('Ada')
    await signIn('Eve', '4712')
    await sellOne()
    await sellOne()
    await press('Drawer')
    await figure('receipts', '4')
    assert.equal(await page.getByText('€394.00').count(), 0)
    await press('Notes and coins')
    await allPictures(page, 'drawer-blind')
    await hasNoFindings(page)
    await press('Notes and coins')
  })

  it('shows supervisors what should be in it, and who has sold what', async () => {
    await press('Eve')
    await signIn('Bob', '123456')
    await figure('expected', '€394.00')
    await page.locator('[data-cashier="Ada"]', { hasText: '€98.00' }).waitFor()
    await page.locator('[data-cashier="Eve"]', { hasText: '€196.00' }).waitFor()
    await picture(page, 'drawer-cashiers')
    await hasNoFindings(page)
    await press('Bob')
    await signIn('Eve', '4712')
    await page.locator('[data-blind="true"]').waitFor()
  })

  it('shows what is missing once it was counted', async () => {
    await page.locator('#cash-counted').fill('389')
    await press('Close the drawer')
    await page.locator('[data-difference="-5.00"]').waitFor()
    await picture(page, 'drawer-closed')
    await hasNoFindings(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the Z report' }).click(),
    ])
    assert.equal((await readFile(await file.path())).subarray(0, 5).toString(), '%PDF-')
  })

  it('is shared with another till, and stays open while that one has a basket', async () => {
    const device = await office('POST', 'devices/', 201, {
      ...{ name: 'Tablet', security_profile: 'boxoffice', all_events: true },
    })
    const initialized = await station.call(
      'POST',
      '/api/v1/device/initialize',
      {
        ...{ token: device.initialization_token, hardware_brand: 'A', hardware_model: 'B' },
        ...{ software_brand: 'C', software_version: '1' },
      },
      '',
    )
    const tablet = `Device ${(initialized.body as { api_token: string }).api_token}`
    const org = '/api/v1/organizers/demo'
    const ev = `${org}/events/festival`
    const { results } = await office('GET', 'staff/?role=cashier', 200)
    const ada = (results as { id: number; name: string }[]).find(({ name }) => name === 'Ada')
    const codes = { staff: ada?.id, pin: '4711' }
    assert.equal((await station.call('POST', `${org}/pos/sign_in/`, codes, tablet)).status, 200)
    const opened = await station.call('POST', `${ev}/drawers/`, { float: '20.00', name: 'Bar' }, tablet)
    assert.equal(opened.status, 201, JSON.stringify(opened.body))
    await press('Back')
    await press('Drawer')
    await page.getByText('Tills at it: Tablet (Ada)').waitFor()
    await allPictures(page, 'drawer-others')
    await hasNoFindings(page)
    await press('Work at this drawer')
    await page.locator('[data-drawer="open"] [data-tills="2"]').waitFor()
    const items = await station.call('GET', `${ev}/items/?search=Weekend`, undefined, tablet)
    const [item] = (items.body as { results: { id: number }[] }).results
    const cart = { item: item?.id, price: '98.00', cart_id: 'tablet@api' }
    const held = await station.call('POST', `${ev}/cartpositions/`, cart, tablet)
    assert.equal(held.status, 201, JSON.stringify(held.body))
    await page.locator('#cash-counted').fill('20')
    await press('Close the drawer')
    await page.getByText('The till Tablet has a basket that is open.').waitFor()
    await picture(page, 'drawer-open-basket')
    await hasNoFindings(page)
    await station.call(
      'DELETE',
      `${ev}/cartpositions/${(held.body as { id: number }).id}/`,
      undefined,
      tablet,
    )
    await press('Back')
    await press(/Weekend ticket/)
    await press('Drawer')
    await page.getByText('sell what is in the basket, or empty it').waitFor()
    await press('Empty the basket')
    await page.locator('#cash-counted').fill('20')
    await press('Close the drawer')
    await page.locator('[data-difference="0.00"]').waitFor()
  })

  it('is counted in German, in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await choose(station, 'Main entrance', { locale: 'de', task: 'box-office' })
    await page.locator('#drawer-float').fill('100')
    await press('Lade öffnen')
    await page.getByText('steht hier, sobald gezählt ist').waitFor()
    await allPictures(page, 'drawer-german')
    await hasNoFindings(page)
  })
})
