import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { device } from '../../../schema/resources/devices/device.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

const siteSpan = 2 ** 32

for (const engine of engines)
  describe(`a hub's own device, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    const hub = () => ({ device: upstream.north.device, site: 1000 })
    const setHub = (values: RowData) =>
      upstream.transactions.write((tx) =>
        updateRow(
          tx,
          device,
          { organizer: upstream.place.organizer, event: 0 },
          { id: upstream.north.device, ...values },
        ),
      )
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      await setHub({ site: 1000, site_end: 2000 })
    })
    afterEach(() => upstream.close())

    const own = 1000 * siteSpan + 1
    const tell = (row: RowData) =>
      upstream.apply(
        upstream.fact('device', hub(), {
          row: {
            id: own,
            device_id: 7,
            unique_serial: 'SERIAL',
            name: 'Tablet',
            all_events: true,
            limit_events: [],
            security_profile: 'scan',
            gate: null,
            revoked: false,
            created: '2030-06-01T09:00:00Z',
            initialized: null,
            token_hash: 'hash',
            site: 1001,
            ...row,
          },
        }),
      )
    const stored = (id = own) =>
      upstream.database.get<RowData>(
        sql`SELECT * FROM device WHERE organizer = ${upstream.place.organizer} AND id = ${id}`,
      )

    it('is known here with its token, its site and its number', async () => {
      assert.deepEqual(await tell({}), { status: 'applied' })
      const row = await stored()
      assert.deepEqual(
        [row?.name, row?.token_hash, row?.site, row?.device_id, row?.security_profile, row?.all_events],
        ['Tablet', 'hash', 1001, 7, 'scan', 1],
      )
    })

    it('is brought up to date when it is reported again', async () => {
      await tell({})
      await tell({ name: 'Tablet 2', token_hash: 'newer', revoked: true })
      const row = await stored()
      assert.deepEqual([row?.name, row?.token_hash, row?.revoked], ['Tablet 2', 'newer', 1])
    })

    it('stays revoked where it was revoked here', async () => {
      await tell({})
      await upstream.database.run(sql`UPDATE device SET revoked = 1 WHERE id = ${own}`)
      await tell({ name: 'Tablet 2' })
      assert.equal((await stored())?.revoked, 1)
    })

    it('gets another number where its number was given here meanwhile, and keeps it', async () => {
      await tell({ device_id: 2 })
      assert.equal((await stored())?.device_id, 3)
      await tell({ device_id: 2 })
      assert.equal((await stored())?.device_id, 3)
    })

    it('stays one of a hub that has joined anew, with the sites that this gave before', async () => {
      await tell({ token_hash: 'hash', site: 1001 })
      await setHub({ site: 3000, site_end: 4000, former_sites: [[1000, 2000]] })
      assert.deepEqual(await tell({ name: 'Tablet 2', site: 1002 }), { status: 'applied' })
      assert.deepEqual(await tell({ id: 3000 * siteSpan + 1, device_id: 8, site: 3001 }), {
        status: 'applied',
      })
      assert.deepEqual([(await stored())?.name, (await stored())?.site], ['Tablet 2', 1002])
      for (const site of [1000, 2000, 3000, 4000]) assert.equal((await tell({ site })).status, 'rejected')
    })

    it('keeps its access when its hub tells of it as it was before it was set up', async () => {
      await tell({ initialized: '2030-06-01T09:10:00Z' })
      await tell({ name: 'Tablet 2', token_hash: null, initialized: null, site: null })
      const row = await stored()
      assert.deepEqual([row?.name, row?.token_hash, row?.site], ['Tablet 2', 'hash', 1001])
      assert.notEqual(row?.initialized, null)
    })

    it('can be a hub itself, with sites that its own hub gives it', async () => {
      await tell({ site: 1100, site_end: 1200, former_sites: [[1010, 1020]] })
      const row = await stored()
      assert.deepEqual([row?.site_end, row?.former_sites], [1200, '[[1010,1020]]'])
      for (const range of [
        { site: 1990, site_end: 2001 },
        { site: 1100, site_end: 1200, former_sites: [[900, 1010]] },
      ])
        assert.equal((await tell(range)).status, 'rejected')
    })

    it('keeps its range as a hub where it is reported as it was before it had one, and not as a station', async () => {
      await tell({ site: 1100, site_end: 1200 })
      await tell({ site: null, site_end: null })
      assert.deepEqual([(await stored())?.site, (await stored())?.site_end], [1100, 1200])
      await tell({ site: 1300, site_end: null })
      assert.deepEqual([(await stored())?.site, (await stored())?.site_end], [1300, null])
    })

    it('is one with an id and a site of its hub', async () => {
      for (const row of [
        { id: upstream.south.device },
        { id: upstream.north.device },
        { id: 2000 * siteSpan + 1 },
        { id: 999 * siteSpan + 1 },
        { site: 1000 },
        { site: 2000 },
        { site: 3 },
      ])
        assert.deepEqual([(await tell(row)).status, (await tell(row)).reason], ['rejected', 'forbidden'])
      assert.equal(await stored(), undefined)
      assert.equal((await stored(upstream.south.device))?.name, 'South')
    })

    it('may do no more than its hub', async () => {
      await setHub({ all_events: false, limit_events: ['gala', 'ball'], security_profile: 'gate' })
      await tell({ security_profile: 'full' })
      const all = await stored()
      assert.deepEqual(
        [all?.all_events, all?.limit_events, all?.security_profile],
        [0, '["gala","ball"]', 'gate'],
      )
      await tell({ all_events: false, limit_events: ['gala', 'other'] })
      assert.equal((await stored())?.limit_events, '["gala"]')
    })

    it('is not reported by a station', async () => {
      const fact = upstream.fact('device', upstream.south, {
        row: {
          id: 102 * siteSpan + 1,
          device_id: 9,
          unique_serial: 'S',
          name: 'X',
          created: '2030-06-01T09:00:00Z',
          site: 1001,
        },
      })
      assert.equal((await upstream.apply(fact)).status, 'rejected')
    })

    it('has to make sense', () => assert.rejects(tell({ name: 7 }), /Refusal/))
  })
