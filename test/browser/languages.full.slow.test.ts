import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { loadTexts, type Translate, translator } from '../../renderer/text/translate.ts'
import { isLanguage, languages, writingDirection } from '../../schema/texts/translate.ts'
import { hasNoFindings } from './support/accessible.ts'
import { narrow, openBrowser, openWindow, wide } from './support/browser.ts'
import { cutOff } from './support/cut-off.ts'
import { sample } from './support/demo.ts'
import { choose, scan, shown } from './support/entrance.ts'
import { picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

const sizes = { narrow, small: { width: 1024, height: 600 }, wide }

/** One thing that a station can show, how it comes about after the one before, and where. */
interface Scene {
  readonly name: string
  readonly task: 'entrance' | 'box-office'
  readonly come: (page: Page, t: Translate) => Promise<void>
}

const click = (page: Page, selector: string) => page.locator(selector).first().click()
const tool = (page: Page, key: string) => page.keyboard.press(key)

const scenes: readonly Scene[] = [
  { name: 'ready', task: 'entrance', come: async (page) => void (await shown(page, 'ready')) },
  {
    name: 'refused',
    task: 'entrance',
    async come(page) {
      await scan(page, (await sample('canceled')).code)
      await shown(page, 'refused')
    },
  },
  {
    name: 'unpaid',
    task: 'entrance',
    async come(page) {
      await scan(page, (await sample('unpaid')).code)
      await shown(page, 'unpaid')
    },
  },
  {
    name: 'guest',
    task: 'entrance',
    async come(page) {
      await tool(page, 'Escape')
      await tool(page, 'F2')
      await page.locator('input').first().fill('mar')
      await click(page, '[data-guest]')
      await page.locator('[data-ticket]').first().waitFor()
    },
  },
  {
    name: 'search',
    task: 'entrance',
    async come(page) {
      await tool(page, 'Escape')
      await tool(page, 'F2')
      await page.locator('input').first().fill('mar')
      await page.locator('[data-row]').first().waitFor()
    },
  },
  {
    name: 'settings',
    task: 'entrance',
    async come(page, t) {
      await tool(page, 'Escape')
      await shown(page, 'ready')
      await page.getByRole('button', { name: t('tools.settings') }).click()
      await shown(page, 'setup')
      await page.locator('input[type="radio"]').first().waitFor()
    },
  },
  {
    name: 'station',
    task: 'entrance',
    async come(page) {
      await tool(page, 'Escape')
      await shown(page, 'ready')
      await click(page, '[data-link]')
      await shown(page, 'station')
    },
  },
  { name: 'selling', task: 'box-office', come: (page) => page.locator('[data-product]').first().waitFor() },
  {
    name: 'cash',
    task: 'box-office',
    async come(page) {
      await page.locator('[data-product]', { hasText: 'VIP' }).click()
      await page.locator('[data-total="189.00"]').waitFor()
      await tool(page, 'F10')
      await page.locator('#till-given').waitFor()
    },
  },
  {
    name: 'drawer',
    task: 'box-office',
    async come(page) {
      await tool(page, 'Escape')
      await page.locator('#box-office[data-state="selling"]').waitFor()
      await tool(page, 'F8')
      await tool(page, 'F3')
      await page.locator('#box-office[data-state="drawer"]').waitFor()
    },
  },
]

describe('the screens in every language', function () {
  this.timeout(180_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page } = await openWindow(browser, station.open))
    // The same names are among the last scans in each language.
    for (const { name, task, come } of scenes)
      if (task === 'entrance' && (name === 'refused' || name === 'unpaid')) await come(page, translator('en'))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  /** What is shortened in English too, such as a long name. */
  const usual = new Set<string>()

  async function look(name: string, language: string): Promise<readonly string[]> {
    const found: string[] = []
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      await picture(page, `${language}-${name}-${size}`)
      for (const { text, by } of await cutOff(page)) {
        const where = `${name} ${size} ${by.replaceAll(/_[\w-]+/g, '')}`
        if (language === 'en') usual.add(where)
        else if (!usual.has(where)) found.push(`${where}: ${text}`)
      }
    }
    await page.setViewportSize(wide)
    if (writingDirection(language) === 'rtl') await hasNoFindings(page)
    return found
  }

  for (const language of Object.keys(languages).filter(isLanguage))
    it(`have room for their words in ${language}`, async () => {
      await loadTexts(language)
      const t = translator(language)
      const found: string[] = []
      for (const task of ['entrance', 'box-office'] as const) {
        for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape')
        await choose(station, 'Main entrance', { locale: language, task })
        await page.locator(`html[lang="${language}"][dir="${writingDirection(language)}"]`).waitFor()
        await page.locator(task === 'entrance' ? '#entrance' : '#box-office').waitFor()
        for (const scene of scenes.filter((one) => one.task === task)) {
          await scene.come(page, t)
          found.push(...(await look(scene.name, language)))
        }
      }
      assert.equal(found.join('\n'), '')
    })
})
