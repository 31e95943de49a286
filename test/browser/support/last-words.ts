import type { Page } from 'playwright-core'

const pages = new Map<Page, readonly string[]>()

/** Has the page tell what it shows, and what it complained of, when a test fails while it is open. */
export function watchPage(page: Page, complaints: readonly string[]): void {
  pages.set(page, complaints)
  page.once('close', () => pages.delete(page))
}

/** What the page shows, in a few lines; why that cannot be told where it cannot. */
async function shownBy(page: Page): Promise<string> {
  try {
    const state = await page
      .locator('#entrance, #box-office, #kiosk')
      .getAttribute('data-state', { timeout: 2000 })
    const focused = await page.evaluate('document.activeElement?.outerHTML.slice(0, 120)')
    const words = await page.locator('body').innerText({ timeout: 2000 })
    return `state ${state}, focus on ${focused}\n${words.slice(0, 800)}`
  } catch (cause) {
    return `nothing could be read from it: ${cause}`
  }
}

/** After a test that failed, what every open page shows is printed: the words on a screen say more than a timeout. */
export const mochaHooks = {
  async afterEach(this: Mocha.Context): Promise<void> {
    if (this.currentTest?.state !== 'failed') return
    for (const [page, complaints] of pages) {
      const lines = [
        `After "${this.currentTest.title}", ${page.url()} shows:`,
        await shownBy(page),
        ...complaints,
      ]
      process.stderr.write(`${lines.join('\n')}\n`)
    }
  },
}
