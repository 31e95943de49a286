import { profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import { pageBitmaps } from '../../exporters/printing/page-bitmaps.ts'
import { testPage } from '../../exporters/printing/test-page.ts'

/**
 * Draws a page for nobody: the first guest does not wait until fonts are opened and what draws pages has started, which
 * takes longer than a hundred badges.
 */
export async function warmUpPages(): Promise<void> {
  const profile = profileNamed('escpos-80')
  const facts = { name: '', printed: '2000-01-01T00:00:00.000000Z', timezone: 'UTC', locale: 'en' }
  try {
    await pageBitmaps(await testPage(facts, profile), { dpi: profile.dpi })
  } catch {
    // Whoever prints is told what is wrong.
  }
}
