import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { plainLetters } from '../../../server/domain/guest-list/text.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { demo, sample } from '../support/demo.ts'
import { choose, scan } from '../support/entrance.ts'
import { type Station, startStation } from '../support/station.ts'
import { asksNames, fits, isForEverybody, offersLanguages, shows, sizes, upright } from './for-everybody.ts'

describe('a kiosk, in a real browser', function () {
  this.timeout(120_000)
  let browser: Browser
  let station: Station

  before(async () => {
    browser = await openBrowser()
    station = await startStation('demo')
    await choose(station, 'Main entrance', { task: 'kiosk' })
    await asksNames(station, false)
  })
  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const open = async () => (await openWindow(browser, station.open, { steady: true, ...upright })).page
  const lastName = (name: string) => name.split(' ').at(-1) ?? ''
  /** Presses the keys on the screen. */
  async function tap(page: Page, text: string): Promise<void> {
    const keys = page.getByRole('group', { name: 'Keyboard' })
    for (const key of text.toLowerCase()) await keys.getByRole('button', { name: key, exact: true }).tap()
  }

  it('checks a guest in by a scan, and waits for the next one after three seconds', async () => {
    const page = await open()
    await shows(page, 'welcome')
    await page.getByText('Riverside Festival').waitFor()
    await isForEverybody(page, 'welcome')
    const { code, name } = await sample('Main entrance: admitted')
    await page.evaluate(`window.states = []; new MutationObserver((changes) => {
      for (const { target } of changes) window.states.push(target.dataset.state)
    }).observe(document.querySelector('#kiosk'), { attributes: true, attributeFilter: ['data-state'] })`)
    await scan(page, code)
    await shows(page, 'done')
    // A visit without questions is a scan and nothing else.
    assert.deepEqual(await page.evaluate('window.states'), ['deciding', 'done'])
    await page.getByText(name).waitFor()
    await isForEverybody(page, 'done')
    await page.clock.runFor(3100)
    await shows(page, 'welcome')
    assert.equal(await page.getByText(name).count(), 0)
    await page.clock.runFor(4000)
    await scan(page, code)
  })

  it('can be used with letters of twice the size, and from right to left', async () => {
    await offersLanguages(station, ['en', 'de', 'ar'])
    const page = await open()
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await shows(page, 'welcome')
    await fits(page, 'welcome-twice')
    await page.getByRole('button', { name: 'Find my ticket' }).tap()
    await shows(page, 'find')
    await fits(page, 'find-twice')
    await page.getByRole('button', { name: 'العربية' }).tap()
    await page.locator('html[dir="rtl"]').waitFor()
    await fits(page, 'find-twice-arabic')
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
    await isForEverybody(page, 'find-arabic')
    await offersLanguages(station, ['en', 'de'])
  })

  it('tells a guest in plain words where to go, without their name, and forgets them', async () => {
    const page = await open()
    const { code, name } = await sample('unpaid')
    await scan(page, code)
    await shows(page, 'refused')
    await page.getByText(/^(This ticket is not paid yet|Dieses Ticket ist noch nicht bezahlt)\.$/).waitFor()
    await page.getByText('T6').waitFor()
    assert.equal(await page.getByText(name).count(), 0)
    await isForEverybody(page, 'refused')
    await page.clock.runFor(11_000)
    await shows(page, 'welcome')
  })

  it('asks one question a page, by touch alone', async () => {
    const page = await open()
    const { code } = await sample('which meal?')
    await scan(page, code)
    await shows(page, 'asking')
    await isForEverybody(page, 'asking')
    await page.getByRole('button', { name: 'Vegan' }).tap()
    await shows(page, 'done')
  })

  it('finds a ticket by order code and last name, by the keys on the screen, and in another language', async () => {
    const page = await open()
    const { order, name } = await sample('admitted with attention')
    await page.getByRole('button', { name: 'Find my ticket' }).tap()
    await shows(page, 'find')
    await isForEverybody(page, 'find')
    // What is touched lies in the lower half of an upright screen.
    for (const button of await page.locator('main button').all()) {
      const box = await button.boundingBox()
      assert.ok(box && box.y > sizes.upright.height * 0.4, `${await button.innerText()} at ${box?.y}`)
    }
    await page.getByRole('textbox', { name: 'Order code' }).tap()
    await tap(page, order)
    await page.getByRole('textbox', { name: 'Last name' }).tap()
    await tap(page, plainLetters(lastName(name)))
    await page.getByRole('button', { name: 'Deutsch' }).tap()
    await isForEverybody(page, 'find-german')
    await page.getByRole('button', { name: 'Suchen' }).tap()
    await shows(page, 'offer')
    assert.equal(await page.getByText(name).count(), 0)
    await isForEverybody(page, 'offer-german')
    await page.getByRole('button', { name: 'Einchecken' }).tap()
    await shows(page, 'done')
    await isForEverybody(page, 'done-german')
    await page.clock.runFor(3100)
    await page.locator('#kiosk').waitFor()
  })

  it('is worked by the keyboard alone', async () => {
    const { page } = await openWindow(browser, station.open, upright)
    const press = async (name: string) => {
      await page.getByRole('button', { name }).focus()
      await page.keyboard.press('Enter')
    }
    await press('Find my ticket')
    await shows(page, 'find')
    await page.keyboard.type('NONE1', { delay: 120 })
    await page.keyboard.press('Tab')
    await page.keyboard.type('Nobody', { delay: 120 })
    await page.keyboard.press('Enter')
    await page.getByText('We have found nothing.').waitFor()
    await press('Start over')
    await shows(page, 'welcome')
  })

  it('asks who is silent, gives them more time, and forgets them where nobody answers', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Find my ticket' }).tap()
    await page.getByRole('textbox', { name: 'Order code' }).fill('SECRET')
    await page.clock.runFor(30_500)
    await page.getByRole('dialog', { name: 'Are you still there?' }).waitFor()
    // Any key says that somebody is there.
    await isForEverybody(page, 'idle', true)
    await page.getByRole('button', { name: 'I need more time' }).tap()
    assert.equal(await page.getByRole('textbox', { name: 'Order code' }).inputValue(), 'SECRET')
    await page.clock.runFor(30_500)
    await page.getByRole('dialog').waitFor()
    await page.clock.runFor(10_500)
    await shows(page, 'welcome')
    await page.getByRole('button', { name: 'Find my ticket' }).tap()
    assert.equal(await page.getByRole('textbox', { name: 'Order code' }).inputValue(), '')
  })

  it('has a long text read and accepted before somebody comes in', async () => {
    const { token } = await demo()
    const office = `Token ${token}`
    const ev = '/api/v1/organizers/demo/events/festival'
    const { body } = await station.call('GET', `${ev}/items/?page_size=50`, undefined, office)
    const items = (body as { results: { id: number }[] }).results.map(({ id }) => id)
    const waiver = {
      question: { en: 'Climbing at your own risk', de: 'Klettern auf eigene Gefahr' },
      help_text: { en: 'I know what I do. '.repeat(60), de: 'Ich weiß, was ich tue. '.repeat(60) },
      ...{ type: 'B', required: true, items, ask_during_checkin: true, position: 9, identifier: 'climbing' },
    }
    assert.equal((await station.call('POST', `${ev}/questions/`, waiver, office)).status, 201)
    const page = await open()
    await scan(page, (await sample('the second scan is refused')).code)
    await shows(page, 'asking')
    // The order may be in another language.
    await page.getByRole('button', { name: 'English' }).tap()
    await page.getByRole('button', { name: 'I accept' }).waitFor()
    await isForEverybody(page, 'waiver')
    await page.getByRole('button', { name: 'I do not accept' }).tap()
    await page.getByText('We cannot check you in without your consent.').waitFor()
  })

  it('is out of order across a restart, says with which code, and shows staff alone the station', async () => {
    let page = await open()
    await station.kill()
    await shows(page, 'out-of-order')
    await page.getByText('Code S1').waitFor()
    await isForEverybody(page, 'out-of-order')
    station = await station.restart()
    page = await open()
    await shows(page, 'welcome')
    for (let press = 0; press < 5; press += 1) await page.mouse.click(20, 20)
    await shows(page, 'staff')
    await isForEverybody(page, 'staff')
    await page.getByRole('button', { name: 'Open the station' }).tap()
    await page.locator('#entrance[data-state="setup"]').waitFor()
    await page.clock.runFor(100)
    await page.getByRole('button', { name: 'Back to the entrance screen' }).tap()
    await page.locator('#entrance[data-state="ready"]').waitFor()
  })
})
