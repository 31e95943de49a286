import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { UpdateStatus } from '../../schema/updates/update-status.ts'
import { openBrowser, openWindow } from './support/browser.ts'
import { pictures } from './support/pictures.ts'
import { type Linked, marked, openPlace, type Place, startLinked } from './support/venue.ts'

const calm: UpdateStatus = {
  ...{ version: '0.1.0', enabled: true, channel: 'stable', offered: null, phase: 'none', progress: null },
  ...{ why: null, missing: 0, may_now: false, until: null, trouble: null, failed: null },
}

const states: readonly (readonly [name: string, status: Partial<UpdateStatus>, says: RegExp])[] = [
  ['off', { enabled: false }, /not updated by itself/],
  [
    'downloading',
    { phase: 'downloading', offered: '0.2.0', progress: { done: 7e6, total: 20e6 } },
    /7 of 20 MB/,
  ],
  [
    'doors',
    { phase: 'waiting', offered: '0.2.0', why: 'doors', may_now: true, until: '2030-06-01T17:30:00Z' },
    /within twelve hours/,
  ],
  ['room', { phase: 'waiting', offered: '0.2.0', why: 'room', missing: 123.4e6 }, /needs 124 MB more/],
  [
    'failed',
    {
      trouble: 'expired',
      failed: { version: '0.2.0', reason: 'not healthy', at: '2030-06-01T17:30:00Z' },
    },
    /Version 0\.2\.0 did not work here/,
  ],
]

describe('the updates of a station on its page', function () {
  this.timeout(90_000)
  let browser: Browser
  let place: Place
  let station: Linked
  before(async () => {
    browser = await openBrowser()
    place = await openPlace(['TICKET0'])
    station = await startLinked(place, 'North')
  })
  after(async () => {
    await browser?.close()
    await station?.node.close()
    await place?.close()
  })

  /** The page of a station whose server says this of its updates; what it was asked. */
  async function openPage(status: UpdateStatus): Promise<{ page: Page; asked: string[] }> {
    const { page } = await openWindow(browser, station.open)
    const asked: string[] = []
    await page.route('**/api/v1/station/update/', async (route) => {
      const body = route.request().postData()
      if (body !== null) asked.push(body)
      await route.fulfill({ json: body === null ? status : { ...status, phase: 'installing', why: null } })
    })
    await marked(page, 'online')
    await page.locator('button[data-link]').click()
    await page.getByRole('region', { name: 'Updates' }).scrollIntoViewIfNeeded()
    return { page, asked }
  }

  for (const [name, status, says] of states)
    it(`say what is to be known: ${name}`, async () => {
      const { page } = await openPage({ ...calm, ...status })
      assert.match(await page.getByRole('region', { name: 'Updates' }).innerText(), says)
      await page.getByRole('region', { name: 'Updates' }).scrollIntoViewIfNeeded()
      await pictures(page, `station-update-${name}`)
      await page.close()
    })

  it('are installed once somebody has said twice that they are to be', async () => {
    const waiting = { ...calm, phase: 'waiting', offered: '0.2.0', why: 'drawer', may_now: true } as const
    const { page, asked } = await openPage(waiting)
    const box = page.getByRole('region', { name: 'Updates' })
    await box.getByRole('button', { name: 'Install now' }).click()
    assert.deepEqual(asked, [])
    await box.getByText('Nobody can be checked in here').waitFor()
    await box.getByRole('button', { name: 'Install now' }).click()
    await box.getByText('comes back by itself').waitFor()
    assert.deepEqual(asked, ['{"when":"now"}'])
    await page.close()
  })
})
