import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { hasNoFindings } from './accessible.ts'
import { picture } from './pictures.ts'
import { controls, tabStops } from './reachable.ts'
import { contrasts } from './readable.ts'

/** What WCAG 2 asks of text of every size at level AA. */
const enough = 4.5

/**
 * Fails unless what a page shows can be read in light and dark colours, and by programs that read it aloud; keeps a
 * picture of the dark ones.
 */
export async function canBeRead(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const all = await contrasts(page)
    assert.ok(all.length > 5, `only ${all.length} pieces of text`)
    const faint = all.filter(({ ratio }) => ratio < enough)
    assert.deepEqual(faint, [], `in ${colorScheme} colours`)
    await hasNoFindings(page)
  }
  await picture(page, `${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Fails unless everything that can be worked has a name and is reached by the Tab key; `least` is how much there is. */
export async function canBeWorked(page: Page, least: number): Promise<void> {
  const nameless = (await controls(page)).filter((control) => control.name.trim() === '')
  assert.deepEqual(nameless, [])
  const { reached, of } = await tabStops(page)
  assert.ok(of >= least, `only ${of} things that can be worked`)
  assert.equal(reached, of)
  await page.evaluate('document.activeElement.blur()')
}
