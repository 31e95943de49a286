import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { demo, sample } from './support/demo.ts'
import { caught, choose, eventually, says, scan, shown } from './support/entrance.ts'
import { picture, pictures } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

interface Checkin {
  readonly position: number | null
  readonly successful: boolean
  readonly error_reason: string | null
  readonly datetime: string
}

describe('an entrance whose server dies', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station
  let list = 0

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    list = await choose(station, 'Main entrance')
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  /** All that the database knows of scans at this entrance. */
  async function recorded(): Promise<readonly Checkin[]> {
    const { token } = await demo()
    const path = `/api/v1/organizers/demo/events/festival/checkins/?list=${list}&ordering=id`
    const answer = await station.call('GET', path, undefined, `Token ${token}`)
    return (answer.body as { results: Checkin[] }).results
  }

  it('says so, keeps what is scanned, and has it judged once when the server is back', async () => {
    const first = await sample('Main entrance: admitted')
    const second = await sample('the second scan is refused')
    const attention = await sample('admitted with attention')
    const blocked = await sample('blocked')
    const { page, complaints } = await openWindow(browser, station.open)
    await shown(page, 'ready')

    const admitted = caught(page, 'ok')
    await scan(page, first.code)
    await admitted
    const before = await recorded()
    assert.equal(before.length, 1)

    // This one is on its way when the power goes: it may have been judged, and it may not.
    await scan(page, second.code)
    await station.kill()
    await shown(page, 'unreachable')
    await picture(page, 'unreachable')
    await scan(page, attention.code)
    await scan(page, blocked.code)
    await scan(page, 'nobody-sold-this')
    await says(page, /scans are kept/)
    await pictures(page, 'unreachable-kept')

    const back = Date.now()
    station = await station.restart()
    // The server has a new key, and the shell leads the window to its new address.
    await shown(page, 'locked')
    await says(page, 'Open this window again')
    await picture(page, 'locked')
    await page.goto(station.open)

    const history = page.locator('aside li')
    await eventually(
      () => history.allInnerTexts(),
      (lines) => lines.length >= 3 && lines.every((line) => !/Kept|Checking/.test(line)),
    )
    await picture(page, 'kept-judged')
    const after = await eventually(recorded, (all) => all.length === 5)
    const admissions = after.filter(({ successful }) => successful)
    assert.equal(new Set(admissions.map(({ position }) => position)).size, 3)
    assert.equal(admissions.length, 3)
    const late = after.filter(({ datetime }) => Date.parse(datetime) > back)
    assert.deepEqual(late, [], 'a scan counts from when it was made')
    const refusals = after.flatMap(({ error_reason: reason }) => reason ?? [])
    assert.deepEqual(refusals.toSorted(), ['blocked', 'invalid'])

    const lines = (await history.allInnerTexts()).join('\n')
    for (const words of [attention.name, 'Blocked', 'nobody-sold-this'])
      assert.match(lines, new RegExp(words))
    assert.deepEqual(
      complaints.filter((text) => !/net::ERR_|401/.test(text)),
      [],
    )
  })

  it('shows in the window that is opened again what the one before was shown in its last moment', async () => {
    const blocked = await sample('blocked')
    const { page } = await openWindow(browser, station.open)
    await shown(page, 'ready')
    await station.kill()
    await shown(page, 'unreachable')
    await scan(page, blocked.code)
    await says(page, /1 scan is kept/)
    station = await station.restart()
    await shown(page, 'locked')

    // The browser has the new key before the window is led away, and the page in it is admitted for a moment.
    const authorization = `Station ${station.key}`
    await page.context().request.post(`${station.url}/api/v1/station/open`, { headers: { authorization } })
    await says(page, 'Blocked')
    await page.goto(station.open)
    await shown(page, 'ready')
    const line = page.locator('aside li [data-unseen]')
    assert.match(await line.innerText(), new RegExp(`${blocked.name}[^]*Blocked`))
    await line.click()
    await says(page, 'Blocked')
  })
})
