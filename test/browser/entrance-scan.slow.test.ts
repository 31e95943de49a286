import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { demo, sample } from './support/demo.ts'
import { choose, says, scan, scanAnew, shown } from './support/entrance.ts'
import { allPictures } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

interface Position {
  readonly secret: string
  readonly attendee_name: string
  readonly item: { readonly name: { readonly en: string } }
  readonly order__status: string
  readonly blocked: readonly string[] | null
  readonly answers: readonly unknown[]
  readonly checkins: readonly { readonly list: number; readonly datetime: string }[]
}

interface Band {
  readonly color: string
  readonly background: string
  readonly size: number
  readonly width: number
}

describe('an entrance with a scanner that types', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]
  let list = 0

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    list = await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open, { steady: true }))
    await shown(page, 'ready')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  afterEach(() => assert.deepEqual(complaints, []))

  async function found(text: string): Promise<readonly Position[]> {
    const query = `list=${list}&search=${encodeURIComponent(text)}&expand=item&page_size=100`
    const answer = await station.call('GET', `/api/v1/organizers/demo/checkinrpc/search/?${query}`)
    return (answer.body as { results: Position[] }).results
  }

  it('admits a ticket, says whose it is and what was bought, and moves on by itself', async () => {
    const ticket = await sample('Main entrance: admitted')
    await scan(page, ticket.code)
    const screen = await shown(page, 'admitted')
    await says(page, 'Admitted')
    await says(page, ticket.name)
    await says(page, 'Day ticket · Adult')
    const band = screen.locator('[data-color]')
    assert.equal(await band.innerText(), 'Day ticket · Adult')
    const { color, background, size, width }: Band = await page.evaluate(`(() => {
      const one = document.querySelector('[data-color]')
      const { color, backgroundColor: background, fontSize } = getComputedStyle(one)
      const width = one.getBoundingClientRect().width / innerWidth
      return { color, background, size: Number.parseFloat(fontSize), width }
    })()`)
    assert.deepEqual([color, background], ['rgb(255, 255, 255)', 'rgb(31, 111, 214)'])
    // As high as a name in bold at two metres, and across the stage beside the last scans.
    assert.ok(size >= 56, `${size} pixels`)
    assert.ok(width > 0.7, `${width} of the screen`)
    assert.equal(await screen.locator('[data-result]').getAttribute('data-result'), 'ok')
    await page.clock.runFor(1400)
    await shown(page, 'admitted')
    await page.clock.runFor(100)
    await shown(page, 'ready')
    const line = page.locator('aside li').first()
    assert.match(await line.innerText(), new RegExp(`${ticket.name}[^]*Admitted`))
  })

  it('refuses the same ticket later, with the time and the place of its first use', async () => {
    const ticket = await sample('the second scan is refused')
    await scan(page, ticket.code)
    await shown(page, 'admitted')
    await scanAnew(page, ticket.code)
    const screen = await shown(page, 'refused')
    await says(page, 'Already used')
    await says(page, ticket.name)
    assert.equal(await screen.locator('[data-result]').getAttribute('data-reason'), 'already_redeemed')
    const [position] = (await found(ticket.order.slice(0, -2))).filter(({ secret }) => secret === ticket.code)
    const at = new Date(String(position?.checkins[0]?.datetime))
    const time = at.toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Europe/Berlin',
    })
    await says(page, `First used: ${time} · North, Door 1`)
    assert.equal(position?.checkins.length, 1)
    await page.clock.runFor(60_000)
    await shown(page, 'refused')
  })

  it('knows one physical scan that was read twice', async () => {
    const ticket = await sample('three times a day')
    await choose(station, 'VIP lounge')
    await page.getByRole('banner').getByText('VIP lounge').waitFor()
    const repeated = page.waitForResponse(
      async (response) =>
        response.url().endsWith('/station/scan/') && (await response.json()).repeated === true,
    )
    // Two readings are one scan for three seconds only.
    await scan(page, ticket.code, ticket.code)
    await shown(page, 'admitted')
    await repeated
    await scan(page, 'not-a-ticket')
    await says(page, 'Unknown ticket')
    assert.equal(await page.getByRole('complementary').getByText(ticket.name).count(), 1)
    await choose(station, 'Main entrance')
    await page.getByRole('banner').getByText('Main entrance').waitFor()
  })

  it('refuses a code that nobody knows, and shows it', async () => {
    await scan(page, 'nobody-sold-this')
    const screen = await shown(page, 'refused')
    await says(page, 'Unknown ticket')
    await says(page, 'nobody-sold-this')
    assert.equal(await screen.locator('[data-result]').getAttribute('data-reason'), 'invalid')
  })

  for (const [words, reason, headline] of [
    ['canceled', 'canceled', 'Canceled'],
    ['blocked', 'blocked', 'Blocked'],
    ['the order needs approval', 'unapproved', 'Not approved'],
  ] as const)
    it(`refuses a ticket: ${words}`, async () => {
      const ticket = await sample(`Main entrance: ${words}`)
      await scan(page, ticket.code)
      await says(page, headline)
      await says(page, ticket.name)
      const screen = await shown(page, 'refused')
      assert.equal(await screen.locator('[data-result]').getAttribute('data-reason'), reason)
    })

  it('asks before it lets an unpaid ticket in', async () => {
    const ticket = await sample('unpaid')
    await scan(page, ticket.code)
    await shown(page, 'unpaid')
    await says(page, 'Not paid yet')
    await page.getByRole('button', { name: 'Check in anyway' }).click()
    await shown(page, 'admitted')
    await says(page, ticket.name)
  })

  const orders = '/api/v1/organizers/demo/events/festival/orders/'

  /** Sells a ticket for which nothing was paid yet. */
  async function unpaidTicket(): Promise<{ readonly code: string; readonly secret: string }> {
    const { token } = await demo()
    const { body: items } = await station.call(
      ...(['GET', orders.replace('orders', 'items'), undefined, `Token ${token}`] as const),
    )
    const item = (items as { results: { id: number; name: { en: string } }[] }).results.find(
      ({ name }) => name.en === 'Weekend ticket',
    )
    const made = await station.call(
      ...(['POST', orders, { positions: [{ item: item?.id }], payment_provider: 'manual' }] as const),
      `Token ${token}`,
    )
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { code, positions } = made.body as { code: string; positions: { secret: string }[] }
    return { code, secret: positions[0]?.secret ?? '' }
  }

  it('takes the money for an unpaid ticket, and goes on with the same scan', async () => {
    const { code, secret } = await unpaidTicket()
    await scan(page, secret)
    await shown(page, 'unpaid')
    await page.locator('[data-owed="98.00"]').waitFor()
    await allPictures(page, 'entrance-unpaid')
    await page.getByRole('button', { name: 'Take €98.00 in cash' }).click()
    await shown(page, 'asking')
    await page.getByRole('button', { name: 'Skip' }).click()
    await shown(page, 'admitted')
    const { token } = await demo()
    const { body } = await station.call('GET', `${orders}${code}/`, undefined, `Token ${token}`)
    const order = body as { status: string; payments: { state: string; provider: string }[] }
    assert.equal(order.status, 'p')
    assert.deepEqual(
      order.payments.filter(({ state }) => state === 'confirmed').map(({ provider }) => provider),
      ['boxoffice'],
    )
  })

  it('has the till take the money in every other way, with the order open', async () => {
    const { code, secret } = await unpaidTicket()
    await scan(page, secret)
    await shown(page, 'unpaid')
    await page.getByRole('button', { name: 'Other ways of paying' }).click()
    await page.locator('#box-office').getByText(code).first().waitFor()
    await allPictures(page, 'entrance-unpaid-at-till')
    await page.getByRole('button', { name: 'Entrance', exact: true }).click()
    await shown(page, 'ready')
  })

  it('says what to look at when a ticket needs attention, and waits', async () => {
    const ticket = await sample('admitted with attention')
    await scan(page, ticket.code)
    const screen = await shown(page, 'admitted')
    assert.equal(await screen.locator('[data-result]').getAttribute('data-result'), 'attention')
    await says(page, ticket.name)
    await says(page, 'Look closely at this ticket')
    await says(page, /Wheelchair: open the side gate/)
    await page.clock.runFor(60_000)
    await shown(page, 'admitted')
  })

  it('does not let an open question block the next scan, and comes back to it', async () => {
    const asked = await sample('which meal?')
    await scan(page, asked.code)
    await shown(page, 'asking')
    await says(page, 'Which meal?')
    await scan(page, 'somebody-else')
    await says(page, 'Unknown ticket')
    await page.getByRole('complementary').locator('[data-look=question]', { hasText: asked.name }).click()
    await shown(page, 'asking')
    await page.getByRole('button', { name: 'Vegetarian' }).click()
    await shown(page, 'admitted')
    await says(page, asked.name)
    const [position] = (await found(asked.order.slice(0, -2))).filter(({ secret }) => secret === asked.code)
    assert.match(JSON.stringify(position?.answers), /Vegetarian/)
  })

  it('lets a question be skipped that may be', async () => {
    const { token } = await demo()
    const path = `/api/v1/organizers/demo/events/festival/checkinlists/${list}/positions/?order__status=p&has_checkin=false&expand=item`
    let guest: Position | undefined
    for (let number = 1; !guest; number += 1) {
      const answer = await station.call('GET', `${path}&page=${number}`, undefined, `Token ${token}`)
      // After the last page there is none, and the test fails here.
      assert.equal(answer.status, 200)
      guest = (answer.body as { results: Position[] }).results.find(
        ({ item, answers, blocked }) => item.name.en === 'Weekend ticket' && answers.length === 0 && !blocked,
      )
    }
    await scan(page, guest.secret)
    await shown(page, 'asking')
    await says(page, 'Whom shall we call in an emergency?')
    await page.getByRole('button', { name: 'Skip' }).click()
    await shown(page, 'admitted')
    await says(page, guest.attendee_name)
  })

  it('reads a scan while the list of keys is open, and gives way to its result', async () => {
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await page.keyboard.press('Escape')
    await shown(page, 'ready')
    const search = page.getByRole('button', { name: 'Search', exact: true })
    await search.focus()
    // What a screen does once it is painted, such as listening for keys again, waits for the clock.
    await page.clock.runFor(100)
    await page.keyboard.press('F1')
    await keys.waitFor()
    assert.equal(await keys.locator(':focus').count(), 1)
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    assert.equal(await search.and(page.locator(':focus')).count(), 1)
    await page.clock.runFor(100)
    await page.keyboard.press('F1')
    await keys.waitFor()
    await scan(page, 'read-behind-the-keys')
    await says(page, 'read-behind-the-keys')
    await page.clock.runFor(100)
    await keys.waitFor({ state: 'detached' })
  })

  it('is set to another list on the screen, whose rule it explains', async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    await shown(page, 'setup')
    // What a screen does once it is painted waits for the clock, too.
    await page.clock.runFor(100)
    await page.getByRole('radio', { name: 'VIP lounge' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('banner').getByText('VIP lounge').waitFor()
    const ticket = await sample('refused by the VIP rule')
    await scan(page, ticket.code)
    const screen = await shown(page, 'refused')
    assert.equal(await screen.locator('[data-result]').getAttribute('data-reason'), 'rules')
    await says(page, 'Ticket type “Weekend ticket” not allowed')
  })

  it('admits to the workshop by its add-on alone', async () => {
    await choose(station, 'Workshop')
    await page.getByRole('banner').getByText('Workshop').waitFor()
    const booked = await sample('admitted by the add-on')
    await scan(page, booked.code)
    await shown(page, 'admitted')
    await says(page, booked.name)
    const other = await sample('no workshop was booked')
    await scan(page, other.code)
    const screen = await shown(page, 'refused')
    assert.equal(await screen.locator('[data-result]').getAttribute('data-reason'), 'product')
  })
})
