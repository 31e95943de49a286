import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { shredderIds } from '../../../schema/actions/operations/shredders.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow, updateRow } from '../../../server/resource/store.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { verifyAudit } from '../../../server/services/operations/audit-verify.ts'
import { carryOutShredding, type Shredding } from '../../../server/services/operations/shreddings.ts'
import { later } from '../../../server/sync/outbox/outbox.ts'
import {
  countOf,
  followed,
  makeDevice,
  makeDeviceAt,
  openVenue,
  startNode,
  startPair,
  until,
} from '../../support/servers/nodes.ts'
import { startTestServer } from '../../support/servers/servers.ts'

/** All that is personal in what the test writes has this in it. */
const personal = 'Qzxada'

const files = ['gatehouse.sqlite', 'gatehouse.sqlite-wal']

/** Gives the guest of the only ticket what is personal, and has somebody write a note about them. */
const fill = (transactions: Transactions, place: Place, position: number): Promise<void> =>
  transactions.write(async (tx) => {
    const row = await tx.get<{ id: number }>(
      sql`SELECT order_id AS id FROM order_position WHERE id = ${position}`,
    )
    const name = { attendee_name: `${personal} C`, attendee_name_parts: { full_name: `${personal} C` } }
    await updateRow(tx, order, place, {
      id: Number(row?.id),
      email: `${personal}@example.org`,
      phone: personal,
    })
    await updateRow(tx, orderPosition, place, { id: position, ...name, name_key: personal })
    await insertRow(tx, conflict, place, {
      ...{
        ...blankRow(conflict),
        id: tx.nextId(),
        kind: 'double_entry',
        severity: 'warning',
        state: 'open',
        position,
        datetime: tx.now,
      },
      ...{ detected: tx.now, note: `${personal} was called` },
    })
  })

/** What a station notes of a sale: a fact in its outbox, and an entry of its audit trail. */
const noteSale = (transactions: Transactions, place: Place, nonce: string): Promise<unknown> =>
  transactions.write(async (tx) => {
    const payload = { order: { email: `${personal}@example.org` }, positions: [{ attendee_name: personal }] }
    tx.audit(place, commandActor, {
      action: 'order.placed',
      resource: 'order',
      row: 1,
      data: { email: personal },
    })
    await tx.run(
      sql`INSERT INTO outbox (seq, nonce, organizer, event, kind, payload, site, site_seq, device, device_time, boot, mono, clock_offset, state, attempts, done_at)
          VALUES (1, ${nonce}, ${place.organizer}, ${place.event}, 'order', ${JSON.stringify(payload)}, ${tx.site}, 1, NULL,
            ${later(tx.now, -60_000_000)}, 'b', 1, 0, 'done', 1, ${tx.now})`,
    )
  })

async function shred({ transactions }: { readonly transactions: Transactions }, place: Place): Promise<void> {
  const { organizer, event } = place
  const row = await transactions.write(async (tx) => {
    await tx.run(
      sql`INSERT INTO shredding (organizer, id, event, "file", "credential", "shredders", "exported", "state", "message", "created", "actor")
          VALUES (${organizer}, 's', ${event}, 'f', 'c', ${JSON.stringify(shredderIds)}, ${tx.now}, 'running', NULL,
            ${tx.now}, '{"kind":"command","id":0,"name":"somebody"}')`,
    )
    return tx.get<Shredding>(sql`SELECT * FROM shredding`)
  })
  assert.ok(row)
  await carryOutShredding(transactions, row)
}

describe('personal data that was deleted upstream', () => {
  it('is not found on the disk of a station any more, in rows, facts, notes or the audit trail', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-shred-'))
    const { central, station, venue } = await startPair(['A'], { database: folder })
    try {
      const place = { organizer: central.organizer, event: central.event }
      const isThere = async (): Promise<boolean> => {
        const read = files.map((name) => readFile(join(folder, name)).catch(() => Buffer.alloc(0)))
        return Buffer.concat(await Promise.all(read)).includes(personal)
      }
      await fill(central.running.transactions, place, Number(venue.positions[0]))
      await until('the note arrives', async () => (await countOf(station, 'conflict')) === 1)
      await noteSale(station.transactions, place, 'nonce')
      assert.equal(await isThere(), true)
      await shred(central.running, place)
      await until('it is deleted', async () => (await countOf(station, 'shredding', "state = 'done'")) === 1)
      await until('it is off the disk', async () => !(await isThere()))
      const { database } = station.transactions
      const [fact] = await database.all<{ payload: string }>(sql`SELECT payload FROM outbox`)
      assert.deepEqual(JSON.parse(String(fact?.payload)), {
        order: { email: null },
        positions: [{ attendee_name: null }],
      })
      assert.equal(await countOf(station, 'order_position'), 1)
      assert.deepEqual((await verifyAudit(database)).problems, [])
    } finally {
      await station.close()
      await central.close()
      await rm(folder, { recursive: true })
    }
  })

  it('is taken out of what a station below a hub holds as well', async () => {
    const central = await startTestServer()
    await openVenue(central, ['A'])
    const hub = await startNode()
    const station = await startNode()
    try {
      const place = { organizer: central.organizer, event: central.event }
      await hub.join(central.url, String((await makeDevice(central, 'Hub')).initialization_token), 'hub')
      await followed(hub)
      const device = await makeDeviceAt(hub, place.organizer, 'South')
      await station.join(hub.url, String(device.initialization_token))
      await followed(station)
      await noteSale(station.transactions, place, 'nonce')
      await shred(central.running, place)
      await until('it is deleted', async () => (await countOf(station, 'shredding', "state = 'done'")) === 1)
      assert.equal(await countOf(station, 'outbox', `payload LIKE '%${personal}%'`), 0)
    } finally {
      await station.close()
      await hub.close()
      await central.close()
    }
  })
})
