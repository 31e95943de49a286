import assert from 'node:assert/strict'
import { openBrowser, openWindow } from '../browser/support/browser.ts'
import { demo } from '../browser/support/demo.ts'
import { choose } from '../browser/support/entrance.ts'
import { addHall } from '../browser/support/hall.ts'
import { startStation } from '../browser/support/station.ts'
import { type Figure, percentile, shownTime } from './figures.ts'
import { press } from './press.ts'

const times = 10
/** Milliseconds within which a hall of 2,000 seats is wanted on the screen. */
const patience = 100

/** Measures from the press on a product to the plan of its 2,000 seats on the screen of a till. */
export async function measureSeatPlan(): Promise<Figure[]> {
  const [station, browser, { token }] = [await startStation('demo'), await openBrowser(), await demo()]
  await addHall(
    async (method, path, body) => {
      const answer = await station.call(method, path, body, `Token ${token}`)
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
      return answer.body as Record<string, unknown>
    },
    ['Stalls', 'Gallery'].map((name) => ({ name, price: '45.00', rows: 20, seatsInRow: 50 })),
  )
  await choose(station, 'Main entrance', { task: 'box-office' })
  const { page } = await openWindow(browser, station.open)
  const took: number[] = []
  for (let time = 0; time < times; time += 1) {
    took.push((await press(page, 'Stalls', '[role="option"]:nth-of-type(1)')).took)
    assert.equal(await page.getByRole('option').count(), 2000)
    await press(page, 'Done', '#box-office[data-state="selling"]')
  }
  await browser.close()
  await station.close()
  return [
    {
      what: 'the plan of 2,000 seats at a till, press to drawn: p50, longest',
      ours: `${shownTime(percentile(took, 0.5))}, ${shownTime(Math.max(...took))}`,
      ...{ against: `${patience} ms`, ratio: percentile(took, 0.5) / patience, goal: { atMost: 1 } },
    },
  ]
}
