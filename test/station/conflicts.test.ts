import assert from 'node:assert/strict'
import { conflict } from '../../schema/resources/checkin/conflict.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import { insertRow } from '../../server/resource/store.ts'
import { followed, makeDevice, openVenue, startNode, type TestNode, until } from '../support/servers/nodes.ts'
import { addEvent, startTestServer, type TestServer } from '../support/servers/servers.ts'

const path = '/api/v1/station/conflicts/'

describe('the contradictions on the screens of a station', () => {
  let central: TestServer
  let station: TestNode
  let list: number

  before(async () => {
    central = await startTestServer()
    const venue = await openVenue(central, ['A'])
    list = venue.list
    const { organizer, event } = central
    await central.running.transactions.write(async (tx) => {
      const other = await addEvent(tx, organizer, 'ball')
      const row = {
        ...blankRow(conflict),
        kind: 'double_entry',
        severity: 'critical',
        state: 'open',
        detected: tx.now,
        datetime: '2030-06-01T10:00:00.000000Z',
      } as const
      const about = { position: venue.positions[0] ?? null, list }
      await insertRow(tx, conflict, { organizer, event }, { ...row, ...about, id: tx.nextId() })
      await insertRow(tx, conflict, { organizer, event }, { ...row, id: tx.nextId(), state: 'resolved' })
      await insertRow(tx, conflict, { organizer, event: other }, { ...row, id: tx.nextId() })
    })
    const device = await makeDevice(central, 'North', { security_profile: 'scan' })
    station = await startNode()
    await station.join(central.url, String(device.initialization_token))
    await followed(station)
  })

  after(async () => {
    await station.close()
    await central.close()
  })

  const shown = async (query = ''): Promise<readonly RowData[]> => {
    const { status, body } = await station.call('GET', `${path}${query}`)
    assert.equal(status, 200)
    return (body as { results: readonly RowData[] }).results
  }

  it('are none before it is set up', async () => assert.deepEqual(await shown(), []))

  it('are those of its event, whatever the profile of its device', async () => {
    await station.setUp(list)
    assert.deepEqual(
      (await shown('?state=open')).map(({ kind, order, attendee_name, list_name }) => [
        kind,
        order,
        attendee_name,
        list_name,
      ]),
      [['double_entry', 'OA', 'Guest A', 'Doors']],
    )
    assert.equal((await shown()).length, 2)
  })

  it('are counted in the state of the link', () =>
    until('it is counted', async () => (await station.link()).conflicts === 1))

  it('are for nobody but its own screens', async () => {
    for (const headers of [{ Authorization: '' }, { Authorization: 'Token all' }])
      assert.equal((await station.call('GET', path, undefined, headers)).status, 401)
    assert.equal((await station.call('POST', path, {})).status, 405)
  })
})
