import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { hasNoFindings } from './accessible.ts'
import { narrow, tablet, wide } from './browser.ts'

const folder = fileURLToPath(new URL('../../../test-output/', import.meta.url))

/** Keeps a picture of what a page shows, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** Keeps a picture in the size of a station and one in the size of a telephone. */
export async function pictures(page: Page, name: string): Promise<void> {
  await picture(page, name)
  await page.setViewportSize(narrow)
  await picture(page, `${name}-narrow`)
  await page.setViewportSize(wide)
}

/** Keeps a picture in every size that a station may have: a station's, a tablet's and a telephone's. */
export async function allPictures(page: Page, name: string): Promise<void> {
  await pictures(page, name)
  await page.setViewportSize(tablet)
  await picture(page, `${name}-tablet`)
  await page.setViewportSize(wide)
}

type Sizes = Readonly<Record<string, { readonly width: number; readonly height: number }>>

/** Keeps pictures in some sizes, in the light and in the dark, of a page that everybody can read. */
export async function picturesInLightAndDark(page: Page, name: string, sizes: Sizes): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await hasNoFindings(page)
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      await picture(page, `${name}-${colorScheme}-${size}`)
    }
    await page.setViewportSize(wide)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
