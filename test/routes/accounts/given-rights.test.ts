import assert from 'node:assert/strict'
import { permissions } from '../../../schema/permissions.ts'
import type { Refusal } from '../../../server/errors.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import type { Scope } from '../../../server/resource/api.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { userActor } from '../../../server/services/accounts/users.ts'
import { ownCodesOnly } from '../../../server/services/devices/device-behaviour.ts'
import { createDevice } from '../../../server/services/devices/devices.ts'
import { engines } from '../../support/engines/engines.ts'
import {
  type Answer,
  addEvent,
  addToken,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

/** Tokens, and what their teams may do. */
const holders: Readonly<Record<string, RowData>> = {
  settings: { all_events: true, can_change_organizer_settings: true },
  teams: { all_events: true, can_change_teams: true },
  door: { all_events: true, can_change_organizer_settings: true, can_checkin_orders: true },
  search: {
    ...{ all_events: true, can_change_organizer_settings: true },
    ...{ can_checkin_orders: true, can_view_orders: true, can_manage_reusable_media: true },
  },
  till: {
    ...{ all_events: true, can_change_organizer_settings: true, can_view_vouchers: true },
    ...{ can_view_orders: true, can_change_orders: true, can_manage_gift_cards: true },
    can_manage_reusable_media: true,
  },
  gala: {
    ...{ limit_events: ['gala'], can_change_organizer_settings: true, can_change_teams: true },
    ...{
      can_view_orders: true,
      can_change_orders: true,
      can_manage_gift_cards: true,
      can_manage_reusable_media: true,
      can_view_vouchers: true,
    },
  },
}

for (const engine of engines)
  describe(`what nobody has to give on ${engine.name}`, () => {
    let server: TestServer
    before(async () => {
      server = await startTestServer(await engine.open())
      await server.running.transactions.write(async (tx) => {
        await addEvent(tx, server.organizer, 'ball')
        for (const [token, rights] of Object.entries(holders))
          await addToken(tx, server.organizer, token, rights)
      })
    })
    after(() => server.close())

    const as = (token: string, method: string, path: string, body?: RowData): Promise<Answer> =>
      server.call(method, `${server.org}/${path}`, body, { Authorization: `Token ${token}` })
    const status = async (...asked: Parameters<typeof as>): Promise<number> => (await as(...asked)).status
    const made = async (path: string, body: RowData): Promise<RowData> => {
      const answer = await as('all', 'POST', path, body)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body as RowData
    }

    it('is no profile of a device that may do more than they themselves', async () => {
      const may: Readonly<Record<string, readonly string[]>> = {
        all: ['full', 'boxoffice', 'scan', 'kiosk', 'gate'],
        settings: [],
        door: ['kiosk', 'gate'],
        search: ['scan', 'kiosk', 'gate'],
        till: ['full', 'boxoffice', 'scan', 'kiosk', 'gate'],
      }
      for (const [token, profiles] of Object.entries(may))
        for (const security_profile of ['full', 'boxoffice', 'scan', 'kiosk', 'gate']) {
          const device = { name: 'New', all_events: true, security_profile }
          const expected = profiles.includes(security_profile) ? 201 : 403
          assert.equal(
            await status(token, 'POST', 'devices/', device),
            expected,
            `${token} ${security_profile}`,
          )
        }
    })

    it('are no events of a device that they may not enter', async () => {
      const device = { name: 'New', security_profile: 'full' }
      assert.equal(await status('gala', 'POST', 'devices/', { ...device, limit_events: ['gala'] }), 201)
      assert.equal(await status('gala', 'POST', 'devices/', { ...device, limit_events: ['ball'] }), 403)
      assert.equal(await status('gala', 'POST', 'devices/', { ...device, all_events: true }), 403)
    })

    it('is nothing more for a device that exists, of which the rest can be changed', async () => {
      const { device_id } = await made('devices/', {
        ...{ name: 'Gate', limit_events: ['gala'], security_profile: 'gate' },
      })
      const path = `devices/${device_id}/`
      const change = (token: string, body: RowData) => status(token, 'PATCH', path, body)
      assert.equal(await change('settings', { security_profile: 'full' }), 403)
      assert.equal(await change('settings', { all_events: true, limit_events: [] }), 403)
      assert.equal(await change('settings', { limit_events: ['gala', 'ball'] }), 403)
      assert.equal(await change('settings', { name: 'Gate A' }), 200)
      assert.equal(await change('door', { limit_events: ['gala', 'ball'] }), 200)
      assert.equal(await change('search', { security_profile: 'scan' }), 200)
      assert.equal(await change('settings', { security_profile: 'gate', limit_events: [] }), 200)
    })

    it('is no right of a team that they do not have at its events', async () => {
      const team = { name: 'New', all_events: true }
      for (const right of permissions) {
        const expected = right === 'can_change_teams' ? 201 : 403
        assert.equal(await status('teams', 'POST', 'teams/', { ...team, [right]: true }), expected, right)
        assert.equal(await status('all', 'POST', 'teams/', { ...team, [right]: true }), 201, right)
      }
      const view = { name: 'New', can_view_orders: true }
      assert.equal(await status('gala', 'POST', 'teams/', { ...view, limit_events: ['gala'] }), 201)
      assert.equal(await status('gala', 'POST', 'teams/', { ...view, limit_events: ['ball'] }), 403)
      assert.equal(await status('gala', 'POST', 'teams/', { ...view, all_events: true }), 403)
    })

    it('is nothing more for a team that exists, least of all their own', async () => {
      const { id } = await made('teams/', { name: 'Door', limit_events: ['gala'], can_checkin_orders: true })
      const change = (token: string, body: RowData) => status(token, 'PATCH', `teams/${id}/`, body)
      assert.equal(await change('teams', { can_view_orders: true }), 403)
      assert.equal(await change('teams', { limit_events: [], all_events: true }), 403)
      assert.equal(await change('teams', { limit_events: ['gala', 'ball'] }), 403)
      assert.equal(await change('teams', { name: 'Doors' }), 200)
      assert.equal(await change('gala', { can_view_orders: true }), 200)
      assert.equal(await change('teams', { can_view_orders: false }), 200)
      const { results } = (await as('all', 'GET', 'teams/')).body as { results: RowData[] }
      const own = results.find(({ name }) => name === 'teams')
      assert.equal(await status('teams', 'PATCH', `teams/${own?.id}/`, { can_change_orders: true }), 403)
    })

    it('is no token of a team and no place in one that may do more', async () => {
      const strong = await made('teams/', { name: 'Strong', all_events: true, can_change_orders: true })
      const weak = await made('teams/', { name: 'Weak', all_events: true })
      for (const [team, expected] of [
        [strong, 403],
        [weak, 201],
      ] as const) {
        const invitation = { email: `somebody${expected}@example.org` }
        assert.equal(await status('teams', 'POST', `teams/${team.id}/tokens/`, { name: 'T' }), expected)
        assert.equal(await status('teams', 'POST', `teams/${team.id}/invites/`, invitation), expected)
        assert.equal(await status('all', 'POST', `teams/${team.id}/tokens/`, { name: 'T' }), 201)
      }
    })

    it('is news of events that they may not enter', async () => {
      const hook = { target_url: 'https://example.org/hook', action_types: ['ticketsvc.event.order.placed'] }
      const limited = { ...hook, limit_events: ['gala'] }
      assert.equal(await status('gala', 'POST', 'webhooks/', limited), 201)
      assert.equal(await status('gala', 'POST', 'webhooks/', { ...hook, all_events: true }), 403)
      const { id } = await made('webhooks/', { ...hook, all_events: true })
      const elsewhere = { target_url: 'https://example.org/other' }
      assert.equal(await status('gala', 'PATCH', `webhooks/${id}/`, elsewhere), 403)
      assert.equal(await status('gala', 'PATCH', `webhooks/${id}/`, { enabled: false }), 200)
      assert.equal(await status('settings', 'PATCH', `webhooks/${id}/`, elsewhere), 200)
    })

    it('is the one-time code of a device that somebody else has made', async () => {
      const body = { name: 'Mine', all_events: true, security_profile: 'gate' }
      const mine = (await as('door', 'POST', 'devices/', body)).body as RowData
      assert.match(String(mine.initialization_token), /^[a-z0-9]{16}$/)
      const path = `devices/${mine.device_id}/`
      const codeFor = async (token: string, address: string): Promise<unknown> => {
        const answer = (await as(token, 'GET', address)).body as RowData & { results?: RowData[] }
        const row = answer.results?.find(({ device_id }) => device_id === mine.device_id) ?? answer
        assert.equal(row.device_id, mine.device_id)
        return row.initialization_token
      }
      for (const address of [path, 'devices/?ordering=-device_id']) {
        assert.equal(await codeFor('door', address), mine.initialization_token, address)
        for (const other of ['settings', 'all', 'till'])
          assert.equal(await codeFor(other, address), null, address)
      }
      const changed = (await as('settings', 'PATCH', path, { name: 'Ours' })).body as RowData
      assert.deepEqual([changed.name, changed.initialization_token], ['Ours', null])
      const revoked = (await as('settings', 'POST', `${path}revoke/`)).body as RowData
      assert.deepEqual([revoked.revoked, revoked.initialization_token], [true, null])
    })

    /** Somebody with a team that may change settings everywhere, and one that may do the rest at one event. */
    const person = (id: number, scopes: readonly string[]): Actor => ({
      ...userActor({ id, email: 'ada@example.org' }),
      scopes,
      teams: [
        {
          ...{ organizer: server.organizer, allEvents: true, events: new Set() },
          permissions: new Set(['can_change_organizer_settings', 'can_view_vouchers']),
        },
        {
          ...{ organizer: server.organizer, allEvents: false, events: new Set([server.event]) },
          permissions: new Set([
            ...(['can_view_orders', 'can_change_orders'] as const),
            ...(['can_manage_gift_cards', 'can_manage_reusable_media'] as const),
          ]),
        },
      ],
    })
    const scopeOf = (actor: Actor): Scope => ({
      ...{ actor, event: null, place: { organizer: server.organizer, event: 0 } },
      organizer: { id: server.organizer, slug: 'acme' },
    })

    it('is what their teams allow together only where these meet', async () => {
      const { transactions } = server.running
      const give = (body: RowData) =>
        transactions.write(async (tx) =>
          createDevice(tx, scopeOf(person(7, ['write'])), {
            name: 'Till',
            security_profile: 'boxoffice',
            ...body,
          }),
        )
      assert.equal((await give({ limit_events: ['gala'] })).security_profile, 'boxoffice')
      for (const beyond of [{ all_events: true }, { limit_events: ['gala', 'ball'] }])
        await assert.rejects(give(beyond), ({ status }: Refusal) => status === 403)
    })

    it('is a code for a program that was only allowed to read', async () => {
      const { transactions } = server.running
      const maker = person(7, ['read', 'write'])
      const row = await transactions.write((tx) =>
        createDevice(tx, scopeOf(maker), { name: 'Till', limit_events: ['gala'], security_profile: 'gate' }),
      )
      const codeFor = async (actor: Actor) =>
        (await ownCodesOnly(transactions.database, scopeOf(actor), [row]))[0]?.initialization_token
      assert.equal(await codeFor(maker), row.initialization_token)
      assert.equal(await codeFor(person(7, ['read'])), null)
      assert.equal(await codeFor(person(8, ['read', 'write'])), null)
    })
  })
