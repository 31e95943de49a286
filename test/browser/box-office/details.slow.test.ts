import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { narrow, openBrowser, openWindow, wide } from '../support/browser.ts'
import { demo } from '../support/demo.ts'
import { choose, typeSlowly } from '../support/entrance.ts'
import { picture, picturesInLightAndDark } from '../support/pictures.ts'
import { type Station, startStation } from '../support/station.ts'

const ev = '/api/v1/organizers/demo/events/festival'
const sizes = { wide, small: { width: 1024, height: 600 }, narrow }

interface SoldOrder {
  readonly email: string | null
  readonly positions: readonly {
    readonly attendee_name: string | null
    readonly answers: readonly { readonly question_identifier: string; readonly answer: string }[]
  }[]
}

describe('names and questions at a till', function () {
  this.timeout(90_000)
  let browser: Browser
  let station: Station
  let page: Page
  let complaints: readonly string[]

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await station.call(method, `${ev}${path}`, body, `Token ${(await demo()).token}`)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as T
  }

  before(async () => {
    station = await startStation('demo')
    const { results } = await call<{
      results: readonly { readonly id: number; readonly name: { readonly en: string } }[]
    }>('GET', '/items/?page_size=100')
    const named = (name: string) => results.find((one) => one.name.en.startsWith(name))?.id ?? 0
    const weekend = named('Weekend')
    await call('PATCH', `/items/${weekend}/`, { admission: true, personalized: true })
    await call('PATCH', '/settings/', { attendee_names_required: true, till_email_required: true })
    const ask = (identifier: string, en: string, de: string, more: object = {}) =>
      call<{ id: number }>('POST', '/questions/', {
        ...{ identifier, question: { en, de }, type: 'S', required: true, items: [weekend], ...more },
      })
    const meal = await ask('diet', 'What do you eat?', 'Was isst du?', {
      type: 'C',
      options: [
        { answer: { en: 'Everything', de: 'Alles' }, identifier: 'ALL' },
        { answer: { en: 'Vegan', de: 'Vegan' }, identifier: 'VEGAN' },
      ],
    })
    await ask('nuts', 'Nuts?', 'Nüsse?', {
      ...{ type: 'B', required: false, position: 1 },
      ...{ dependency_question: meal.id, dependency_values: ['VEGAN'] },
    })
    const few = { required: false, items: [named('VIP')] }
    await ask('age', 'Age', 'Alter', { ...few, type: 'N', valid_number_min: '6', position: 2 })
    await ask('days', 'Which days?', 'Welche Tage?', {
      ...{ ...few, type: 'M', position: 3 },
      options: ['Friday', 'Saturday', 'Sunday'].map((en) => ({ answer: { en }, identifier: en })),
    })
    await ask('arrival', 'Arrival', 'Ankunft', { ...few, type: 'D', position: 4 })
    browser = await openBrowser()
    await choose(station, 'Main entrance')
    ;({ page, complaints } = await openWindow(browser, station.open))
    await press('Box office')
    await page.locator('[data-product]', { hasText: 'Weekend' }).waitFor()
  })

  after(async () => {
    await browser?.close()
    await station?.close()
  })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const state = (name: string) => page.locator(`#box-office[data-state="${name}"]`).waitFor()
  const shownPage = (number: number) => page.locator(`[data-page="${number}"]`).waitFor()
  const field = (label: string) => page.getByRole('textbox', { name: label })
  const soldOrder = async () =>
    call<SoldOrder>('GET', `/orders/${await page.locator('[data-order]').getAttribute('data-order')}/`)
  const answersOf = ({ positions }: SoldOrder) =>
    positions.map(({ attendee_name, answers }) => [
      attendee_name,
      Object.fromEntries(answers.map((one) => [one.question_identifier, one.answer])),
    ])

  const show = (name: string) => picturesInLightAndDark(page, name, sizes)

  it('are asked before money is taken, by touch, and nothing is sold without them', async () => {
    await press(/Weekend ticket/)
    await press(/Weekend ticket/)
    await page.locator('[data-total="196.00"]').waitFor()
    await press(/^Pay/)
    await state('asking')
    await shownPage(1)
    await press('Next')
    await page.getByText('This has to be answered.').first().waitFor()
    await show('box-office-details-missing')
    await field('Name').fill('Anna Meyer')
    assert.equal(await page.getByText('Nuts?').count(), 0)
    await press('Vegan')
    await page.getByText('Nuts?').waitFor()
    await press('Yes')
    await show('box-office-details')
    await press('Next')
    await shownPage(2)
    await page.reload()
    await page.locator('[data-total="196.00"]').waitFor()
    await page.getByText('Anna Meyer').waitFor()
    await press(/^Pay/)
    await shownPage(2)
    await field('Name').fill('Ben Meyer')
    await press('Everything')
    await press('Next')
    await field('E-mail address').fill('anna@example')
    await press(/^Pay/)
    await page.getByText('Please enter an e-mail address.').waitFor()
    await field('E-mail address').fill('anna@example.org')
    await page.locator('[data-page] button[type="submit"]').click()
    await state('paying')
    await press('Exact sum')
    const order = await soldOrder()
    assert.equal(order.email, 'anna@example.org')
    assert.deepEqual(answersOf(order), [
      ['Anna Meyer', { diet: 'Vegan', nuts: 'True' }],
      ['Ben Meyer', { diet: 'Everything' }],
    ])
  })

  it('are parked with their basket, and answered by keys alone', async () => {
    await page.locator('[data-product]', { hasText: 'Weekend' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-total="98.00"]').waitFor()
    await page.keyboard.press('F10')
    await page.locator('[data-asked="attendee_name"] input:focus').waitFor()
    await typeSlowly(page, 'Cem')
    await page.keyboard.press('Enter')
    await page.locator('[data-asked] button:focus', { hasText: 'Everything' }).waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await state('selling')
    await page.keyboard.press('F7')
    await page.locator('#till-park:focus').waitFor()
    await typeSlowly(page, 'Cem')
    await page.keyboard.press('Enter')
    await page.locator('[data-parked="Cem"]').click()
    await page.locator('[data-total="98.00"]').waitFor()
    await page.keyboard.press('F10')
    await page.locator('[data-asked="email"] input:focus').waitFor()
    await typeSlowly(page, 'cem@example.org')
    await page.keyboard.press('Enter')
    await page.locator('#till-given:focus').waitFor()
    await typeSlowly(page, '10000')
    await page.keyboard.press('Enter')
    await page.locator('[data-change="2.00"]').waitFor()
    const order = await soldOrder()
    assert.equal(order.email, 'cem@example.org')
    assert.deepEqual(answersOf(order), [['Cem', { diet: 'Everything' }]])
    await page.keyboard.press('Escape')
  })

  it('are left out where they may be, and given by who wants to', async () => {
    await call('PATCH', '/settings/', { attendee_names_required: false, till_email_required: false })
    await page.reload()
    await press(/VIP/)
    await page.locator('[data-total="189.00"]').waitFor()
    await press(/^Pay/)
    await state('paying')
    await press('Back')
    await press('Details')
    await field('Age').fill('5')
    await press('Done')
    await page.getByText('At least 6.').waitFor()
    await field('Age').fill('41')
    await press('Sunday')
    await press('Friday')
    await page.locator('[data-asked] input[type="date"]').fill('2030-05-01')
    await show('box-office-details-optional')
    await press('Done')
    await state('selling')
    await press(/^Pay/)
    await press('Exact sum')
    assert.deepEqual(answersOf(await soldOrder()), [
      [null, { age: '41', days: 'Friday, Sunday', arrival: '2030-05-01' }],
    ])
  })

  it('speak German', async () => {
    await choose(station, 'Main entrance', { locale: 'de' })
    await press(/Wochenendkarte/)
    await press(/^Bezahlen/)
    await page.getByText('Was isst du?').waitFor()
    await press(/^Bezahlen/)
    await page.getByText('Diese Frage muss beantwortet werden.').waitFor()
    await picture(page, 'box-office-details-german')
    assert.deepEqual(complaints, [])
  })
})
