import assert from 'node:assert/strict'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

describe('what apps for tills ask for', () => {
  let server: TestServer
  const ask = asking(() => server)
  const till = 'Device till'
  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write(async (tx) => {
      await addDevice(tx, server.organizer, 1, 'till', { security_profile: 'pretixpos' })
      await addDevice(tx, server.organizer, 2, 'other', { security_profile: 'pretixpos' })
    })
  })
  after(() => server.close())

  const receipt = {
    ...{ receipt_id: 7, event: 'gala', order: 'ABCDE', open: false, payment_type: 'cash', currency: 'EUR' },
    ...{ lines: [{ type: 'PRODUCT_SALE', price: '10.00' }], payments: [] },
  }

  it('is who works there, without their PINs', async () => {
    const { id } = await ask('POST', `${server.org}/staff/`, 201, { name: 'Ada', short_name: 'A' })
    await ask('POST', `${server.org}/staff/${id}/set_pin/`, 200, { pin: '1234' })
    const list = await ask('GET', `${server.org}/pos/cashiers/`, 200, undefined, till)
    assert.deepEqual(resultsOf(list), [
      { id, name: 'Ada', userid: 'A', active: true, pin: null, team: { all_devices: true, devices: [] } },
    ])
  })

  it('is kept as it was sent first, once for each number of each device', async () => {
    const path = `${server.org}/posdevices/1/receipts`
    const kept = await ask('POST', `${path}/`, 201, receipt, till)
    assert.deepEqual(await ask('POST', `${path}/`, 201, { ...receipt, order: 'OTHER' }, till), kept)
    const next = await ask('POST', `${path}/`, 201, { ...receipt, receipt_id: 8 }, till)
    assert.notEqual(next.receipt_id, kept.receipt_id)
    const list = await ask('GET', `${path}/`, 200)
    assert.deepEqual(resultsOf(list)[0], { ...receipt, server_id: kept.receipt_id })
    assert.deepEqual(valuesOf(list, 'receipt_id'), [7, 8])
    await ask('POST', `${server.org}/posdevices/2/receipts/`, 404, receipt, till)
    await ask('POST', `${path}/`, 400, { order: 'ABCDE' }, till)
    const closing = {
      closing_id: 1,
      first_receipt: 7,
      last_receipt: 8,
      payment_sum: '20.00',
      cash_counted: '20.00',
    }
    const closed = await ask('POST', `${server.org}/posdevices/1/closings/`, 201, closing, till)
    assert.equal(typeof closed.closing_id, 'number')
  })

  it('shows the receipts and closings of our own tills in the words of these apps', async () => {
    const other = 'Device other'
    const device = { Authorization: other }
    const { id: staff } = resultsOf(await ask('GET', `${server.org}/staff/`, 200))[0] ?? {}
    await ask('POST', `${server.org}/pos/sign_in/`, 200, { staff, pin: '1234' }, other)
    const opened = await server.call('POST', `${server.ev}/drawers/`, { float: '10.00' }, device)
    const { id } = opened.body as { id: number }
    await ask('POST', `${server.ev}/drawers/${id}/close/`, 201, { counted: '9.00' }, other)
    const list = resultsOf(await ask('GET', `${server.org}/posdevices/2/receipts/`, 200))
    assert.deepEqual(
      list.map(({ receipt_id, lines }) => [receipt_id, (lines as { type: string; price: string }[])[0]]),
      [
        [1, { ...line, type: 'CHANGE_START', price: '10.00', sale_text: '' }],
        [2, { ...line, type: 'CHANGE_DIFF', price: '-1.00', sale_text: '' }],
      ],
    )
    const [closing] = resultsOf(await ask('GET', `${server.org}/posdevices/2/closings/`, 200))
    assert.deepEqual(
      [closing?.closing_id, closing?.first_receipt, closing?.last_receipt, closing?.cash_counted],
      [1, 1, 2, '9.00'],
    )
  })

  const line = {
    ...{ position_id: 1, tax_rate: '0.00', tax_value: '0.00', canceled: false },
    ...{ item: null, variation: null, subevent: null },
  }
})
