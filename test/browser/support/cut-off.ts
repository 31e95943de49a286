import type { Page } from 'playwright-core'

/** A text that cannot be seen whole. */
interface CutOff {
  readonly text: string
  /** By what: the screen, what it stands in, or what it is pressed by. */
  readonly by: string
}

const find = `(() => {
  const slack = 2
  const clips = (value) => value === 'hidden' || value === 'clip'
  const nameOf = ({ tagName, className }) => tagName.toLowerCase() + '.' + String(className)
  const modal = document.querySelector('dialog:modal')
  const found = []
  const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim()
    const own = walker.currentNode.parentElement
    if (text === '' || !own.checkVisibility({ visibilityProperty: true }) || own.closest('option, svg')) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const words = range.getBoundingClientRect()
    if (words.width === 0) continue
    let isScrolledTo = false
    let isOnlyHeard = false
    for (let around = own; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY, display, textOverflow, position } = getComputedStyle(around)
      const box = around.getBoundingClientRect()
      // What only those hear who cannot see is a dot.
      isOnlyHeard = box.width <= 1 && box.height <= 1
      if (isOnlyHeard) break
      isScrolledTo ||= overflowX === 'auto' || overflowX === 'scroll'
      const isPressed = around.matches('button, a[class], label, th, td')
      const isWider = words.left < box.left - slack || words.right > box.right + slack
      const isHigher = words.top < box.top - slack || words.bottom > box.bottom + slack
      const isShortened = textOverflow === 'ellipsis' && around.scrollWidth > around.clientWidth
      if (display !== 'inline' && ((isWider && (isPressed || clips(overflowX)) && !isScrolledTo) || isShortened || (isHigher && (isPressed || clips(overflowY)))))
        found.push({ text, by: nameOf(around) })
      // What is scrolled to is not cut off.
      if (overflowY === 'auto' || overflowY === 'scroll' || position === 'fixed') break
    }
    if (!isScrolledTo && !isOnlyHeard && (words.left < -slack || words.right > innerWidth + slack)) found.push({ text, by: 'screen' })
  }
  return found
})()`

/** The texts of a page that are cut off, run out of what they are pressed by, or are shortened. */
export const cutOff = (page: Page): Promise<readonly CutOff[]> => page.evaluate(find)
