import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** One thing that axe found: which rule, and where on the page. */
interface Finding {
  readonly rule: string
  readonly where: string
}

/** Fails unless axe finds nothing about what a page shows (https://github.com/dequelabs/axe-core). */
export async function hasNoFindings(page: Page): Promise<void> {
  assert.deepEqual(await findings(page), [])
}

/** What axe finds, from a world of its own: the page's clock, which may stand still, does not stop it. */
async function findings(page: Page): Promise<readonly Finding[]> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await session.send('Runtime.evaluate', { expression: axe.source, contextId })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: run,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  assert.equal(exceptionDetails?.exception?.description, undefined)
  const { rules, found } = JSON.parse(String(result.value)) as { rules: number; found: readonly Finding[] }
  assert.ok(rules > 10, `axe looked at ${rules} rules only`)
  return found
}

const run = `axe.run(document, { preload: false }).then(({ violations, passes }) => JSON.stringify({
  rules: passes.length,
  found: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ rule: id, where: html.slice(0, 200) }))),
}))`
