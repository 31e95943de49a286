import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { followed, rowsOf } from '../support/servers/nodes.ts'
import { openBrowser, openWindow } from './support/browser.ts'
import { caught, eventually, scan, shown } from './support/entrance.ts'
import { allPictures } from './support/pictures.ts'
import { type Linked, marked, openPlace, type Place, refuseAll, startLinked } from './support/venue.ts'

const codes = Array.from({ length: 20 }, (_, index) => `TICKET${index}`)

describe('two stations of one event', function () {
  this.timeout(90_000)
  let browser: Browser
  let place: Place
  let north: Linked
  let south: Linked
  let page: Page
  let complaints: readonly string[]

  before(async () => {
    browser = await openBrowser()
    place = await openPlace(codes)
    north = await startLinked(place, 'North')
    south = await startLinked(place, 'South', { security_profile: 'gate' })
    ;({ page, complaints } = await openWindow(browser, north.open))
    await marked(page, 'online')
  })

  after(async () => {
    await browser?.close()
    await north?.node.close()
    await south?.node.close()
    await place?.close()
  })

  const full = () => page.locator('[data-fullness="full"]')
  const count = (kind: string) => page.locator(`button[data-link] [data-count="${kind}"]`)

  /** Sets how many may be inside, and waits until the station knows. */
  async function limit(capacity: number | null): Promise<void> {
    const path = `${place.central.org}/events/gala/checkinlists/${place.venue.list}/`
    assert.equal((await place.central.call('PATCH', path, { capacity })).status, 200)
    await eventually(
      () => rowsOf<{ capacity: number | null }>(north.node, sql`SELECT capacity FROM checkin_list`),
      ([list]) => list?.capacity === capacity,
    )
  }

  it('are told at once, loudly and until somebody has seen it, whom they should not both have admitted', async () => {
    await limit(1)
    north.network.down = true
    south.network.down = true
    await marked(page, 'offline')
    assert.equal((await south.node.scan('TICKET1')).status, 'ok')
    const mine = caught(page, 'ok')
    await scan(page, 'TICKET1')
    assert.match(await mine, /Decided offline/)
    await count('queue').getByText('1 waiting').waitFor()
    await full().getByText('Full: 1 of 1').waitFor()
    await full()
      .getByText(/^data /)
      .waitFor()
    await allPictures(page, 'link-offline-queue')

    south.network.down = false
    await eventually(
      () => south.node.link(),
      ({ queue }) => queue === 0,
    )
    north.network.down = false
    const banner = page.getByRole('region', { name: 'Alarm' })
    await banner.waitFor()
    const words = await banner.innerText()
    assert.match(words, /Stop Guest TICKET1/)
    assert.match(words, /Doors · OTICKET1/)
    assert.match(words, /North · Station North, \d\d:\d\d/)
    assert.match(words, /South · Station South, \d\d:\d\d/)
    await marked(page, 'online')
    await full()
      .getByText(/^data /)
      .waitFor({ state: 'detached' })
    await limit(null)
    await full().waitFor({ state: 'detached' })
    await count('conflicts').getByText('1').waitFor()
    await allPictures(page, 'alert')

    const next = caught(page, 'ok')
    await scan(page, 'TICKET2')
    assert.match(await next, /Confirmed/)
    await page.reload()
    await banner.waitFor()
    await banner.getByRole('button', { name: 'Got it' }).click()
    await banner.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  it('offer at one that only admits people nothing that its profile does not allow', async () => {
    const { page: gate } = await openWindow(browser, south.open)
    await gate.getByRole('button', { name: 'Search', exact: true }).click()
    await gate.getByPlaceholder('Name or order code').fill('Guest TICKET2')
    await gate.getByRole('button', { name: 'Check in: Guest TICKET2' }).waitFor()
    await allPictures(gate, 'gate-search')
    await gate.getByRole('button', { name: 'Close' }).click()
    assert.equal(await gate.getByRole('button', { name: 'Box office' }).count(), 0)
    await gate.locator('button[data-link]').click()
    const clash = gate.locator('[data-conflict="double_entry"]')
    await clash.getByText('Settled by whoever looks after the server').waitFor()
    assert.equal(await clash.getByRole('button').count(), 0)
    await allPictures(gate, 'gate-station-page')
    await gate.close()
  })

  it('settle what contradicts, with a note, while the server answers', async () => {
    await page.locator('button[data-link]').click()
    await shown(page, 'station')
    const clash = page.locator('[data-conflict="double_entry"]')
    await clash.getByText('Guest TICKET1').waitFor()
    assert.match(
      await clash.getByRole('list').innerText(),
      /South · Station South[\s\S]*North · Station North/,
    )
    await allPictures(page, 'station-page')
    await clash.getByRole('button', { name: 'Resolve' }).click()
    await clash.getByLabel(/^What was found out/).fill('Twins, both have paid')
    await clash.getByRole('button', { name: 'Resolved' }).click()
    await clash.waitFor({ state: 'detached' })
    await page.getByText('Nothing contradicts.').waitFor()
    const { body } = await place.central.call('GET', `${place.central.org}/conflicts/`)
    const [row] = (body as { results: readonly Record<string, unknown>[] }).results
    assert.deepEqual([row?.state, row?.note], ['resolved', 'Twins, both have paid'])
  })

  it('show what the server refused and why, and send it again', async () => {
    refuseAll(north.network, 'unknown_list')
    assert.equal((await north.node.scan('TICKET3')).status, 'ok')
    await page.locator('[data-tab="parked"] b').getByText('1').waitFor()
    await page.locator('[data-tab="parked"]').click()
    const parked = page.locator('[data-fact="parked"]')
    await parked.getByText('Entry, ticket TICKET3').waitFor()
    await parked.getByText('The check-in list does not exist any more on the server.').waitFor()
    await page.locator('[data-check="queue"][data-ok="false"]').waitFor()
    await allPictures(page, 'station-parked')
    await page.keyboard.press('Escape')
    await count('parked').getByText('1').waitFor()
    await page.locator('button[data-link]').click()

    north.network.instead = () => undefined
    await parked.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing was refused.').waitFor()
    await page.locator('[data-tab="done"]').click()
    await page.locator('[data-fact="done"]').getByText('Entry, ticket TICKET3').waitFor()
  })

  it('are not disconnected while something waits, unless it was saved as a file', async () => {
    north.network.down = true
    await eventually(
      () => north.node.link(),
      ({ state }) => state === 'alone',
    )
    assert.equal((await north.node.scan('TICKET4')).status, 'ok')
    const leaving = page.getByRole('region', { name: 'Disconnect' })
    await leaving.getByRole('button', { name: 'Disconnect …' }).click()
    await leaving.getByRole('button', { name: 'Yes, disconnect' }).click()
    await leaving.getByText('1 scan was not sent yet').waitFor()
    const anyway = leaving.getByRole('button', { name: 'Disconnect, I have the file' })
    assert.equal(await anyway.isDisabled(), true)
    await allPictures(page, 'station-leave')

    const saved = page.waitForEvent('download')
    await leaving.getByRole('link', { name: 'Save as a file' }).click()
    assert.match((await saved).suggestedFilename(), /^gatehouse-acme-.*\.ndjson$/)
    await anyway.click()
    await page.getByRole('heading', { name: 'Local' }).waitFor()
    assert.equal((await north.node.link()).role, 'alone_by_choice')
    await allPictures(page, 'station-local')
  })

  it('say when the server has shut one out, and how to come back', async () => {
    const { page: other } = await openWindow(browser, south.open)
    await marked(other, 'online')
    const { body } = await place.central.call('GET', `${place.central.org}/devices/`)
    const devices = (body as { results: readonly { name: string; device_id: number }[] }).results
    const id = devices.find(({ name }) => name === 'Station South')?.device_id
    assert.equal((await place.central.call('POST', `${place.central.org}/devices/${id}/revoke/`)).status, 200)
    await shown(other, 'setup')
    await other.getByText(/has taken this computer’s access away/).waitFor()
    assert.equal(await other.getByText('There is no event on this computer yet.').count(), 0)
    await allPictures(other, 'station-revoked')
    await other.getByRole('button', { name: 'Connect this station' }).click()
    await scan(other, await place.pairing('South again'))
    await other.getByRole('radio', { name: 'gala' }).waitFor()
    await followed(south.node)
  })
})
