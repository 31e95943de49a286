import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { sample } from './support/demo.ts'
import { choose, type Screen, says, scan, scanAnew, shown } from './support/entrance.ts'
import { canBeRead, canBeWorked } from './support/everybody.ts'
import { picture, pictures } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

/** One thing that the screen can show: how it comes about, and what a screen reader says then. */
interface Scene {
  readonly name: string
  readonly screen: Screen
  readonly come: (page: Page) => Promise<void>
  readonly spoken?: readonly string[]
  readonly alsoNarrow?: true
}

const scanSample =
  (words: string) =>
  async (page: Page): Promise<void> =>
    scan(page, (await sample(words)).code)

const scenes: readonly Scene[] = [
  { name: 'ready', screen: 'ready', come: async () => {}, alsoNarrow: true },
  {
    name: 'admitted',
    screen: 'admitted',
    come: scanSample('Main entrance: admitted'),
    spoken: ['Admitted.', 'Day ticket · Adult'],
    alsoNarrow: true,
  },
  {
    name: 'refused',
    screen: 'refused',
    async come(page) {
      const { code } = await sample('the second scan is refused')
      await scan(page, code)
      await shown(page, 'admitted')
      await scanAnew(page, code)
    },
    spoken: ['Already used.', 'First used:', 'North, Door 1', 'Do not let in.'],
    alsoNarrow: true,
  },
  {
    name: 'question',
    screen: 'asking',
    come: scanSample('which meal?'),
    spoken: ['One question first.'],
    alsoNarrow: true,
  },
  {
    name: 'attention',
    screen: 'admitted',
    come: scanSample('admitted with attention'),
    spoken: ['Admitted.', 'Look closely at this ticket.', 'Wheelchair'],
    alsoNarrow: true,
  },
  {
    name: 'unpaid',
    screen: 'unpaid',
    come: scanSample('unpaid'),
    spoken: ['Not paid yet.'],
    alsoNarrow: true,
  },
  { name: 'canceled', screen: 'refused', come: scanSample('canceled'), spoken: ['Canceled.'] },
  {
    name: 'unknown',
    screen: 'refused',
    come: (page) => scan(page, 'nobody-sold-this'),
    spoken: ['Unknown ticket.'],
  },
  {
    name: 'undo-asked',
    screen: 'undo-asked',
    async come(page) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('F8')
    },
    spoken: ['Take this admission back?'],
    alsoNarrow: true,
  },
  {
    name: 'undone',
    screen: 'undone',
    async come(page) {
      await page.locator('main [data-result="question"] button').first().click()
    },
    spoken: ['Taken back.'],
  },
  {
    name: 'opened-again',
    screen: 'admitted',
    async come(page) {
      const { name } = await sample('Main entrance: admitted')
      await page
        .getByRole('complementary')
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .click()
    },
    spoken: ['Admitted.'],
  },
  {
    name: 'keys',
    screen: 'ready',
    async come(page) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('F1')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    },
  },
  {
    name: 'search',
    screen: 'search',
    async come(page) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('F2')
      await page.getByRole('textbox', { name: 'Search people' }).fill('mar')
      await page.clock.runFor(500)
      await page.locator('[data-row]').first().waitFor()
    },
    alsoNarrow: true,
  },
  {
    name: 'settings',
    screen: 'setup',
    async come(page) {
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.clock.runFor(100)
      await page.getByRole('radio', { name: 'Workshop' }).waitFor()
    },
    alsoNarrow: true,
  },
]

describe('the entrance screen, for everybody', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page } = await openWindow(browser, station.open, { steady: true }))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  for (const { name, screen, come, spoken, alsoNarrow } of scenes)
    it(`can be read, heard and worked with the keyboard: ${name}`, async () => {
      await come(page)
      await shown(page, screen)
      // What a screen does once it is painted waits for the clock, too.
      await page.clock.runFor(100)
      await (alsoNarrow ? pictures : picture)(page, name)

      await canBeRead(page, name)

      const live = page.locator('[aria-live="assertive"]')
      for (const words of spoken ?? [])
        assert.ok((await live.innerText()).includes(words), await live.innerText())

      await canBeWorked(page, name === 'keys' ? 1 : 2)
    })

  it('speaks German as soon as it is told to, in every window', async () => {
    const { page: other } = await openWindow(browser, station.open, { steady: true })
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await picture(page, 'settings-german')
    await other.getByText('Nächstes Ticket scannen').waitFor()
    await scan(other, (await sample('blocked')).code)
    await says(other, 'Gesperrt')
    await says(other, 'Die Leitung rufen.')
    const live = await other.locator('[aria-live="assertive"]').innerText()
    assert.match(live, /^Gesperrt\. .*Tageskarte · Erwachsene/)
    await choose(station, 'VIP lounge', { locale: 'de' })
    await other.getByRole('banner').getByText('VIP lounge').waitFor()
    await scan(other, (await sample('refused by the VIP rule')).code)
    await says(other, 'Jetzt nicht erlaubt')
    await picture(other, 'rule-german')
    await other
      .getByRole('main')
      .getByText('Ticketart „Wochenendkarte“ nicht erlaubt', { exact: true })
      .waitFor()
  })
})
