import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { watchPage } from './last-words.ts'

/** How long anything on a screen may take; machines that build are busy. */
export const patience = 30_000

/** The size of the screens that most stations have. */
export const wide = { width: 1280, height: 800 }
/** The size of a tablet held upright. */
export const tablet = { width: 820, height: 1180 }
/** The size of a telephone. */
export const narrow = { width: 390, height: 844 }

const program = process.env.CHROMIUM ?? '/usr/bin/chromium'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts Chromium. Its camera, when a video is given, shows that; `letters` is how large they are set to, 16 as a rule. */
export async function openBrowser(video?: string, letters = 16): Promise<Browser> {
  if (!existsSync(program))
    throw new Error(
      `These tests need Chromium, and there is none at ${program}. Install it (Debian: apt-get install chromium) or set CHROMIUM to where it is.`,
    )
  const camera = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ]
  const size = `--blink-settings=defaultFontSize=${letters}`
  const args = [...flags, size, ...(video === undefined ? [] : camera)]
  return chromium.launch({ executablePath: program, headless: true, args })
}

/** A page of its own, without anything remembered, and what it has complained about on its console. */
interface Window {
  readonly page: Page
  readonly complaints: readonly string[]
}

/** Has requests given up by the page's own clock, which stands still in a steady page, and not by the machine's. */
const steadyLimits = `AbortSignal.timeout = (milliseconds) => {
  const limit = new AbortController()
  setTimeout(() => limit.abort(new DOMException('late', 'TimeoutError')), milliseconds)
  return limit.signal
}`

/**
 * Opens such a page at an address, and waits until it hears what the server tells by itself. The clock of a `steady` page
 * stands still: nothing moves on by itself.
 */
export async function openWindow(
  browser: Browser,
  address: string,
  { steady = false, ...options }: BrowserContextOptions & { readonly steady?: boolean } = {},
): Promise<Window> {
  const context = await browser.newContext({ viewport: wide, locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  watchPage(page, complaints)
  if (steady) {
    await page.clock.install()
    // Stopped before anything is loaded: nothing that is under way sees the time jump.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.addInitScript(steadyLimits)
  }
  const listening = page.waitForResponse((response) => response.url().endsWith('/station/live'))
  await Promise.all([page.goto(address), listening])
  await page.locator('#entrance:not([data-state="starting"]), #box-office, #kiosk').waitFor()
  return { page, complaints }
}
