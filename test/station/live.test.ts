import assert from 'node:assert/strict'
import { type ClientRequest, get } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type Desk, openDesk, stationKey } from './desk.ts'

interface Heard {
  readonly event: string
  readonly data: unknown
}

/** Listens at a station; `until` resolves with everything heard once that is as much as asked for. */
function listen(desk: Desk) {
  const heard: Heard[] = []
  let text = ''
  let comments = 0
  let ended = false
  let wake = (): void => {}
  let asking: ClientRequest | undefined
  const opened = new Promise<Record<string, string | string[] | undefined>>((resolve, reject) => {
    asking = get(
      `${desk.url}/api/v1/station/live`,
      { headers: { Authorization: `Station ${stationKey}` } },
      (answer) => {
        resolve({ ...answer.headers, status: String(answer.statusCode) })
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const block = text.slice(0, end)
            text = text.slice(end + 2)
            const event = /^event: (.*)$/m.exec(block)?.[1]
            const data = /^data: (.*)$/m.exec(block)?.[1]
            if (event !== undefined && data !== undefined) heard.push({ event, data: JSON.parse(data) })
            else if (block.startsWith(':')) comments += 1
          }
          wake()
        })
        answer.on('close', () => {
          ended = true
          wake()
        })
      },
    )
    asking.on('error', reject)
  })
  const until = async (done: () => boolean): Promise<readonly Heard[]> => {
    while (!done())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return heard
  }
  return {
    opened,
    events: (count: number) => until(() => heard.length >= count),
    comments: (count: number) => until(() => comments >= count),
    end: () => until(() => ended),
    hangUp: () => void asking?.destroy(),
  }
}

/** Lets what the server began without being asked come to its end. */
const settle = async (desk: Desk) => {
  for (let time = 0; time < 20; time += 1) {
    await desk.transactions.database.get(sql`SELECT 1 AS one`)
    await turn()
  }
}

describe('what a station tells its pages', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    desk.env.pass(2000)
    await settle(desk)
  })
  afterEach(() => desk.close())

  it('is a stream of events that no cache may keep', async () => {
    const ear = listen(desk)
    const headers = await ear.opened
    assert.equal(headers.status, '200')
    assert.match(String(headers['content-type']), /^text\/event-stream/)
    assert.equal(headers['cache-control'], 'no-store')
    ear.hangUp()
  })

  it('is the result of every scan that did not come from a page', async () => {
    await desk.sell('one')
    const ear = listen(desk)
    await ear.opened
    await desk.scan('from the page')
    const { body } = await desk.scan('one', { source: 'hid' })
    await desk.scan('unknown', { source: 'hid' })
    const heard = await ear.events(2)
    assert.deepEqual(heard[0], { event: 'result', data: body })
    assert.equal((heard[1]?.data as { reason: string } | undefined)?.reason, 'invalid')
    ear.hangUp()
  })

  it('is what its scanners read before it is set up, and nobody judges', async () => {
    await desk.close()
    desk = await openDesk()
    const ear = listen(desk)
    await ear.opened
    assert.equal((await desk.scan('typed by hand')).status, 409)
    assert.equal((await desk.scan('the pairing code', { source: 'hid' })).status, 409)
    const heard = await ear.events(1)
    assert.deepEqual(heard, [{ event: 'unjudged', data: { code: 'the pairing code' } }])
    ear.hangUp()
  })

  it('is the counts, at most once a second and only when something has changed', async () => {
    const ear = listen(desk)
    await ear.opened
    for (const secret of ['a', 'b', 'c']) {
      await desk.sell(secret)
      await desk.scan(secret)
    }
    desk.env.pass(999)
    await settle(desk)
    desk.env.pass(1)
    const [first] = await ear.events(1)
    assert.deepEqual(first, {
      event: 'counts',
      data: { checkin_count: 3, position_count: 3, inside_count: 3 },
    })
    desk.env.pass(60_000)
    await settle(desk)
    await desk.scan('c', { type: 'exit' })
    desk.env.pass(1000)
    const heard = await ear.events(2)
    assert.equal(heard.length, 2)
    assert.deepEqual(heard[1]?.data, { checkin_count: 3, position_count: 3, inside_count: 2 })
    ear.hangUp()
  })

  it('is the scanners and the settings when they change', async () => {
    const ear = listen(desk)
    await ear.opened
    const scanners = [{ name: 'Voyager', connected: false }]
    await desk.call('PUT', '/api/v1/station/scanners/', scanners)
    const { body } = await desk.setUp({ direction: 'exit' })
    const heard = await ear.events(2)
    assert.deepEqual(heard, [
      { event: 'scanners', data: scanners },
      { event: 'settings', data: body },
    ])
    ear.hangUp()
  })

  it('is a sign of life every fifteen seconds', async () => {
    const ear = listen(desk)
    await ear.opened
    desk.env.pass(15_000)
    await ear.comments(1)
    desk.env.pass(15_000)
    await ear.comments(2)
    ear.hangUp()
  })

  it('reaches every page, and stops for those that went', async () => {
    const [left, right] = [listen(desk), listen(desk)]
    await left.opened
    await right.opened
    left.hangUp()
    await desk.call('PUT', '/api/v1/station/scanners/', [])
    const heard = await right.events(1)
    assert.equal(heard[0]?.event, 'scanners')
    right.hangUp()
  })

  it('ends when the server stops', async () => {
    const other = await openDesk()
    const ear = listen(other)
    await ear.opened
    await other.close()
    await ear.end()
  })
})
