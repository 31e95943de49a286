import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { bodyOf, type Door, openDoor, verdict } from '../routes/checkin/checkin-door.ts'

/** Who asks, the event and the list are remembered between requests: here is what must be seen at once all the same. */
describe('a request after something has changed', () => {
  let folder: string
  let door: Door
  let sold: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-remembered-'))
    door = await openDoor(openSqlite(join(folder, 'gatehouse.sqlite')))
    sold = 0
    assert.equal(await scan(), '201 ok')
  })
  afterEach(async () => {
    await door.server.close()
    await rm(folder, { recursive: true })
  })

  const answerTo = async (headers = {}) => {
    sold += 1
    const secret = `ticket-${sold}`
    await door.sell(secret)
    return door.redeem(secret, {}, headers)
  }
  const scan = async () => verdict(await answerTo())
  /** What another program does with the same file, such as a command beside a running server. */
  const elsewhere = (statement: string) => {
    const other = new Sqlite(join(folder, 'gatehouse.sqlite'))
    const { changes } = other.prepare(statement).run()
    other.close()
    assert.ok(changes > 0)
  }
  const here = (path: string, body: object) => door.server.call('PATCH', `${door.server.ev}${path}`, body)

  it('is refused with a token that another program has disabled, and admitted once it is enabled', async () => {
    elsewhere(`UPDATE team_token SET active = 0`)
    assert.equal((await answerTo()).status, 401)
    elsewhere(`UPDATE team_token SET active = 1`)
    assert.equal(await scan(), '201 ok')
  })

  it('is refused with a token that another program has deleted', async () => {
    elsewhere(`DELETE FROM team_token`)
    assert.equal((await answerTo()).status, 401)
  })

  it('is refused to a team that may not scan any more, or not this event', async () => {
    elsewhere(`UPDATE team SET can_change_orders = 0, can_checkin_orders = 0`)
    assert.equal((await answerTo()).status, 403)
    elsewhere(`UPDATE team SET can_change_orders = 1, all_events = 0`)
    assert.equal((await answerTo()).status, 400)
    elsewhere(`UPDATE team SET limit_events = '["gala"]'`)
    assert.equal(await scan(), '201 ok')
  })

  it('is judged by the list as another program has left it', async () => {
    elsewhere(`UPDATE checkin_list SET all_products = 0`)
    assert.equal(await scan(), '400 error product')
    elsewhere(`UPDATE checkin_list SET all_products = 1`)
    assert.equal(await scan(), '201 ok')
  })

  it('is judged by the list as it was changed here', async () => {
    const path = `/checkinlists/${door.list}/`
    assert.equal((await here(path, { all_products: false, limit_products: [] })).status, 200)
    assert.equal(await scan(), '400 error product')
    assert.equal((await here(path, { all_products: true })).status, 200)
    assert.equal(await scan(), '201 ok')
  })

  it('shows the list under the name that it has now', async () => {
    await here(`/checkinlists/${door.list}/`, { name: 'East' })
    assert.equal((bodyOf(await answerTo()).list as { name: string }).name, 'East')
    elsewhere(`UPDATE checkin_list SET name = 'West'`)
    assert.equal((bodyOf(await answerTo()).list as { name: string }).name, 'West')
  })

  it('is asked questions that were added since, and not those that were taken away', async () => {
    const made = await door.server.call('POST', `${door.server.ev}/questions/`, {
      question: { en: 'Your size?' },
      type: 'S',
      required: true,
      items: [door.item],
      ask_during_checkin: true,
    })
    assert.equal(made.status, 201)
    assert.equal(await scan(), '400 incomplete')
    elsewhere(`UPDATE question SET ask_during_checkin = 0`)
    assert.equal(await scan(), '201 ok')
  })

  it('is not found in an event or organizer that goes by another name now', async () => {
    const at = (org: string, ev: string) =>
      door.server.call('GET', `/api/v1/organizers/${org}/events/${ev}/checkinlists/`)
    assert.equal((await at('acme', 'gala')).status, 200)
    elsewhere(`UPDATE event SET slug = 'ball'`)
    assert.deepEqual([(await at('acme', 'gala')).status, (await at('acme', 'ball')).status], [403, 200])
    elsewhere(`UPDATE organizer SET slug = 'umbrella'`)
    assert.deepEqual([(await at('acme', 'ball')).status, (await at('umbrella', 'ball')).status], [403, 200])
  })

  it('is refused to a device that was revoked a moment ago', async () => {
    const made = await door.server.call('POST', `${door.server.org}/devices/`, {
      name: 'Door',
      all_events: true,
    })
    const initialized = await door.server.call('POST', '/api/v1/device/initialize', {
      token: bodyOf(made).initialization_token,
      hardware_brand: 'a',
      hardware_model: 'b',
      software_brand: 'c',
      software_version: '1',
    })
    const headers = { Authorization: `Device ${bodyOf(initialized).api_token}` }
    const passes = async () => {
      const position = bodyOf(await answerTo(headers)).position as { checkins: { device_id: number }[] }
      return position.checkins.map((one) => one.device_id)
    }
    assert.deepEqual(await passes(), [bodyOf(initialized).device_id])
    elsewhere(`UPDATE device SET revoked = 1`)
    assert.equal((await answerTo(headers)).status, 401)
  })
})
