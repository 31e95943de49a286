import assert from 'node:assert/strict'
import { event } from '../../../schema/resources/events/event.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, addOrganizer, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addList, addSubevent } from '../../support/ticketing/tickets.ts'

const hour = 3_600_000

for (const engine of engines)
  describe(`the event that a device should be at on ${engine.name}`, () => {
    let server: TestServer
    const lists: Record<string, number> = {}
    const dates: number[] = []
    before(async () => {
      server = await startTestServer(await engine.open())
      const now = Date.now()
      const from = (hours: number, length = 2): RowData => ({
        date_from: new Date(now + hours * hour).toISOString(),
        date_to: new Date(now + (hours + length) * hour).toISOString(),
      })
      await server.running.transactions.write(async (tx) => {
        const { organizer } = server
        await updateRow(tx, event, { organizer, event: 0 }, { id: server.event, live: true, ...from(-1) })
        lists.gala = await addList(tx, { organizer, event: server.event }, 'Main')
        lists.side = await addList(tx, { organizer, event: server.event }, 'Side')
        const draft = await addEvent(tx, organizer, 'draft', from(-0.5))
        await addList(tx, { organizer, event: draft }, 'Main')
        const series = {
          organizer,
          event: await addEvent(tx, organizer, 'series', { live: true, has_subevents: true, ...from(-0.2) }),
        }
        dates.push(
          await addSubevent(tx, series, 'off', from(-0.1)),
          await addSubevent(tx, series, 'on', from(-48)),
          await addSubevent(tx, series, 'soon', from(300)),
        )
        await updateRow(tx, subevent, series, { id: dates[0] ?? 0, active: false })
        lists.other = await addList(tx, series, 'Side', { subevent: dates[2] })
        lists.soon = await addList(tx, series, 'Main', { subevent: dates[2] })
        lists.all = await addList(tx, series, 'Side')
        const rival = await addOrganizer(tx, 'rival')
        await addEvent(tx, rival, 'party', { live: true, ...from(-0.1) })
        await addDevice(tx, organizer, 1, 'everywhere')
        await addDevice(tx, organizer, 2, 'series', {
          all_events: false,
          limit_events: ['series'],
          security_profile: 'gate',
        })
        await addDevice(tx, organizer, 3, 'draft', { all_events: false, limit_events: ['draft'] })
      })
    })
    after(() => server.close())

    const ask = (token: string, query = '') =>
      server.call('GET', `/api/v1/device/eventselection${query}`, undefined, {
        Authorization: `Device ${token}`,
      })

    it('is the one that is on among those that are open to it', async () => {
      const { status, body } = await ask('everywhere')
      assert.equal(status, 200)
      assert.deepEqual(body, {
        event: { slug: 'gala', name: 'gala' },
        subevent: null,
        checkinlist: lists.gala,
      })
    })

    it('stays the one that is on', async () => {
      const { status, body } = await ask(
        'everywhere',
        `?current_event=gala&current_checkinlist=${lists.side}`,
      )
      assert.deepEqual([status, body], [304, ''])
    })

    it('comes with the list that the device has, or that has the same name', async () => {
      const listOf = async (token: string, list: number | undefined) =>
        ((await ask(token, `?current_event=nowhere&current_checkinlist=${list}`)).body as RowData).checkinlist
      assert.equal(await listOf('everywhere', lists.side), lists.side)
      assert.equal(await listOf('everywhere', lists.soon), lists.gala)
      assert.equal(await listOf('everywhere', 99999999), lists.gala)
    })

    it('can be a date of a series, with a list of that date', async () => {
      const { body } = await ask('series')
      assert.deepEqual(body, {
        event: { slug: 'series', name: 'series' },
        subevent: dates[1],
        checkinlist: lists.all,
      })
      const current = await ask('series', `?current_event=series&current_subevent=${dates[2]}`)
      assert.equal((current.body as RowData).subevent, dates[1])
    })

    it('is none where there is none, and for nobody but devices', async () => {
      assert.equal((await ask('draft')).status, 404)
      assert.equal((await server.call('GET', '/api/v1/device/eventselection')).status, 401)
      assert.equal((await ask('everywhere', '?current_subevent=x')).status, 400)
      assert.equal(
        (await server.call('POST', '/api/v1/device/eventselection', {}, { Authorization: 'Device series' }))
          .status,
        403,
      )
    })
  })
