import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { conflict } from '../../schema/resources/checkin/conflict.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { updateRow } from '../../server/resource/store.ts'
import { annul } from '../../server/services/checkin/annul.ts'
import { listsById } from '../../server/services/checkin/checkin-lists.ts'
import { actorOf, stationSettings } from '../../server/services/devices/station-settings.ts'
import { dayAt } from '../sync/receive/upstream-node.ts'
import { type LinkedStation, openLinkedStation, settle } from './linked-station.ts'

describe('a contradiction that turns out late', () => {
  let station: LinkedStation
  let ticket: { id: number }
  const open = async (locale?: string): Promise<void> => {
    station = await openLinkedStation(locale)
    station.upstream.isOffline = true
    ticket = await station.data.sell('ticket', { attendee_name: 'Ada' }, { code: 'ABCDE' })
  }
  beforeEach(() => open())
  afterEach(() => station.close())

  const alerts = () => station.published.filter(({ event }) => event === 'alert').map(({ data }) => data)
  /** The entry of another station comes with the changes. */
  const comes = (clock: string, row: RowData = {}) =>
    station.data.tell({
      station: station.data.south,
      position: ticket.id,
      secret: 'ticket',
      nonce: `south ${clock}`,
      clock,
      row: { gate: station.data.gate, ...row },
    })

  it('is shown at the station that admitted the second one', async () => {
    await station.scan('ticket')
    await comes('09:30')
    await settle()
    const [alert, ...others] = alerts()
    assert.deepEqual(others, [])
    const { id, ...rest } = alert ?? {}
    assert.equal(typeof id, 'number')
    assert.deepEqual(rest, {
      kind: 'double_entry',
      name: 'Ada',
      code: 'ABCDE',
      list: 'Main',
      device: 'East',
      gate: 'North gate',
      other_device: 'South',
      other_gate: 'North gate',
      datetime: '2030-06-01T10:00:00Z',
      other_datetime: '2030-06-01T09:30:00Z',
      text: 'The same ticket was let in at North gate as well.',
    })
  })

  it('is shown at the station that admitted the first one, as it looks from there', async () => {
    await station.scan('ticket', { at: dayAt('09:00') })
    await comes('09:30', { gate: null })
    await settle()
    assert.deepEqual(
      alerts().map(({ datetime, other_datetime, other_device, other_gate, text }) => [
        datetime,
        other_datetime,
        other_device,
        other_gate,
        text,
      ]),
      [
        [
          '2030-06-01T09:00:00Z',
          '2030-06-01T09:30:00Z',
          'South',
          null,
          'The same ticket was let in at South as well.',
        ],
      ],
    )
  })

  it('is shown in the language of the station', async () => {
    await station.close()
    await open('de')
    await station.scan('ticket')
    await comes('09:30')
    await settle()
    assert.equal(alerts()[0]?.text, 'Dasselbe Ticket wurde auch bei North gate eingelassen.')
  })

  it('is shown once', async () => {
    await station.scan('ticket')
    await comes('09:30')
    await settle()
    const row = await station.data.database.get<{ id: number }>(sql`SELECT id FROM conflict`)
    await station.data.transactions.write((tx) =>
      updateRow(tx, conflict, station.data.place, { id: Number(row?.id), note: 'seen' }),
    )
    await settle()
    assert.equal(alerts().length, 1)
  })

  it('is not shown for scans at other stations', async () => {
    await comes('09:30')
    await station.data.tell({
      station: station.data.north,
      position: ticket.id,
      secret: 'ticket',
      nonce: 'north',
      clock: '09:40',
    })
    await settle()
    assert.equal((await station.data.conflicts()).length, 1)
    assert.deepEqual(alerts(), [])
  })

  it('is not shown where somebody has forced it', async () => {
    await comes('09:30')
    await station.scan('ticket', { force: true })
    await settle()
    assert.equal((await station.data.conflicts()).length, 1)
    assert.deepEqual(alerts(), [])
  })

  it('is not shown once it is resolved', async () => {
    await station.scan('ticket')
    const release = station.alerts.hold('south 09:30')
    await comes('09:30')
    await settle()
    await station.data.database.run(sql`UPDATE conflict SET state = 'resolved'`)
    release()
    await settle()
    assert.deepEqual(alerts(), [])
  })

  it('waits for the result of a scan that is not shown yet, and is shown when that stands', async () => {
    const release = station.alerts.hold('mine')
    await station.scan('ticket', { nonce: 'mine' })
    await comes('09:30')
    await settle()
    assert.deepEqual(alerts(), [])
    release()
    await settle()
    assert.equal(alerts().length, 1)
  })

  it('is not shown for a scan that was taken back', async () => {
    const release = station.alerts.hold('mine')
    await station.scan('ticket', { nonce: 'mine' })
    await comes('09:30')
    const settings = await stationSettings(station.data.database)
    assert.ok(settings)
    await station.data.transactions.write(async (tx) => {
      const lists = await listsById(tx, settings.organizer, [settings.list])
      await annul(tx, {
        actor: actorOf(settings),
        organizer: settings.organizer,
        lists,
        nonce: 'mine',
        at: null,
        explanation: null,
      })
    })
    release()
    await settle()
    assert.deepEqual(alerts(), [])
  })

  it('in time for the result of the scan is shown there alone', async () => {
    station.upstream.isOffline = false
    station.upstream.result = async () => {
      await comes('09:30')
      await settle()
      return {
        status: 'conflict',
        conflicts: [
          {
            id: 1,
            kind: 'double_entry',
            lost: true,
            other: { datetime: dayAt('09:30'), device: 'South', gate: null },
          },
        ],
      }
    }
    const result = await station.scan('ticket')
    await settle()
    assert.equal(result.reason, 'already_redeemed')
    assert.deepEqual(alerts(), [])
  })
})
