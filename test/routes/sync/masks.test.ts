import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { eventKey } from '../../../schema/resources/checkin/event-key.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow, updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addItem, addList, addOrder, addQuestion } from '../../support/ticketing/tickets.ts'
import { addCheckin } from '../../sync/feed/place.ts'
import { addNode, nodeOf } from './node.ts'

/** Texts that are planted where somebody must not find them. */
const personal = [
  'mail@planted',
  'phone-planted',
  'street-planted',
  'comment-planted',
  'invoice-planted',
  'company-planted',
  'silent-planted',
  'bank-planted',
  'fee-planted',
  '987654',
  'customer-planted',
  'order-secret-planted',
  'voucher-planted',
  'info-planted',
]
/** Those of them that only who sells needs. */
const ofTheSale = [
  ...['phone-planted', 'comment-planted', 'customer-planted', 'order-secret-planted'],
  ...['bank-planted', 'fee-planted', 'voucher-planted', 'info-planted'],
]
const keys = ['private-planted', 'hash-planted', 'once-planted', 'team-planted', 'audit-planted']
const elsewhere = ['elsewhere-planted', 'rival-planted']

/** What each device must not be given, and what it needs. */
const devices: Readonly<
  Record<string, { values: RowData; orders: boolean; not: readonly string[]; yes: readonly string[] }>
> = {
  full: {
    values: { security_profile: 'full' },
    orders: true,
    not: [],
    yes: [...personal, 'name-seen', 'ticket-code', 'asked-answer', 'scanned-code'],
  },
  scan: {
    values: { security_profile: 'scan' },
    orders: true,
    not: ofTheSale,
    yes: [...personal.filter((one) => !ofTheSale.includes(one)), 'name-seen'],
  },
  boxoffice: { values: { security_profile: 'boxoffice' }, orders: true, not: [], yes: [...personal] },
  gate: {
    values: { security_profile: 'gate' },
    orders: true,
    not: personal,
    yes: ['name-seen', 'ticket-code', 'asked-answer', 'scanned-code', 'public-key'],
  },
  kiosk: {
    values: { security_profile: 'kiosk' },
    orders: true,
    not: personal,
    yes: ['name-seen', 'ticket-code', 'asked-answer'],
  },
  'full without orders': {
    values: {},
    orders: false,
    not: [
      ...personal.filter((one) => !['info-planted', '987654', 'voucher-planted'].includes(one)),
      'name-seen',
      'asked-answer',
    ],
    yes: ['scanned-code', 'public-key', 'list-seen'],
  },
}

for (const engine of engines)
  describe(`what a device is given on ${engine.name}`, () => {
    let server: TestServer
    before(async () => {
      server = await startTestServer(await engine.open())
      let number = 0
      for (const [name, { values }] of Object.entries(devices)) {
        number += 1
        await addNode(server, number, name.replaceAll(' ', '-'), {
          all_events: false,
          limit_events: ['gala'],
          ...values,
        })
      }
    })
    after(() => server.close())

    const plant = () =>
      server.running.transactions.write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        const product = await addItem(tx, place, 'Product', { default_price: '9876.54' })
        const list = await addList(tx, place, 'list-seen')
        const asked = await addQuestion(tx, place, [product], { identifier: 'asked' })
        const silent = await addQuestion(tx, place, [product], {
          identifier: 'silent',
          ask_during_checkin: false,
        })
        const sold = await addOrder(
          tx,
          place,
          [
            {
              ...{ item: product, secret: 'ticket-code', attendee_name: 'name-seen', price: '9876.54' },
              ...{
                attendee_email: 'mail@planted.example',
                company: 'company-planted',
                street: 'street-planted',
              },
              answers: [
                { question: asked, answer: 'asked-answer', options: [] },
                { question: silent, answer: 'silent-planted', options: [] },
              ],
            },
          ],
          {
            ...{
              email: 'mail@planted.example',
              phone: 'phone-planted',
              comment: 'comment-planted',
              total: '9876.54',
            },
            ...{
              invoice_address: { name: 'invoice-planted' },
              customer: 'customer-planted',
              secret: 'order-secret-planted',
            },
          },
        )
        await insertRow(tx, voucher, place, {
          ...blankRow(voucher),
          id: tx.nextId(),
          code: 'PLANTED',
          comment: 'voucher-planted',
        })
        const own = { order_id: sold.id }
        await insertRow(tx, orderFee, place, {
          ...{
            ...blankRow(orderFee),
            ...own,
            id: tx.nextId(),
            fee_type: 'other',
            value: '1.00',
            description: 'fee-planted',
          },
        })
        await insertRow(tx, orderPayment, place, {
          ...{
            ...blankRow(orderPayment),
            ...own,
            id: tx.nextId(),
            local_id: 1,
            state: 'confirmed',
            amount: '1.00',
          },
          ...{ created: tx.now, provider: 'banktransfer', details: { iban: 'bank-planted' } },
        })
        await addCheckin(tx, place, list, sold.positions[0] ?? null, { raw_barcode: 'scanned-code' })
        await insertRow(tx, eventKey, place, {
          ...{ ...blankRow(eventKey), id: tx.nextId(), scheme: 'gatehouse_1', key_id: 1, created: tx.now },
          ...{ public_key: 'public-key', private_key: 'private-planted' },
        })
        const other = await addDevice(tx, server.organizer, 99, 'team-mate', {
          ...{
            token_hash: 'hash-planted',
            initialization_token: 'once-planted',
            info: { note: 'info-planted' },
          },
          ...{ all_events: false, limit_events: ['gala', 'elsewhere-planted'] },
        })
        tx.audit(
          place,
          {
            kind: 'command',
            id: 0,
            name: '',
            organizer: null,
            permissions: new Set(),
            allEvents: true,
            events: new Set(),
            device: null,
          },
          { action: 'audit-planted', resource: 'order', row: 1 },
        )
        const away = {
          organizer: server.organizer,
          event: await addEvent(tx, server.organizer, 'elsewhere-planted'),
        }
        await addOrder(tx, away, [
          { item: await addItem(tx, away, 'elsewhere-planted'), secret: 'elsewhere-planted' },
        ])
        return { order: sold.id, other }
      })

    it('is what its profile needs, by the snapshot and by the changes, and no more', async () => {
      const cursors = new Map<string, string>()
      const query = (orders: boolean) => (orders ? '' : '?orders=0')
      for (const [name, { orders }] of Object.entries(devices))
        cursors.set(
          name,
          (await nodeOf(server, name.replaceAll(' ', '-')).snapshot(query(orders))).head.cursor,
        )
      await server.running.transactions.write(async (tx) => {
        await tx.run(
          sql`INSERT INTO organizer (id, slug, name, settings) VALUES (${tx.nextId()}, 'rival', 'rival-planted', '{}')`,
        )
      })
      const planted = await plant()
      for (const [name, { orders, not, yes }] of Object.entries(devices)) {
        const node = nodeOf(server, name.replaceAll(' ', '-'))
        const cursor = cursors.get(name) ?? ''
        const sent = {
          snapshot: (await node.snapshot(query(orders))).text,
          changes: JSON.stringify(await node.changes(cursor, orders ? '' : '&orders=0')),
        }
        for (const [how, text] of Object.entries(sent)) {
          for (const word of [...not, ...keys, ...elsewhere])
            assert.ok(!text.includes(word), `${name} got ${word} by the ${how}`)
          for (const word of yes) assert.ok(text.includes(word), `${name} did not get ${word} by the ${how}`)
        }
      }
      // Changed afterwards, it is told of in the same way.
      const gate = nodeOf(server, 'gate')
      const { head } = await gate.snapshot()
      await server.running.transactions.write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        await updateRow(tx, order, place, {
          id: planted.order,
          email: 'late-planted@example.com',
          checkin_text: 'text-seen',
        })
        await updateRow(
          tx,
          device,
          { organizer: server.organizer, event: 0 },
          { id: planted.other, name: 'renamed-seen' },
        )
        await insertRow(tx, category, place, {
          ...blankRow(category),
          id: tx.nextId(),
          name: { en: 'category-seen' },
        })
      })
      const text = JSON.stringify(await gate.changes(head.cursor))
      for (const word of ['text-seen', 'renamed-seen', 'category-seen']) assert.ok(text.includes(word), word)
      for (const word of ['late-planted', 'hash-planted', 'once-planted', 'elsewhere-planted', ...personal])
        assert.ok(!text.includes(word), word)
    })

    it('leaves no column without a value that needs one', async () => {
      const { head, frames } = await nodeOf(server, 'gate').snapshot()
      const columnOf = (resource: string, column: string) => {
        const at = head.columns[resource]?.indexOf(column) ?? -1
        return at < 0 ? 'left out' : frames.find((frame) => frame.resource === resource)?.rows[0]?.[at]
      }
      assert.equal(columnOf('order', 'email'), 'left out')
      assert.equal(columnOf('order', 'total'), 0)
      assert.equal(columnOf('order', 'comment'), '')
      assert.equal(columnOf('order_position', 'price'), 0)
      assert.equal(columnOf('item', 'default_price'), 0)
      assert.equal(columnOf('order', 'event'), server.event)
      assert.ok(
        !('order_payment' in head.columns) && !('team' in head.columns) && !('team_token' in head.columns),
      )
    })
  })
