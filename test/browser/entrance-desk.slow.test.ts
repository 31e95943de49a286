import assert from 'node:assert/strict'
import type { Browser, Page, Route } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { sample } from './support/demo.ts'
import { caught, choose, eventually, says, scan, scanAnew, shown, typeSlowly } from './support/entrance.ts'
import { picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

interface Counts {
  readonly checkin_count: number
  readonly inside_count: number
}

describe('an entrance with two screens', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let other: Page
  let complaints: readonly string[]

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open))
    ;({ page: other } = await openWindow(browser, station.open))
    await shown(page, 'ready')
    await shown(other, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  afterEach(() => assert.deepEqual(complaints, []))

  const counted = async (): Promise<Counts> =>
    ((await station.call('GET', '/api/v1/station/')).body as { counts: Counts }).counts

  /** Waits until a page says that so many are inside. */
  const inside = (where: Page, count: number): Promise<unknown> =>
    eventually(
      () => where.locator('[data-count="inside"]').innerText(),
      (text) => Number(text.replaceAll(/\D/g, '')) === count,
    )

  /** Finds people by the beginning of their name, asked for once: what is listed then stays. */
  async function searchFor(text: string): Promise<void> {
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await page.locator('search input').fill(text)
    await page.locator('[data-row]').first().waitFor()
  }

  /** What is searched for next waits until it is answered. */
  async function holdSearch() {
    const asked = Promise.withResolvers<Route>()
    await page.route('**/checkinrpc/search/**', (route) => asked.resolve(route), { times: 1 })
    return { answer: async (how: (route: Route) => Promise<void>) => how(await asked.promise) }
  }

  it('shows on every screen what the scanner of the station has read', async () => {
    const ticket = await sample('Main entrance: admitted')
    const before = await counted()
    const both = Promise.all([caught(page, 'ok'), caught(other, 'ok')])
    const body = { code: ticket.code, source: 'hid', symbology: ']Q1' }
    assert.equal((await station.call('POST', '/api/v1/station/scan/', body)).status, 200)
    for (const words of await both) assert.match(words, new RegExp(`Admitted[^]*${ticket.name}`))
    await inside(page, before.inside_count + 1)
    await inside(other, before.inside_count + 1)
  })

  it('shows the scanner that is plugged in, and its loss', async () => {
    const put = (scanners: object) => station.call('PUT', '/api/v1/station/scanners/', scanners)
    await page.locator('[data-scanner="none"]').waitFor()
    await put([{ name: 'Voyager 1400', connected: true }])
    await page.locator('[data-scanner="connected"]').getByText('Voyager 1400').waitFor()
    await put([{ name: 'Voyager 1400', connected: false }])
    await page.locator('[data-scanner="lost"]').getByText('Voyager 1400 is unplugged').waitFor()
    await picture(page, 'scanner-lost')
    await put([])
    await page.locator('[data-scanner="none"]').waitFor()
  })

  it('finds a guest by name and lets them in, with the keyboard alone', async () => {
    const ticket = await sample('the second scan is refused')
    const before = await counted()
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await typeSlowly(page, ticket.name)
    const row = page.getByRole('button', { name: `Check in: ${ticket.name}, ${ticket.order}` })
    await row.waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-row]:focus').waitFor()
    const rows = await page.locator('[data-row]').count()
    for (let at = 0; at < rows && (await row.and(page.locator(':focus')).count()) === 0; at += 1)
      await page.keyboard.press('ArrowDown')
    assert.equal(await row.and(page.locator(':focus')).count(), 1)
    const words = caught(page, 'ok')
    await page.keyboard.press('Enter')
    assert.match(await words, new RegExp(ticket.name))
    await inside(other, before.inside_count + 1)
    // The search stays open for the next one.
    await shown(page, 'search')
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
  })

  it('goes with Enter to those whom the whole text finds, not to those found for its beginning', async () => {
    await searchFor('mar')
    const slow = await holdSearch()
    await typeSlowly(page, 't')
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('search input:focus').count(), 1)
    await slow.answer((route) => route.continue())
    await page.locator('[data-row]').first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows the next page of those it finds, and marks by which word', async () => {
    await searchFor('mar')
    const rows = page.locator('[data-row]')
    const more = page.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    const before = await rows.count()
    await more.click()
    await eventually(
      () => rows.count(),
      (count) => count > before,
    )
    await page
      .locator('mark', { hasText: /m[aá]r/i })
      .first()
      .waitFor()
    await picture(page, 'search-more')
    await page.keyboard.press('Escape')
  })

  it('forgets an Enter when the text was changed after it', async () => {
    await searchFor('mar')
    const [found] = await page.getByRole('search').getByRole('status').allInnerTexts()
    const held: Route[] = []
    await page.route('**/checkinrpc/search/**', (route) => void held.push(route))
    await typeSlowly(page, 't')
    for (const key of ['Enter', 'Backspace']) await page.keyboard.press(key)
    await typeSlowly(page, 't')
    await page.unroute('**/checkinrpc/search/**')
    // What was asked for before the text was changed is given up by the page.
    for (const route of held) await route.continue().catch(() => undefined)
    await eventually(
      () => page.getByRole('search').getByRole('status').innerText(),
      (text) => text !== found,
    )
    assert.equal(await page.locator('search input:focus').count(), 1)
    await page.keyboard.press('Escape')
  })

  it('goes on in the field when the row that had the focus is not found any more', async () => {
    await searchFor('mar')
    const slow = await holdSearch()
    await typeSlowly(page, 't')
    await page.keyboard.press('ArrowDown')
    await page.locator('[data-row]:focus').waitFor()
    const nobody = { count: 0, next: null, previous: null, results: [] }
    await slow.answer((route) => route.fulfill({ json: nobody }))
    await page.locator('search input:focus').waitFor()
    assert.equal(await page.locator('[data-row]').count(), 0)
    await page.keyboard.press('Escape')
  })

  it('takes the last admission back, after which the ticket is good again', async () => {
    const ticket = await sample('the second scan is refused')
    const before = await counted()
    await page.getByRole('button', { name: `Undo the last: ${ticket.name}` }).waitFor()
    const undone = caught(page, 'undone')
    await page.keyboard.press('F8')
    assert.match(await undone, /Taken back/)
    await inside(other, before.inside_count - 1)
    const admitted = caught(page, 'ok')
    await scanAnew(page, ticket.code)
    assert.match(await admitted, new RegExp(ticket.name))
    await inside(other, before.inside_count)
  })

  it('asks by name before it takes back an admission behind which another ticket was scanned', async () => {
    const ticket = await sample('the second scan is refused')
    const before = await counted()
    const refused = caught(page, 'refused')
    await scanAnew(page, 'nobody-sold-this')
    await refused
    await page.keyboard.press('F8')
    const question = page.locator('#entrance[data-state="undo-asked"] main')
    await question.getByText(ticket.name).waitFor()
    await picture(page, 'undo-asked')
    await question.getByRole('button', { name: 'Keep' }).click()
    await inside(other, before.inside_count)
    await page.keyboard.press('F8')
    const undone = caught(page, 'undone')
    await question.getByRole('button', { name: 'Take back' }).click()
    assert.match(await undone, new RegExp(`Taken back[^]*${ticket.name}`))
    await inside(other, before.inside_count - 1)
    const admitted = caught(page, 'ok')
    await scanAnew(page, ticket.code)
    await admitted
  })

  it('shows the last scans again after it was opened anew, and asks before it takes the last one back', async () => {
    const ticket = await sample('the second scan is refused')
    const line = page.getByRole('complementary').getByRole('listitem').first()
    const before = await line.innerText()
    assert.match(before, new RegExp(ticket.name))
    await page.reload()
    await page.getByRole('button', { name: `Undo the last: ${ticket.name}` }).waitFor()
    assert.equal(await line.innerText(), before)
    await page.keyboard.press('F8')
    const question = page.locator('#entrance[data-state="undo-asked"] main')
    await question.getByRole('button', { name: 'Keep' }).click()
    await page.locator('#entrance[data-state="ready"]').waitFor()
  })

  it('lets people out again, and says so in words and in the frame', async () => {
    const ticket = await sample('Main entrance: admitted')
    const before = await counted()
    await page.getByRole('button', { name: 'Exit' }).click()
    await page.locator('#entrance[data-direction="exit"]').waitFor()
    await other.locator('#entrance[data-direction="exit"]').waitFor()
    await says(page, 'Scan people going out')
    await picture(page, 'exit-ready')
    const words = caught(page, 'ok')
    await scan(page, ticket.code)
    assert.match(await words, new RegExp(`Goodbye[^]*${ticket.name}`))
    await inside(other, before.inside_count - 1)
    assert.equal((await counted()).checkin_count, before.checkin_count)
    await page.keyboard.press('F4')
    await page.locator('#entrance[data-direction="entry"]').waitFor()
  })

  it('finds an order by its code', async () => {
    const ticket = await sample('Main entrance: canceled')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await shown(page, 'search')
    await typeSlowly(page, ticket.order.slice(0, -2))
    await says(page, ticket.name)
    await page.locator('[data-payment="canceled"]').waitFor()
    assert.equal(await page.getByRole('button', { name: `Check in: ${ticket.name}` }).count(), 0)
    await page.getByRole('button', { name: 'Close' }).click()
    await shown(page, 'ready')
  })

  it('moves from the search to its first row with an arrow, and presses it', async () => {
    await searchFor('mart')
    await page.keyboard.press('ArrowDown')
    await page.locator('[data-row]:focus').waitFor()
    const judged = page.waitForResponse((response) => response.url().endsWith('/station/scan/'))
    await page.keyboard.press('Enter')
    assert.equal((await judged).request().postDataJSON().source, 'hand')
    await eventually(
      async () => {
        await page.keyboard.press('Escape')
        return page.locator('#entrance').getAttribute('data-state')
      },
      (state) => state === 'ready',
    )
  })

  it('keeps what was typed into the search out of the next scan', async () => {
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await typeSlowly(page, 'mar')
    await page.getByRole('button', { name: 'Close' }).click()
    await scan(page, 'scanned-after-closing')
    await page
      .getByRole('main')
      .getByText(/^scanned-after-closing$/)
      .waitFor()

    await page.keyboard.press('Escape')
    await shown(page, 'ready')
    await page.keyboard.press('F2')
    await shown(page, 'search')
    await typeSlowly(page, 'mar')
    await page.locator('[data-row]').first().waitFor()
    await scan(page, 'scanned-into-the-search')
    await page
      .getByRole('main')
      .getByText(/^scanned-into-the-search$/)
      .waitFor()
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
  })
})
