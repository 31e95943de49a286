import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { answerCall, pageBridge } from '../../main/browser/page-bridge.ts'
import type { Answers } from '../../main/common/channels.ts'
import { makeExitPin } from '../../main/common/exit-pin.ts'
import { windowAnswers } from '../../main/common/window-answers.ts'
import { makeHandClock } from '../main/common/hand-clock.ts'
import { makeTestFolder, type TestFolder } from '../main/common/scripts.ts'
import { shellAnswers } from '../main/common/shell-answers.ts'
import { hasNoFindings } from './support/accessible.ts'
import { openBrowser, openWindow } from './support/browser.ts'
import { choose, shown } from './support/entrance.ts'
import { pictures } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'

describe('leaving a kiosk on its screen', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let folder: TestFolder
  before(async () => {
    browser = await openBrowser()
    station = await startStation('demo')
    await choose(station, 'Main entrance')
  })
  beforeEach(() => {
    folder = makeTestFolder()
  })
  afterEach(() => folder.remove())
  after(async () => {
    await browser?.close()
    await station?.close()
  })

  /** The station page in a window of such a shell, with a PIN file of its own. */
  async function openKiosk(kiosk = true, options: object = {}) {
    const clock = makeHandClock()
    let left = 0
    const leave = () => {
      left += 1
    }
    const pin = makeExitPin(join(folder.path, 'exit-pin'), clock)
    const answers: Answers = { ...shellAnswers(), ...windowAnswers({ kiosk, pin, leave }) }
    const { page } = await openWindow(browser, station.open, options)
    await page.exposeFunction('gatehouseCalls', async (question: string) => {
      await page.evaluate((await answerCall(answers, question)) ?? '')
    })
    await page.addInitScript(pageBridge)
    await page.reload()
    await openStationPage(page)
    return { page, clock, pin, left: () => left }
  }

  async function openStationPage(page: Page): Promise<void> {
    await page.locator('button[data-link]').click()
    await shown(page, 'station')
  }

  const box = (page: Page) => page.getByRole('region', { name: 'Leave Gatehouse' })
  const press = (page: Page, name: string) => box(page).getByRole('button', { name, exact: true }).click()
  async function type(page: Page, pin: string, confirm: string): Promise<void> {
    for (const digit of pin) await press(page, digit)
    await press(page, confirm)
  }

  it('is offered by a kiosk only, and asks whether one is sure where there is no PIN', async () => {
    const { page: plain } = await openWindow(browser, station.open)
    await openStationPage(plain)
    assert.equal(await box(plain).count(), 0)
    const window = await openKiosk(false)
    await window.page.evaluate('gatehouse.state()')
    assert.equal(await box(window.page).count(), 0)

    const { page, left } = await openKiosk()
    await box(page).getByText('no exit PIN is set').waitFor()
    await press(page, 'Leave …')
    assert.equal(left(), 0)
    await press(page, 'Stay')
    await press(page, 'Leave …')
    await press(page, 'Yes, leave')
    await box(page).getByText('Gatehouse is ending').waitFor()
    assert.equal(left(), 1)
  })

  it('takes the PIN that was set there, and no other', async () => {
    const { page, clock, left } = await openKiosk()
    await press(page, 'Set an exit PIN …')
    await type(page, '4711', 'Go on')
    await box(page).getByLabel('The new PIN once more').waitFor()
    await type(page, '4712', 'Go on')
    await box(page).getByText('two different PINs').waitFor()
    await type(page, '471', 'Go on')
    await box(page).getByLabel('The new PIN once more').waitFor()
    await type(page, '471', 'Go on')
    await box(page).getByText('4 digits or more. Choose').waitFor()
    for (const label of ['New PIN, 4 digits or more', 'The new PIN once more']) {
      await box(page).getByLabel(label).waitFor()
      await type(page, '4711', 'Go on')
    }
    await box(page).getByText('The exit PIN is set.').waitFor()

    await press(page, 'Leave …')
    await page.locator('#exit-pin:focus').waitFor()
    await type(page, '123', 'Leave')
    await box(page).getByText('This PIN is wrong.').waitFor()
    await hasNoFindings(page)
    await box(page).scrollIntoViewIfNeeded()
    await pictures(page, 'leave-program')
    for (const wrong of ['1', '2', '3', '4']) {
      await page.keyboard.type(wrong)
      await page.keyboard.press('Enter')
      await box(page)
        .getByText(wrong === '4' ? 'Try again in 30 seconds' : 'This PIN is wrong')
        .waitFor()
    }
    await type(page, '4711', 'Leave')
    await box(page).getByText('Try again in 30 seconds').waitFor()
    assert.equal(left(), 0)
    clock.advance(30_000)
    await type(page, '4711', 'Leave')
    await box(page).getByText('Gatehouse is ending').waitFor()
    assert.equal(left(), 1)
  })

  it('asks for the current PIN before it is changed', async () => {
    const { page, pin } = await openKiosk()
    await pin.change('', '4711')
    await page.reload()
    await openStationPage(page)
    await press(page, 'Change the exit PIN …')
    for (const typed of ['1111', '2580', '2580']) await type(page, typed, 'Go on')
    await box(page).getByText('This PIN is wrong.').waitFor()
    await box(page).getByLabel('Exit PIN').waitFor()
    for (const typed of ['4711', '2580', '2580']) await type(page, typed, 'Go on')
    await box(page).getByText('The exit PIN is set.').waitFor()
    assert.deepEqual(await pin.check('2580'), { ok: true })
  })
})
