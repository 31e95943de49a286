import type { Page } from 'playwright-core'

/** Something that can be worked, as assistive technology is told about it. */
interface Control {
  readonly role: string
  readonly name: string
}

const workable = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'radio',
  'checkbox',
  'switch',
  'combobox',
  'spinbutton',
])

/** Everything on a page that can be worked and is not disabled, from the browser's own accessibility tree. */
export async function controls(page: Page): Promise<readonly Control[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter((node) => !node.ignored && workable.has(String(node.role?.value)))
    .filter((node) => !node.properties?.some(({ name, value }) => name === 'disabled' && value.value))
    .map((node) => ({ role: String(node.role?.value), name: String(node.name?.value ?? '') }))
}

const focused = `(() => {
  const all = [...document.querySelectorAll('button, a[href], input, textarea, select')]
  const one = document.activeElement
  const group = one.type === 'radio' ? all.findIndex((each) => each.name === one.name) : all.indexOf(one)
  return group
})()`
const expected = `(() => {
  const modal = document.querySelector('dialog:modal')
  const behind = (one) => modal !== null && !modal.contains(one)
  return [...new Set([...document.querySelectorAll('button, a[href], input, textarea, select')]
  .flatMap((one, index, all) => one.disabled || one.getClientRects().length === 0 || behind(one) ? []
    : [one.type === 'radio' ? all.findIndex((each) => each.name === one.name) : index]))]
})()`

/** How many of the controls the Tab key reaches, a group of radio buttons as one, and how many there are. */
export async function tabStops(page: Page): Promise<{ readonly reached: number; readonly of: number }> {
  const wanted: number[] = await page.evaluate(expected)
  const reached = new Set<number>()
  // Leaving the page's end goes through the browser's own controls: a few presses more than there are stops.
  for (let press = 0; press < wanted.length + 3; press += 1) {
    await page.keyboard.press('Tab')
    reached.add(await page.evaluate(focused))
  }
  return { reached: wanted.filter((index) => reached.has(index)).length, of: wanted.length }
}

const lookForCovered = `(() => {
  const modal = document.querySelector('dialog:modal')
  const found = []
  for (const one of document.querySelectorAll('button, a[href], input, select, textarea')) {
    if (modal && !modal.contains(one)) continue
    if (!one.checkVisibility({ visibilityProperty: true })) continue
    one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const { left, top, width, height } = one.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
    const isHit = hit && (one.contains(hit) || hit.contains(one) || hit.closest('label')?.contains(one))
    if (!isHit) found.push(one.getAttribute('aria-label') ?? one.innerText ?? one.outerHTML)
  }
  for (const one of document.querySelectorAll('*')) if (one.scrollTop > 0) one.scrollTop = 0
  return found
})()`

/** What can be worked but is out of reach of a finger, also when one has scrolled to it. */
export const outOfReach = (page: Page): Promise<readonly string[]> => page.evaluate(lookForCovered)
