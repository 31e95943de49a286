import assert from 'node:assert/strict'
import { get } from 'node:http'
import { ask, type Desk, openDesk, stationKey } from './desk.ts'

const till = 'a0b1c2d3e4f5'
const displays = '/api/v1/station/displays'
const shown = {
  phase: 'basket',
  locale: 'de',
  currency: 'EUR',
  event_name: 'Gala',
  lines: [{ name: 'Day ticket', details: ['Row 3'], count: 2, amount: '46.00' }],
  total: '46.00',
  due: null,
  given: null,
  change: null,
}

/** Listens to a stream; `next` resolves with the next event, as `name data`. */
function listen(desk: Desk, path: string, headers: Readonly<Record<string, string>>) {
  const heard: string[] = []
  let wake = (): void => {}
  let text = ''
  const asking = get(desk.url + path, { headers }, (answer) => {
    answer.setEncoding('utf8')
    answer.on('data', (part: string) => {
      const blocks = `${text}${part}`.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (name !== undefined) heard.push(`${name} ${data}`)
        else if (block.startsWith('retry')) heard.push('opened')
      }
      wake()
    })
  })
  asking.on('error', () => undefined)
  return {
    async next(): Promise<string> {
      while (heard.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return heard.shift() ?? ''
    },
    hangUp: () => void asking.destroy(),
  }
}

describe('the customer display of a till', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.setUp({ task: 'box-office' })
  })
  after(() => desk.close())

  const station = { Authorization: `Station ${stationKey}` }
  const show = (more: object = {}, id = till) => desk.call('PUT', `${displays}/${id}/`, { ...shown, ...more })
  const keyOf = async (id: string) => String((await desk.call('GET', `${displays}/${id}/key/`)).body.key)
  const open = (id: string, key: string) =>
    ask(`${desk.url}${displays}/${id}/open`, 'POST', undefined, { Authorization: `Display ${key}` })
  async function cookieOf(id: string): Promise<string> {
    const [cookie = ''] = (await open(id, await keyOf(id))).headers['set-cookie'] ?? []
    assert.match(cookie, /; httponly/i)
    assert.match(cookie, /; samesite=strict/i)
    assert.match(cookie, new RegExp(`; path=${displays}/${id}/`, 'i'))
    return cookie.split(';')[0] ?? ''
  }
  const plain = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    ask(desk.url + path, method, method === 'GET' ? undefined : shown, headers)

  it('hears what its till shows, and has the till asked when it is opened', async () => {
    const screens = listen(desk, '/api/v1/station/live', station)
    assert.equal(await screens.next(), 'opened')
    const display = listen(desk, `${displays}/${till}/live`, { Cookie: await cookieOf(till) })
    assert.equal(await display.next(), 'opened')
    assert.equal(await screens.next(), `display ${JSON.stringify({ till })}`)
    assert.deepEqual((await show()).body, { displays: 1 })
    assert.equal(await display.next(), `shown ${JSON.stringify(shown)}`)
    assert.deepEqual((await show({}, 'another-till')).body, { displays: 0 })
    // Neither what other tills show nor what the screens are told gets there.
    await desk.call('PUT', '/api/v1/station/scanners/', [])
    await show({ phase: 'sold' })
    assert.match(await display.next(), /^shown .*"sold"/)
    display.hangUp()
    screens.hangUp()
  })

  it('is not missed by the till when it is gone', async () => {
    const display = listen(desk, `${displays}/till-alone/live`, station)
    await display.next()
    assert.deepEqual((await show({}, 'till-alone')).body, { displays: 1 })
    display.hangUp()
    for (;;) {
      const { status, body } = await show({}, 'till-alone')
      assert.equal(status, 200)
      if (body.displays === 0) break
    }
  })

  it('opens with the key of its till alone', async () => {
    for (const key of ['', 'wrong', stationKey, await keyOf('another-till')]) {
      const { status, headers } = await open(till, key)
      assert.deepEqual([status, headers['set-cookie']], [403, undefined], key)
    }
  })

  it('shows nothing to strangers, nor to the display of another till', async () => {
    for (const headers of [
      {},
      { Authorization: 'Token all' },
      { Cookie: 'gatehouse_display=wrong' },
      { Cookie: await cookieOf('another-till') },
    ] as Readonly<Record<string, string>>[]) {
      const { status } = await plain('GET', `${displays}/${till}/live`, headers)
      assert.equal(status, 401, JSON.stringify(headers))
    }
  })

  it('opens nothing else of the station', async () => {
    const headers = { Cookie: await cookieOf(till) }
    for (const [method, path] of [
      ['GET', '/api/v1/station/'],
      ['GET', '/api/v1/station/live'],
      ['GET', '/api/v1/station/sale/'],
      ['GET', '/api/v1/station/baskets/'],
      ['GET', `${displays}/${till}/key/`],
      ['PUT', `${displays}/${till}/`],
      ['GET', '/api/v1/organizers/acme/events/gala/orders/'],
    ] as const)
      assert.equal((await plain(method, path, headers)).status, 401, path)
  })

  it('may stand on another machine, which reaches nothing more', async () => {
    const elsewhere = { Host: 'till.example.org', Cookie: await cookieOf(till) }
    assert.notEqual((await plain('GET', '/display.html', elsewhere)).status, 403)
    for (const path of ['/', '/api/v1/station/live', `${displays}/${till}/key/`])
      assert.equal((await plain('GET', path, elsewhere)).status, 403, path)
    const foreign = { ...elsewhere, Origin: 'https://example.com' }
    assert.equal((await plain('GET', `${displays}/${till}/live`, foreign)).status, 403)
    const display = listen(desk, `${displays}/${till}/live`, elsewhere)
    assert.equal(await display.next(), 'opened')
    display.hangUp()
  })

  it('refuses what is no display', async () => {
    for (const wrong of [
      { phase: 'open' },
      { total: 46 },
      { total: 'much' },
      { lines: [{ name: 'Day ticket' }] },
      { attendee_name: 'Anna' },
    ])
      assert.equal((await show(wrong)).status, 400, JSON.stringify(wrong))
  })
})
