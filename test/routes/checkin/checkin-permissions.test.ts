import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { addEvent, addToken, allRights } from '../../support/servers/servers.ts'
import { addDevice, addList } from '../../support/ticketing/tickets.ts'
import { type Door, openDoor } from './checkin-door.ts'

const read = ['can_view_orders', 'can_checkin_orders']
const write = ['can_change_orders', 'can_checkin_orders']

interface Route {
  readonly method: string
  path(door: Door, event?: string): string
  readonly ofEvent: boolean
  readonly needs: readonly string[]
  readonly body?: (door: Door) => object
}

const list =
  (rest: string) =>
  (door: Door, event = 'gala') =>
    `${door.server.org}/events/${event}/checkinlists/${door.list}/${rest}`
const rpc = (rest: string) => (door: Door) => `${door.server.org}/checkinrpc/${rest}`

const routes: Readonly<Record<string, Route>> = {
  status: { method: 'GET', path: list('status/'), ofEvent: true, needs: read },
  positions: { method: 'GET', path: list('positions/'), ofEvent: true, needs: read },
  'one position': { method: 'GET', path: list('positions/1/'), ofEvent: true, needs: read },
  'redeem on one list': { method: 'POST', path: list('positions/x/redeem/'), ofEvent: true, needs: write },
  'failed scans': {
    method: 'POST',
    path: list('failed_checkins/'),
    ofEvent: true,
    needs: write,
    body: () => ({ raw_barcode: 'x', error_reason: 'error' }),
  },
  search: {
    method: 'GET',
    path: (door) => `${rpc('search/')(door)}?list=${door.list}`,
    ofEvent: false,
    needs: read,
  },
  redeem: {
    method: 'POST',
    path: rpc('redeem/'),
    ofEvent: false,
    needs: write,
    body: (door) => ({ secret: 'x', lists: [door.list] }),
  },
  annul: {
    method: 'POST',
    path: rpc('annul/'),
    ofEvent: false,
    needs: write,
    body: (door) => ({ nonce: 'x', lists: [door.list] }),
  },
}

/** A path's answer where the caller is admitted: what the caller may do is then none of this test's business. */
const letIn = new Set([200, 201, 404, 400])

describe('who may use the check-in', () => {
  let door: Door
  before(async () => {
    door = await openDoor(await openMemory())
    const { organizer } = door.place
    await door.write(async (tx) => {
      const ball = await addEvent(tx, organizer, 'ball')
      await addList(tx, { organizer, event: ball }, 'Ball')
      for (const right of Object.keys(allRights).filter((name) => name.startsWith('can_'))) {
        await addToken(tx, organizer, `only-${right}`, { all_events: true, [right]: true })
        await addToken(tx, organizer, `not-${right}`, { ...allRights, [right]: false })
      }
      await addToken(tx, organizer, 'ball-only', { ...allRights, all_events: false, limit_events: ['ball'] })
      await addToken(tx, organizer, 'off', allRights)
      await addDevice(tx, organizer, 1, 'full')
      await addDevice(tx, organizer, 2, 'revoked', { revoked: true })
      await addDevice(tx, organizer, 3, 'fresh', { initialized: null })
      await addDevice(tx, organizer, 4, 'ball-device', { all_events: false, limit_events: ['ball'] })
      for (const [index, profile] of ['scan', 'kiosk', 'gate', 'boxoffice'].entries())
        await addDevice(tx, organizer, 10 + index, profile, { security_profile: profile })
    })
    await door.database.run(sql`UPDATE team_token SET active = 0 WHERE name = 'off'`)
  })
  after(() => door.server.close())

  const ask = async (route: Route, authorization: string | undefined, event?: string) => {
    const path = route.path(door, event)
    const body = route.method === 'POST' ? (route.body?.(door) ?? {}) : undefined
    const answer = await fetch(door.server.url + path, {
      method: route.method,
      headers: {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        'Content-Type': 'application/json',
      },
      body: body && JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, answer }
  }

  const strangers = [
    undefined,
    'Token unknown',
    'Token off',
    'Token',
    'Token a b',
    'Basic YTpi',
    'Device unknown',
    'Device revoked',
    'Device fresh',
    'Device all',
    'Token full',
    'Station key',
  ]

  for (const [name, route] of Object.entries(routes)) {
    it(`answers 401 to strangers at ${name}`, async () => {
      for (const credential of strangers) {
        const { status, body, answer } = await ask(route, credential)
        assert.equal(status, 401, String(credential))
        assert.deepEqual(Object.keys(body), ['detail'])
        assert.equal(answer.headers.get('www-authenticate'), 'Token')
      }
    })

    it(`admits who may ${route.needs.join(' or ')}, and nobody else, at ${name}`, async () => {
      for (const right of Object.keys(allRights).filter((one) => one.startsWith('can_'))) {
        const { status } = await ask(route, `Token only-${right}`)
        if (route.needs.includes(right)) assert.ok(letIn.has(status), `${right}: ${status}`)
        else assert.equal(status, 403, right)
      }
      for (const right of route.needs)
        assert.ok(letIn.has((await ask(route, `Token not-${right}`)).status), right)
    })

    it(`lets devices in at ${name}`, async () => {
      assert.ok(letIn.has((await ask(route, 'Device full')).status))
    })

    it(`answers 403 for other organizers and events, there or not, at ${name}`, async () => {
      const foreign = { ...route, path: () => route.path(door).replace('/acme/', '/nowhere/') }
      assert.equal((await ask(foreign, 'Token all')).status, 403)
      if (!route.ofEvent) return
      for (const [credential, event] of [
        ['Token all', 'missing'],
        ['Token ball-only', 'gala'],
        ['Device ball-device', 'gala'],
      ] as const) {
        const { status, body } = await ask(route, credential, event)
        assert.deepEqual([status, Object.keys(body)], [403, ['detail']], credential)
      }
      assert.equal((await ask(route, 'Token all', 'ball')).status, 404)
    })

    it(`answers 405 to other methods at ${name}`, async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE', route.method === 'GET' ? 'POST' : 'GET']) {
        const answer = await door.server.call(method, route.path(door))
        // The path of one position is also the beginning of another one.
        assert.equal(answer.status, 405, method)
        assert.deepEqual(Object.keys(answer.body as object), ['detail'])
      }
    })
  }

  const searching = ['positions', 'one position']
  const profiles: Readonly<Record<string, readonly string[]>> = {
    scan: [],
    kiosk: searching,
    gate: searching,
    boxoffice: [],
  }
  for (const [profile, closed] of Object.entries(profiles))
    it(`closes ${closed.length === 0 ? 'nothing' : closed.join(', ')} to devices of the profile ${profile}`, async () => {
      for (const [name, route] of Object.entries(routes)) {
        const { status } = await ask(route, `Device ${profile}`)
        if (closed.includes(name)) assert.equal(status, 403, name)
        else assert.ok(letIn.has(status), `${name}: ${status}`)
      }
    })
})
