import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { hasNoFindings } from '../support/accessible.ts'
import { narrow, wide } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { picture } from '../support/pictures.ts'
import { controls, tabStops } from '../support/reachable.ts'
import { contrasts } from '../support/readable.ts'
import type { Station } from '../support/station.ts'

/** The sizes of screens that kiosks have, and that of a telephone. */
export const sizes = {
  wide,
  narrow,
  upright: { width: 1080, height: 1920 },
  low: { width: 1024, height: 600 },
}

/** A kiosk that stands upright. */
export const upright = { viewport: sizes.upright, hasTouch: true }

/** Waits until a kiosk shows a page. */
export const shows = (page: Page, state: string) => page.locator(`#kiosk[data-state="${state}"]`).waitFor()

/** Fails unless a screen can be read and worked by everybody; keeps it in every size. */
export async function isForEverybody(page: Page, name: string, isQuestion = false): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    await picture(page, `kiosk-${name}-${size}`)
  }
  for (const contrast of ['more', 'no-preference'] as const) {
    await page.emulateMedia({ contrast, reducedMotion: contrast === 'more' ? 'reduce' : 'no-preference' })
    await hasNoFindings(page)
    assert.deepEqual(
      (await contrasts(page)).filter(({ ratio }) => ratio < 4.5),
      [],
    )
  }
  assert.deepEqual(
    (await controls(page)).filter((control) => control.name.trim() === ''),
    [],
  )
  if (!isQuestion) {
    const { reached, of } = await tabStops(page)
    assert.equal(reached, of)
  }
  await page.setViewportSize(sizes.upright)
}

/** Fails unless all that can be pressed can be scrolled to, and nothing is wider than a screen of any size; keeps it. */
export async function fits(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    await picture(page, `kiosk-${name}-${size}`)
    const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    assert.ok(Number(wider) <= 0, `${wider} pixels too wide on ${size}`)
    for (const button of await page.locator('main button').all()) {
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= viewport.width + 1, await button.innerText())
    }
  }
  await page.setViewportSize(sizes.upright)
}

async function changeSettings(station: Station, change: object): Promise<void> {
  const { token } = await demo()
  const path = '/api/v1/organizers/demo/events/festival/settings/'
  assert.equal((await station.call('PATCH', path, change, `Token ${token}`)).status, 200)
}

/** Lets guests of the demo correct their names, or not. */
export const asksNames = (station: Station, isAsked: boolean): Promise<void> =>
  changeSettings(station, { kiosk_name_correction: isAsked })

/** Has the demo speak some languages. */
export const offersLanguages = (station: Station, locales: readonly string[]): Promise<void> =>
  changeSettings(station, { locales })
