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

/** Lets guests of the demo correct their names, or not. */
export async function asksNames(station: Station, isAsked: boolean): Promise<void> {
  const settings = '/api/v1/organizers/demo/events/festival/settings/'
  const { token } = await demo()
  const answer = await station.call('PATCH', settings, { kiosk_name_correction: isAsked }, `Token ${token}`)
  assert.equal(answer.status, 200)
}
