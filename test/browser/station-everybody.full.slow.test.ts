import type { Browser, Page } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { eventually, type Screen, scan, shown } from './support/entrance.ts'
import { canBeRead, canBeWorked } from './support/everybody.ts'
import { pictures } from './support/pictures.ts'
import {
  type Linked,
  marked,
  openPlace,
  type Place,
  refuseAll,
  startLinked,
  startUnjoined,
} from './support/venue.ts'

/** One thing that the screens show about the upstream server: how it comes about, and what is said of it. */
interface Scene {
  readonly name: string
  readonly screen: Screen
  readonly come: (page: Page) => Promise<void>
  /** What a screen reader is told by itself. */
  readonly spoken?: string
}

const codes = Array.from({ length: 20 }, (_, index) => `TICKET${index}`)

describe('a station and the upstream server, for everybody', function () {
  this.timeout(90_000)
  let browser: Browser
  let place: Place
  let north: Linked
  let south: Linked
  let alone: Linked
  let page: Page
  let fresh: Page

  before(async () => {
    browser = await openBrowser()
    place = await openPlace(codes)
    north = await startLinked(place, 'North')
    south = await startLinked(place, 'South')
    alone = await startUnjoined()
    ;({ page } = await openWindow(browser, north.open, { steady: true }))
    ;({ page: fresh } = await openWindow(browser, alone.open, { steady: true }))
  })

  after(async () => {
    await browser?.close()
    for (const one of [north, south, alone]) await one?.node.close()
    await place?.close()
  })

  const starting: readonly Scene[] = [
    {
      name: 'start-connect',
      screen: 'setup',
      async come(page) {
        await page.getByRole('button', { name: 'Connect this station' }).waitFor()
      },
    },
    {
      name: 'start-refused',
      screen: 'setup',
      async come(page) {
        await page.getByRole('button', { name: 'Connect this station' }).click()
        await page.getByLabel('or type the code or its token').fill('nosuchtoken')
        await page.getByLabel('Address of the server').fill(place.central.url)
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.locator('[data-problem="unknown"]').waitFor()
      },
      spoken: 'The server does not know this code',
    },
    {
      name: 'start-loading',
      screen: 'setup',
      async come(page) {
        alone.network.instead = (url) =>
          url.pathname.includes('/sync/') ? new Response('', { status: 502 }) : undefined
        await page.getByLabel('or type the code or its token').fill(await place.pairing('Slow'))
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByText(/^It is tried again by itself/).waitFor()
      },
      spoken: 'It is tried again by itself',
    },
  ]

  const scenes: readonly Scene[] = [
    { name: 'link-online', screen: 'ready', come: (page) => marked(page, 'online') },
    {
      name: 'link-confirmed',
      screen: 'admitted',
      async come(page) {
        await scan(page, 'TICKET0')
        await page.locator('[data-certainty="confirmed"]').waitFor()
      },
    },
    {
      name: 'link-decided-offline',
      screen: 'admitted',
      async come(page) {
        north.network.down = true
        south.network.down = true
        await page.keyboard.press('Escape')
        await marked(page, 'offline')
        await south.node.scan('TICKET1')
        await scan(page, 'TICKET1')
        await page.locator('[data-certainty="offline"]').waitFor()
      },
      spoken: 'Decided offline.',
    },
    {
      name: 'link-refused-offline',
      screen: 'refused',
      async come(page) {
        await scan(page, 'nobody-sold-this')
        await page.locator('[data-certainty="offline"]').waitFor()
      },
      spoken: 'Unknown ticket.',
    },
    {
      name: 'link-page-offline',
      screen: 'station',
      async come(page) {
        await page.keyboard.press('Escape')
        await page.locator('button[data-link]').click()
        await page.clock.runFor(100)
        await page.locator('[data-fact="waiting"]').first().waitFor()
      },
      spoken: 'Offline',
    },
    {
      name: 'link-page-leaving',
      screen: 'station',
      async come(page) {
        await page.getByRole('button', { name: 'Disconnect …' }).click()
        await page.getByRole('button', { name: 'Yes, disconnect' }).click()
        await page.getByText(/ scans were not sent yet$/).waitFor()
      },
      spoken: 'scans were not sent yet',
    },
    {
      name: 'link-alert',
      screen: 'ready',
      async come(page) {
        await page.getByRole('button', { name: 'Back' }).click()
        south.network.down = false
        north.network.down = false
        await page.locator('[data-alert]').waitFor()
      },
      spoken: 'Stop Guest TICKET1',
    },
    {
      name: 'link-alert-refused',
      screen: 'refused',
      async come(page) {
        await scan(page, 'nobody-sold-this-either')
        await page.locator('[data-certainty]').or(page.locator('[data-reason="invalid"]')).first().waitFor()
      },
      spoken: 'Unknown ticket.',
    },
    {
      name: 'link-page-conflict',
      screen: 'station',
      async come(page) {
        await page.getByRole('button', { name: 'Got it' }).click()
        await page.keyboard.press('Escape')
        await marked(page, 'online')
        await page.locator('button[data-link]').click()
        await page.clock.runFor(100)
        await page.getByRole('button', { name: 'Resolve' }).click()
        await page.getByLabel(/^What was found out/).waitFor()
      },
      spoken: 'Online',
    },
    {
      name: 'link-page-parked',
      screen: 'station',
      async come(page) {
        refuseAll(north.network, 'forbidden')
        await north.node.scan('TICKET5')
        await page.locator('[data-tab="parked"] b').getByText('1').waitFor()
        await page.locator('[data-tab="parked"]').click()
        await page.locator('[data-fact="parked"]').waitFor()
      },
    },
    {
      name: 'link-parked',
      screen: 'ready',
      async come(page) {
        await page.keyboard.press('Escape')
        await page.locator('[data-count="parked"]').waitFor()
      },
    },
  ]

  const check = async (page: Page, { name, screen, come, spoken }: Scene): Promise<void> => {
    await come(page)
    await shown(page, screen)
    await page.clock.runFor(100)
    await pictures(page, name)
    await canBeRead(page, name)
    if (spoken !== undefined) {
      const regions = page.locator('[aria-live], [role="alert"], [role="status"]')
      // A link may be lost or tried anew for a moment at any time, and says so.
      await eventually(
        () => regions.allInnerTexts(),
        (said) => said.join('\n').includes(spoken),
      )
    }
    await canBeWorked(page, 2)
  }

  for (const scene of starting)
    it(`can be read, heard and worked with the keyboard: ${scene.name}`, () => check(fresh, scene))
  for (const scene of scenes)
    it(`can be read, heard and worked with the keyboard: ${scene.name}`, () => check(page, scene))
})
