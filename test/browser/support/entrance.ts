import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { patience } from './browser.ts'
import type { Station } from './station.ts'

/** What fills the entrance screen, by the name that the page gives it. */
export type Screen =
  | 'setup'
  | 'station'
  | 'statistics'
  | 'ready'
  | 'admitted'
  | 'refused'
  | 'asking'
  | 'unpaid'
  | 'undo-asked'
  | 'undone'
  | 'search'
  | 'guest'
  | 'unreachable'
  | 'locked'

interface Choices {
  readonly organizers: readonly {
    readonly slug: string
    readonly events: readonly {
      readonly slug: string
      readonly lists: readonly { readonly id: number; readonly name: string }[]
    }[]
    readonly gates: readonly { readonly id: number; readonly name: string }[]
  }[]
}

/** Sets a station to one of the demo's lists, at the gate North, as "Door 1"; the list's id. */
export async function choose(station: Station, list: string, more: object = {}): Promise<number> {
  const { organizers } = (await station.call('GET', '/api/v1/station/choices/')).body as Choices
  const [organizer] = organizers
  const [event] = organizer?.events ?? []
  const found = event?.lists.find(({ name }) => name === list)
  assert(organizer && event && found, `there is no list "${list}"`)
  const gate = organizer.gates.find(({ name }) => name === 'North')?.id ?? null
  const place = { organizer: organizer.slug, event: event.slug, list: found.id, gate }
  const answer = await station.call('PUT', '/api/v1/station/settings/', {
    ...place,
    direction: 'entry',
    name: 'Door 1',
    locale: 'en',
    ...more,
  })
  assert.equal(answer.status, 200)
  return found.id
}

const positionOf = (character: string): string =>
  /[a-z]/i.test(character)
    ? `Key${character.toUpperCase()}`
    : /[0-9]/.test(character)
      ? `Digit${character}`
      : ''

interface Stroke {
  readonly key: string
  readonly code: string
  readonly text: string
  readonly windowsVirtualKeyCode?: number
  /** When it is said to have happened, in milliseconds since 1970. */
  readonly at: number
}

/** Strikes keys without waiting for anybody between two of them: the page goes by when they are said to have happened. */
async function strike(page: Page, strokes: readonly Stroke[]): Promise<void> {
  const keyboard = await page.context().newCDPSession(page)
  await Promise.all(
    strokes.flatMap(({ text, at, ...key }) => {
      const stroke = { ...key, timestamp: at / 1000 }
      return [
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...stroke }),
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke }),
      ]
    }),
  )
  await keyboard.detach()
}

const strokeOf = (key: string, at: number): Stroke => ({ key, code: positionOf(key), text: key, at })

/** Types codes as a keyboard scanner does: all keys of a code in a moment, however busy the machine is. */
export function scan(page: Page, ...codes: readonly string[]): Promise<void> {
  const at = Date.now()
  const enter = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13, at }
  return strike(
    page,
    codes.flatMap((code) => [...[...code].map((key) => strokeOf(key, at)), enter]),
  )
}

/** Milliseconds between two keys of a person: slow enough not to be taken for a scanner. */
const personPace = 90

/** Types as a person does who presses the last key now. */
export function typeSlowly(page: Page, text: string): Promise<void> {
  const keys = [...text]
  const now = Date.now()
  return strike(
    page,
    keys.map((key, index) => strokeOf(key, now - (keys.length - 1 - index) * personPace)),
  )
}

/** Waits for a screen, and gives it. */
export async function shown(page: Page, screen: Screen): Promise<Locator> {
  const found = page.locator(`#entrance[data-state="${screen}"]`)
  await found.waitFor()
  return found
}

/** Waits until words are in sight. */
export const says = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByRole('main').getByText(words).first().waitFor()

/** The words of what passes on a page, caught by the page itself as soon as it is there; asked for before it is. */
export const glimpsed = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const found = document.querySelector(${JSON.stringify(selector)})
      if (found) resolve(found.innerText)
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
    look()
  })`)

/** The words of a result of that look: a success passes. */
export const caught = (page: Page, look: string): Promise<string> => glimpsed(page, `[data-result="${look}"]`)

/** Scans a code again and again until it counts as another scan, and no longer as the first one read twice. */
export async function scanAnew(page: Page, code: string): Promise<void> {
  const deadline = Date.now() + patience
  for (;;) {
    const judged = page.waitForResponse((response) => response.url().endsWith('/station/scan/'))
    await scan(page, code)
    const { repeated } = await (await judged).json()
    if (!repeated) return
    assert(Date.now() < deadline, 'the code is still taken for the scan before')
  }
}

/** Asks until an answer will do, and gives it. */
export async function eventually<T>(ask: () => Promise<T>, will: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patience
  for (;;) {
    const answer = await ask()
    if (will(answer)) return answer
    assert(Date.now() < deadline, `still ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
