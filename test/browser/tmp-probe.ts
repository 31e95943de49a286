import { openBrowser, openWindow, narrow, wide } from './support/browser.ts'
import { startStation } from './support/station.ts'
import { sample } from './support/demo.ts'
import { choose, scan, shown, says, typeSlowly, eventually } from './support/entrance.ts'
const st = await startStation('demo'); const b = await openBrowser()
await choose(st, 'Main entrance')
await st.call('PUT', '/api/v1/station/scanners/', [{ name: 'Voyager 1470g', connected: true }])
const { page } = await openWindow(b, st.open)
await page.keyboard.press('F2')
await typeSlowly(page, 'marta')
await page.locator('[data-row]').first().waitFor()
await page.keyboard.press('ArrowDown'); await page.keyboard.press('Enter')
await page.waitForTimeout(1200)
console.log('after arrow+enter:', (await page.locator('.history').innerText()).replaceAll('\n', ' | '))
await page.keyboard.press('Escape'); await page.keyboard.press('Escape')
const w = await openWindow(b, st.open, { steady: true })
const p = w.page
for (const words of ['canceled', 'the second scan', 'attention', 'which meal']) { await scan(p, (await sample(words)).code); await p.locator('.history li').filter({ hasText: (await sample(words)).name }).waitFor() }
await p.getByRole('button', { name: 'Vegetarian' }).click()
await shown(p, 'admitted')
await p.clock.runFor(2000)
await scan(p, (await sample('Main entrance: admitted')).code)
await shown(p, 'admitted')
await eventually(() => p.locator('[data-count="in"]').innerText(), (t) => { console.log(t); return Number(t) >= 4 })
await p.screenshot({ path: '/work/main/docs/entrance.png', animations: 'disabled' })
await p.keyboard.press('Escape')
await p.keyboard.press('F4'); await p.locator('#entrance[data-direction="exit"]').waitFor()
await p.setViewportSize(narrow); await p.screenshot({ path: '/tmp/e2e/exit-narrow.png', animations: 'disabled' }); 
await p.setViewportSize({ width: 1024, height: 600 }); await p.screenshot({ path: '/tmp/e2e/small.png', animations: 'disabled' })
await scan(p, (await sample('attention')).code); await says(p, 'Goodbye'); await p.screenshot({ path: '/tmp/e2e/goodbye.png', animations: 'disabled' })
await p.keyboard.press('F4'); await p.locator('#entrance[data-direction="entry"]').waitFor()
await scan(p, (await sample('attention')).code); await shown(p,'refused'); await p.screenshot({ path: '/tmp/e2e/small-refused.png', animations: 'disabled' })
await p.setViewportSize({ width: 844, height: 390 }); await p.screenshot({ path: '/tmp/e2e/landscape.png', animations: 'disabled' })
await b.close(); await st.close()
