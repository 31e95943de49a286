import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { openBrowser, openWindow } from './support/browser.ts'
import { type SampleTicket, sample } from './support/demo.ts'
import { caught, choose, glimpsed, says, shown } from './support/entrance.ts'
import { picture } from './support/pictures.ts'
import { type Station, startStation } from './support/station.ts'
import { videoFile } from './support/video.ts'

describe('an entrance with a camera', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let ticket: SampleTicket

  before(async () => {
    station = await startStation('demo')
    await choose(station, 'Main entrance')
    ticket = await sample('the second scan is refused')
    browser = await openBrowser(videoFile(ticket.png))
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  it('admits the ticket that is held up, and refuses it when it is held up again', async () => {
    const { page, complaints } = await openWindow(browser, station.open)
    await shown(page, 'ready')
    const admitted = caught(page, 'ok')
    await page.getByRole('button', { name: 'Use the camera' }).click()
    const words = await admitted
    assert.match(words, /Admitted/)
    assert.match(words, new RegExp(ticket.name))
    assert.match(words, /Day ticket · Child/)

    await says(page, 'Already used')
    await says(page, /First used: \d\d:\d\d · North, Door 1/)
    await says(page, ticket.name)
    await picture(page, 'camera-refused')
    // The ticket is held up again soon.
    const ready = glimpsed(page, '#entrance[data-state="ready"]')
    await page.getByRole('button', { name: 'Continue' }).click()
    await ready
    await page.locator('[data-camera="running"] video').waitFor()
    await picture(page, 'camera-ready')
    await page.keyboard.press('F6')
    await page.locator('[data-camera]').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  it('says what to do when there is no camera, and goes on without', async () => {
    const blind = await openBrowser()
    try {
      const { page } = await openWindow(blind, station.open)
      await page.getByRole('button', { name: 'Use the camera' }).click()
      await page.locator('[data-camera="none"], [data-camera="denied"]').waitFor()
      await picture(page, 'camera-none')
      await page.getByRole('button', { name: 'Go on without' }).click()
      await page.getByRole('button', { name: 'Use the camera' }).waitFor()
    } finally {
      await blind.close()
    }
  })
})
