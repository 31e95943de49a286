import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { staff } from '../../../schema/resources/accounts/staff.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { shapesOf } from '../../../server/sync/feed/columns.ts'
import { feedViewOf } from '../../../server/sync/feed/view.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

describe('copies of staff', () => {
  let server: TestServer
  const devices = new Map<string, number>()
  before(async () => {
    server = await startTestServer()
    const { organizer } = server
    await server.running.transactions.write(async (tx) => {
      const add = async (name: string, number: number, more: RowData = {}) =>
        devices.set(name, await addDevice(tx, organizer, number, name, more))
      await add('till', 1, { security_profile: 'boxoffice' })
      await add('gate', 2, { security_profile: 'gate' })
      await add('hub', 3, { site: 10, site_end: 20 })
      const hire = (name: string, more: RowData) =>
        insertRow(
          tx,
          staff,
          { organizer, event: 0 },
          {
            ...{ ...blankRow(staff), id: tx.nextId(), name, role: 'cashier', pin_hash: `hash of ${name}` },
            ...more,
          },
        )
      await hire('Anna', {})
      await hire('Ben', { all_devices: false, limit_devices: [1] })
      await hire('Cleo', { active: false })
    })
  })
  after(() => server.close())

  /** Whose PINs the copy of a device can check. */
  async function checkable(name: string): Promise<unknown[]> {
    const { database } = server.running.transactions
    const view = await feedViewOf(database, server.organizer, devices.get(name) ?? 0, true)
    const shape = shapesOf(view).find(({ resource }) => resource.name === staff.name)
    assert.ok(shape)
    const rows = await database.all(sql`SELECT * FROM staff ORDER BY id`)
    const [who, pin] = [shape.columns.indexOf('name'), shape.columns.indexOf('pin_hash')]
    return rows
      .map((row) => shape.cellsOf(row, view))
      .flatMap((cells) => (cells[pin] === null ? [] : [cells[who]]))
  }

  it('hold the hashes of PINs of those who may work there, and of nobody else', async () => {
    assert.deepEqual(await checkable('till'), ['Anna', 'Ben'])
    assert.deepEqual(await checkable('gate'), ['Anna'])
    assert.deepEqual(await checkable('hub'), ['Anna', 'Ben'])
  })
})
