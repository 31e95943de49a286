import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addOrder } from '../../support/ticketing/tickets.ts'

for (const engine of engines)
  describe(`customers on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const customers = () => `${server.org}/customers/`
    const memberships = () => `${server.org}/memberships/`
    const types = () => `${server.org}/membershiptypes/`
    const make = (body: RowData = {}, status = 201) => ask('POST', customers(), status, body)
    const makeType = (name = 'Season ticket') => ask('POST', types(), 201, { name })
    const year = { date_start: '2030-01-01T00:00:00Z', date_end: '2030-12-31T00:00:00Z' }

    before(async () => {
      // Moments of whole seconds are shown in a shorter form.
      const now = (): number => Math.floor(realEnv.now() / 1000) * 1000
      server = await startTestServer(await engine.open(), null, { env: { ...realEnv, now } })
    })
    after(() => server.close())

    it('have an identifier of their own and the name that its parts make', async () => {
      const ann = await make({
        email: 'ann@example.org',
        identifier: 'MINE',
        name_parts: { given_name: 'Ann', family_name: 'Lee' },
      })
      assert.match(String(ann.identifier), /^[A-HJ-NP-Z3789]{7}$/)
      assert.equal(ann.name, 'Ann Lee')
      assert.deepEqual(ann.name_parts, { _scheme: 'given_family', given_name: 'Ann', family_name: 'Lee' })
      assert.equal('id' in ann, false)
      assert.deepEqual(await ask('GET', `${customers()}${ann.identifier}/`, 200), ann)
      await ask('DELETE', `${customers()}${ann.identifier}/`, 405)
    })

    it('are there once by their address, in large letters and in small ones', async () => {
      const bob = await make({ email: 'bob@example.org' })
      assert.deepEqual(Object.keys(await make({ email: 'BOB@example.org' }, 400)), ['email'])
      await ask('PATCH', `${customers()}${bob.identifier}/`, 200, { email: 'Bob@example.org' })
      assert.deepEqual(
        valuesOf(await ask('GET', `${customers()}?email=bob@EXAMPLE.org`, 200), 'identifier'),
        [bob.identifier],
      )
      // Nobody has to say an address.
      for (let n = 0; n < 2; n += 1) assert.equal((await make()).email, null)
    })

    it('are forgotten, and with them what says who they are', async () => {
      const eve = await make({ email: 'eve@example.org', name_parts: { _scheme: 'full', full_name: 'Eve' } })
      const path = `${customers()}${eve.identifier}/`
      assert.equal(eve.is_verified, true)
      const type = await makeType()
      const membership = await ask('POST', memberships(), 201, {
        customer: eve.identifier,
        membership_type: type.id,
        attendee_name_parts: { _scheme: 'full', full_name: 'Eve' },
        ...year,
      })
      const place = { organizer: server.organizer, event: server.event }
      const { code } = await server.running.transactions.write(async (tx) => {
        const item = await addItem(tx, place, 'Ticket')
        return addOrder(tx, place, [{ item, secret: 'eve' }], { customer: eve.identifier })
      })
      const left = await ask('POST', `${path}anonymize/`, 200)
      assert.deepEqual(
        [left.email, left.name, left.name_parts, left.is_active, left.is_verified],
        [null, '', {}, false, false],
      )
      assert.deepEqual(await ask('GET', path, 200), left)
      assert.equal((await ask('GET', `${server.ev}/orders/${code}/`, 200)).customer, null)
      const seen = await ask('GET', `${memberships()}${membership.id}/`, 200)
      assert.deepEqual(seen.attendee_name_parts, {})
      const traces = await server.running.transactions.database.all<{ action: string; data: string | null }>(
        sql`SELECT action, data FROM audit WHERE resource = 'customer' AND data LIKE '%eve@%'`,
      )
      assert.deepEqual(traces, [])
      await ask('POST', `${customers()}NOBODY/anonymize/`, 404)
    })

    it('have memberships, which stay theirs and are not deleted', async () => {
      const [one, two, type] = [await make(), await make(), await makeType()]
      const body = { customer: one.identifier, membership_type: type.id, ...year }
      const membership = await ask('POST', memberships(), 201, { ...body, testmode: true })
      const path = `${memberships()}${membership.id}/`
      const changed = await ask('PATCH', path, 200, { customer: two.identifier, testmode: false })
      assert.deepEqual([changed.customer, changed.testmode], [one.identifier, true])
      await ask('DELETE', path, 405)
      const found = resultsOf(
        await ask('GET', `${memberships()}?customer=${one.identifier}&testmode=true`, 200),
      )
      assert.deepEqual(
        found.map(({ id }) => id),
        [membership.id],
      )
      assert.deepEqual(
        Object.keys(await ask('POST', memberships(), 400, { ...body, date_end: '2029-01-01T00:00:00Z' })),
        ['non_field_errors'],
      )
    })

    it('keep the kinds of membership that they have', async () => {
      const [one, type] = [await make(), await makeType()]
      await ask('POST', memberships(), 201, { customer: one.identifier, membership_type: type.id, ...year })
      assert.deepEqual(Object.keys(await ask('DELETE', `${types()}${type.id}/`, 403)), ['detail'])
    })
  })

describe('a kind of membership', () => {
  let server: TestServer
  const ask = asking(() => server)
  const makeType = async () =>
    Number((await ask('POST', `${server.org}/membershiptypes/`, 201, { name: 'Season ticket' })).id)
  const remove = (type: number, status: number) =>
    ask('DELETE', `${server.org}/membershiptypes/${type}/`, status)
  const makeItem = (body: RowData, status = 201) =>
    ask('POST', `${server.ev}/items/`, status, { name: 'Ticket', default_price: '1', ...body })

  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  it('is deleted while nothing asks for it or grants it', async () => {
    const [required, granted, unused] = [await makeType(), await makeType(), await makeType()]
    const item = await makeItem({ require_membership_types: [required], grant_membership_type: granted })
    for (const type of [required, granted]) await remove(type, 403)
    await remove(unused, 204)
    await ask('PATCH', `${server.ev}/items/${item.id}/`, 200, {
      require_membership_types: [],
      grant_membership_type: null,
    })
    for (const type of [required, granted]) await remove(type, 204)
  })

  it('is kept for variations that ask for it', async () => {
    const type = await makeType()
    await makeItem({ variations: [{ value: 'A', require_membership_types: [type] }] })
    await remove(type, 403)
  })

  it('must exist to be asked for or granted', async () => {
    for (const [body, key] of [
      [{ require_membership_types: [999999999] }, 'require_membership_types'],
      [{ grant_membership_type: 999999999 }, 'grant_membership_type'],
      [{ variations: [{ value: 'A', require_membership_types: [999999999] }] }, 'variations'],
    ] as const)
      assert.deepEqual(Object.keys(await makeItem(body, 400)), [key])
  })
})
