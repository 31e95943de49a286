import type { Page } from 'playwright-core'

/**
 * Has the page press what has these words on it, and answers when there is what it leads to: milliseconds in between, and
 * when it was pressed. Measured in the page, by what is drawn, without what steering the browser takes.
 */
export async function press(
  page: Page,
  words: string,
  leadsTo: string,
): Promise<{ readonly took: number; readonly at: number }> {
  return page.evaluate(
    `new Promise((resolve) => {
      const button = [...document.querySelectorAll('button:enabled')].find((one) => one.innerText.includes(${JSON.stringify(words)}))
      const began = performance.now()
      const look = () => {
        if (!document.querySelector(${JSON.stringify(leadsTo)})) return
        changes.disconnect()
        requestAnimationFrame(() => resolve({ took: performance.now() - began, at: performance.timeOrigin + began }))
      }
      const changes = new MutationObserver(look)
      changes.observe(document.body, { subtree: true, childList: true, attributes: true })
      button.click()
      look()
    })`,
  )
}
