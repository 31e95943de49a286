import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { loadTexts, translator } from '../../renderer/text/translate.ts'
import { hasNoFindings } from './support/accessible.ts'
import { narrow, openBrowser, openWindow, wide } from './support/browser.ts'
import { cutOff } from './support/cut-off.ts'
import { sample } from './support/demo.ts'
import { choose, scan, scanAnew, shown } from './support/entrance.ts'
import { picture } from './support/pictures.ts'
import { outOfReach } from './support/reachable.ts'
import { contrasts } from './support/readable.ts'
import { type Station, startStation } from './support/station.ts'

const upright = { width: 1080, height: 1920 }
const sizes = { wide, upright, narrow, small: { width: 1024, height: 600 } }
type Size = (typeof sizes)[keyof typeof sizes]

/** What a screen of that size holds when its page is shown twice as large. */
const twiceAsLarge = ({ width, height }: Size): Size => ({ width: width / 2, height: height / 2 })

const t = translator('de')

/** The height of capital letters in a share of the screen's. */
const capitals = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`(() => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    const canvas = document.createElement('canvas').getContext('2d')
    canvas.font = [fontWeight, fontSize, fontFamily].join(' ')
    return canvas.measureText('H').actualBoundingBoxAscent / innerHeight
  })()`)

describe('the screens for weak eyes', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station
  let page: Page

  before(async () => {
    await loadTexts('de')
    station = await startStation('demo')
    browser = await openBrowser()
    await choose(station, 'Main entrance', { locale: 'de' })
    ;({ page } = await openWindow(browser, station.open, { steady: true }))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const later = (): Promise<void> => page.clock.runFor(600)
  const press = async (name: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).first().click()
    await later()
  }
  async function clear(): Promise<void> {
    for (let key = 0; key < 3; key += 1) await page.keyboard.press('Escape')
    await later()
  }
  async function scanSample(words: string): Promise<void> {
    await scanAnew(page, (await sample(words)).code)
    await page.clock.runFor(50)
    await page.locator('[data-result], [data-state="asking"]').first().waitFor()
  }

  const scenes: Readonly<Record<string, () => Promise<void>>> = {
    ready: async () => void (await shown(page, 'ready')),
    admitted: () => scanSample('Main entrance: admitted'),
    refused: () => scanSample('canceled'),
    unpaid: () => scanSample('unpaid'),
    search: async () => {
      await clear()
      await page.keyboard.press('F2')
      await later()
      await page.locator('search input').fill('mar')
      await later()
      await page.locator('[data-row]').first().waitFor()
    },
    settings: async () => {
      await clear()
      await press(t('tools.settings'))
      await page.locator('input[type="radio"]').first().waitFor()
      await press(t('setup.printer-add'))
    },
    statistics: async () => {
      await press(t('statistics.title'))
      await shown(page, 'statistics')
    },
    station: async () => {
      await clear()
      await page.locator('[data-link]').first().click()
      await shown(page, 'station')
    },
    pairing: () => press(t('first.connect')),
    selling: async () => {
      await clear()
      await choose(station, 'Main entrance', { locale: 'de', task: 'box-office' })
      await later()
      await page.locator('[data-product]', { hasText: 'VIP' }).click()
      await later()
      await page.locator('[data-total="189.00"]').waitFor()
    },
    cash: async () => {
      await page.keyboard.press('F10')
      await later()
      await page.locator('#till-given').waitFor()
    },
    closing: async () => {
      await clear()
      await page.keyboard.press('F3')
      await later()
      await page.locator('#box-office[data-state="drawer"]').waitFor()
    },
  }

  for (const [name, come] of Object.entries(scenes))
    it(`cut nothing off and keep everything in reach when they are twice as large: ${name}`, async () => {
      await come()
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(twiceAsLarge(viewport))
        await page.clock.runFor(50)
        await picture(page, `large-${name}-${size}`)
        const cut = (await cutOff(page)).map(({ text, by }) => `${text} by ${by}`)
        assert.deepEqual([...cut, ...(await outOfReach(page))], [], `${name} ${size}`)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, size)
      }
      await page.setViewportSize(wide)
    })

  it('are as large where the letters of the browser are set to twice their size', async () => {
    await choose(station, 'Main entrance', { locale: 'de', task: 'entrance' })
    const large = await openBrowser(undefined, 32)
    try {
      const { page: one } = await openWindow(large, station.open, { steady: true })
      const name = one.getByRole('banner').getByText('Festival am Fluss')
      const undo = one.locator('[aria-keyshortcuts="F8"]')
      for (const viewport of Object.values(sizes)) {
        await page.setViewportSize(twiceAsLarge(viewport))
        await one.setViewportSize(viewport)
        assert.deepEqual(await cutOff(one), [])
        const expected = await page.getByRole('banner').getByText('Festival am Fluss').boundingBox()
        assert.ok(expected)
        const found = await name.boundingBox()
        assert.ok(found && Math.abs(found.width - 2 * expected.width) <= 12, `${found?.width}`)
        await undo.scrollIntoViewIfNeeded()
        assert.ok(await undo.isVisible())
      }
    } finally {
      await large.close()
      await page.setViewportSize(wide)
    }
  })

  it('are read from two metres', async () => {
    // 2 metres ask for about 8 mm: on a screen of 17 cm, and on one of 40 cm that stands upright.
    const screens = [
      { viewport: wide, share: 0.048 },
      { viewport: sizes.small, share: 0.048 },
      { viewport: upright, share: 0.02 },
    ]
    for (const { words, read } of [
      { words: 'admitted with attention', read: ['main h1', 'main h1 + p', '[data-color]'] },
      { words: 'canceled', read: ['main h1'] },
      { words: 'unpaid', read: ['main h1'] },
    ]) {
      await scanSample(words)
      for (const { viewport, share } of screens) {
        await page.setViewportSize(viewport)
        for (const selector of read) {
          const height = await capitals(page, selector)
          assert.ok(height >= share, `${words}: ${selector} is ${height.toFixed(4)} at ${viewport.width}`)
        }
      }
    }
  })

  it('have what is pressed in the lower half of a screen that stands upright', async () => {
    await page.setViewportSize(upright)
    await clear()
    const top = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.y ?? 0
    for (const selector of ['fieldset button', 'nav button', 'main button'])
      assert.ok((await top(selector)) >= upright.height / 2, selector)
    await page.keyboard.press('F2')
    await later()
    for (const selector of ['search input', 'fieldset button'])
      assert.ok((await top(selector)) >= upright.height / 2, selector)
    await scanSample('unpaid')
    assert.ok((await top('main [data-result] button')) >= upright.height / 2)
    await page.setViewportSize(wide)
  })

  it('have strong edges and no pale words where that is asked for, and nothing moves', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, contrast: 'more', reducedMotion: 'reduce' })
      await clear()
      for (const come of [clear, scenes.admitted, scenes.refused, scenes.search, scenes.settings]) {
        await come?.()
        await later()
        await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))')
        const band = await page.locator('[data-color]').allInnerTexts()
        const faint = (await contrasts(page)).filter(({ text, ratio }) => ratio < 7 && !band.includes(text))
        assert.deepEqual(faint, [], colorScheme)
        await hasNoFindings(page)
        const moving = await page.evaluate(
          `document.getAnimations().filter(({ playState }) => playState === 'running').length`,
        )
        assert.equal(moving, 0)
      }
      assert.equal(
        await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--edge').trim()`),
        colorScheme === 'light' ? '#000' : '#fff',
      )
    }
    await page.emulateMedia({ colorScheme: 'light', contrast: null, reducedMotion: null })
  })

  it('show codes in Arabic sentences as they are written', async () => {
    await clear()
    await choose(station, 'Main entrance', { locale: 'ar' })
    await page.locator('html[dir="rtl"]').waitFor()
    await scan(page, '12-1')
    const code = page.locator('[data-result] bdi', { hasText: '12-1' }).first()
    await code.waitFor()
    const places: number[] = await page.evaluate(`(() => {
      const bdi = [...document.querySelectorAll('[data-result] bdi')].find(({ innerText }) => innerText === '12-1')
      const letters = bdi.firstChild
      return [...letters.data].map((_, at) => {
        const range = document.createRange()
        range.setStart(letters, at)
        range.setEnd(letters, at + 1)
        return range.getBoundingClientRect().left
      })
    })()`)
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
    assert.equal(places.length, 4)
    await picture(page, 'arabic-code')
  })
})
