import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { hasNoFindings } from './support/accessible.ts'
import { openBrowser, openWindow } from './support/browser.ts'
import { demo, sample } from './support/demo.ts'
import { caught, choose, scan, shown } from './support/entrance.ts'
import { allPictures, picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

describe('staff at an entrance', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    const { token } = await demo()
    const office = async (method: string, path: string, body: object) => {
      const url = `/api/v1/organizers/demo/${path}`
      const answer = await station.call(method, url, body, `Token ${token}`)
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
      return answer.body as { id: number }
    }
    await choose(station, 'Main entrance')
    await office('PATCH', 'events/festival/settings/', { entrance_staff_asked: true })
    for (const [name, role, pin] of [
      ['Bob', 'supervisor', '123456'],
      ['Sue', 'steward', '4711'],
    ] as const) {
      const { id } = await office('POST', 'staff/', { name, role })
      await office('POST', `staff/${id}/set_pin/`, { pin })
    }
    ;({ page } = await openWindow(browser, station.open))
    await shown(page, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const question = () => page.locator('dialog[data-question="step-up"]')

  async function pin(name: string, digits: string): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name }).click()
    await page.locator('#staff-pin').fill(digits)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('are asked before somebody is admitted all the same, and nobody is where they refuse', async () => {
    await scan(page, (await sample('unpaid')).code)
    await shown(page, 'unpaid')
    await page.getByRole('button', { name: 'Check in anyway' }).click()
    await question().waitFor()
    await allPictures(page, 'entrance-step-up')
    await hasNoFindings(page)
    await page.keyboard.press('Escape')
    await page.locator('[data-notice="withheld"]').waitFor()
    await shown(page, 'unpaid')
    await page.getByRole('button', { name: 'Check in anyway' }).click()
    await question().waitFor()
    await page.locator('#staff-reason').fill('Paid by transfer, seen')
    await pin('Sue', '4711')
    await page.getByRole('alert').getByText('You may not do that either').waitFor()
    await page.getByRole('button', { name: 'Somebody else' }).click()
    const admitted = caught(page, 'ok')
    await pin('Bob', '123456')
    await admitted
  })

  it('are asked before an admission is taken back', async () => {
    await page.keyboard.press('F8')
    await question().waitFor()
    await page.locator('#staff-reason').fill('Wrong guest')
    const undone = caught(page, 'undone')
    await pin('Bob', '123456')
    await undone
  })

  it('who may are asked no more once they have signed in', async () => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await pin('Bob', '123456')
    await page.getByRole('button', { name: 'Bob' }).waitFor()
    await picture(page, 'entrance-signed-in')
    await hasNoFindings(page)
    const admitted = caught(page, 'ok')
    await scan(page, (await sample('unpaid')).code)
    await shown(page, 'unpaid')
    await page.getByRole('button', { name: 'Check in anyway' }).click()
    await admitted
  })

  it('are asked before the station is moved elsewhere', async () => {
    await page.getByRole('button', { name: 'Bob' }).click()
    await pin('Sue', '4711')
    await page.getByRole('button', { name: 'Sue' }).waitFor()
    await page.getByRole('button', { name: 'Exit' }).click()
    await page.getByRole('button', { name: 'Entry' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await shown(page, 'setup')
    await page.getByLabel('Name of this station').fill('Door 9')
    await page.getByRole('button', { name: 'Save' }).click()
    await question().waitFor()
    await page.locator('#staff-reason').fill('Moved')
    await picture(page, 'entrance-settings-step-up')
    await pin('Bob', '123456')
    await shown(page, 'ready')
    const { body } = await station.call('GET', '/api/v1/station/')
    assert.equal((body as { settings: { name: string } }).settings.name, 'Door 9')
  })
})
