import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { neverTwice } from '../../support/mocha/never-twice.ts'
import { addEvent, addToken, startTestServer, type TestServer } from '../../support/servers/servers.ts'

interface Entry {
  readonly id: number
  readonly datetime: string
  readonly event: string | null
  readonly actor: { readonly kind: string; readonly id: number; readonly name: string | null }
  readonly action: string
  readonly resource: string
  readonly object: number
  readonly data: Record<string, unknown> | null
}

for (const { name, open } of engines)
  describe(`the audit log, on ${name}`, () => {
    let server: TestServer
    let category: number
    before(async () => {
      server = await startTestServer(await open(), null, { env: neverTwice() })
      await server.running.transactions.write(async (tx) => {
        const { organizer } = server
        await addEvent(tx, organizer, 'fete')
        const settings = { can_change_organizer_settings: true, can_change_event_settings: true }
        await addToken(tx, organizer, 'settings', { all_events: true, ...settings })
        await addToken(tx, organizer, 'fete-only', { ...settings, limit_events: ['fete'] })
      })
      const made = await server.call('POST', `${server.ev}/categories/`, { name: 'Day' })
      category = (made.body as { id: number }).id
      await server.call('PATCH', `${server.ev}/categories/${category}/`, { name: 'Night' })
      await server.call('POST', `${server.org}/events/fete/categories/`, { name: 'Fete' })
      await server.call('POST', `${server.ev}/vouchers/`, { code: 'PLANTEDCODE1' })
      await server.call('POST', `${server.org}/gates/`, { name: 'North' })
    })
    after(() => server.close())

    const entries = async (query = '', path = server.org, token = 'all'): Promise<readonly Entry[]> => {
      const answer = await server.call('GET', `${path}/auditlog/${query}`, undefined, {
        Authorization: `Token ${token}`,
      })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return (answer.body as { results: Entry[] }).results
    }
    const actions = async (...args: Parameters<typeof entries>) =>
      (await entries(...args)).map(({ action }) => action.replace('ticketsvc.', ''))

    it('says who did what, and when, newest first', async () => {
      assert.deepEqual(await actions(), [
        'gate.added',
        'event.voucher.added',
        'event.category.added',
        'event.category.changed',
        'event.category.added',
      ])
      const entry = (await entries('', server.ev)).find(({ action }) => action.endsWith('category.changed'))
      assert.ok(entry)
      const { id, datetime, actor, ...rest } = entry
      assert.ok(id > 0 && actor.id > 0 && !Number.isNaN(Date.parse(datetime)))
      assert.deepEqual([actor.kind, actor.name], ['token', 'all'])
      assert.deepEqual(rest, {
        event: 'gala',
        action: 'ticketsvc.event.category.changed',
        resource: 'category',
        object: category,
        data: { name: { en: 'Night' } },
      })
    })

    it('can be looked through by action, object, actor, event and time', async () => {
      const [newest, , third] = await entries()
      assert.ok(newest && third)
      const by: readonly (readonly [string, readonly string[]])[] = [
        ['?action=ticketsvc.gate.added', ['gate.added']],
        ['?action=ticketsvc.event.category.*&event=gala', ['event.category.changed', 'event.category.added']],
        ['?action=ticketsvc.event.categor_.added', []],
        [`?resource=category&object=${category}`, ['event.category.changed', 'event.category.added']],
        ['?event=fete', ['event.category.added']],
        ['?event=unknown', []],
        ['?actor_kind=device', []],
        [`?actor_kind=token&actor=${newest.actor.id}&resource=gate`, ['gate.added']],
        [`?since=${newest.datetime}`, ['gate.added']],
        [`?before=${third.datetime}`, ['event.category.changed', 'event.category.added']],
        ['?page_size=1&page=2', ['event.voucher.added']],
      ]
      for (const [query, expected] of by) assert.deepEqual(await actions(query), expected, query)
      for (const query of ['?object=x', '?since=yesterday'])
        assert.equal((await server.call('GET', `${server.org}/auditlog/${query}`)).status, 400, query)
    })

    it('shows of an event only what was done in it, and nothing of events one may not enter', async () => {
      assert.deepEqual(await actions('', `${server.org}/events/fete`, 'fete-only'), ['event.category.added'])
      assert.deepEqual(await actions('', server.org, 'fete-only'), ['gate.added', 'event.category.added'])
      const denied = await server.call('GET', `${server.ev}/auditlog/`, undefined, {
        Authorization: 'Token fete-only',
      })
      assert.equal(denied.status, 403)
    })

    it('keeps what was done to objects from those who may not see these', async () => {
      const [seen] = await entries('?resource=voucher')
      const [hidden] = await entries('?resource=voucher', server.org, 'settings')
      assert.equal(seen?.data?.code, 'PLANTEDCODE1')
      assert.deepEqual([hidden?.id, hidden?.data], [seen?.id, null])
    })

    it('cannot be changed', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const path of [server.org, server.ev])
          assert.equal(
            (
              await fetch(`${server.url}${path}/auditlog/`, {
                method,
                headers: { Authorization: 'Token all' },
              })
            ).status,
            405,
          )
    })

    it('holds no secret of what it tells of', async () => {
      const secrets: unknown[] = []
      const make = async (path: string, body: object, ...fields: readonly string[]) => {
        const made = await server.call('POST', `${server.org}/${path}/`, body)
        assert.ok(made.status === 201 || made.status === 200, JSON.stringify(made.body))
        const shown = made.body as Record<string, unknown>
        secrets.push(...fields.map((field) => shown[field]))
        return shown
      }
      const team = await make('teams', { name: 'T', all_events: true, limit_events: [] })
      await make(`teams/${team.id}/tokens`, { name: 'X' }, 'token')
      await make('devices', { name: 'D', all_events: true }, 'initialization_token')
      await make(
        'webhooks',
        {
          target_url: 'https://example.org/',
          all_events: true,
          action_types: ['ticketsvc.event.order.placed'],
        },
        'secret',
      )
      assert.equal(secrets.length, 3)
      const { database } = server.running.transactions
      const text = JSON.stringify(await database.all(sql`SELECT data FROM audit`))
      for (const secret of secrets) {
        assert.ok(String(secret).length > 10, String(secret))
        assert.ok(!text.includes(String(secret)))
      }
    })
  })
