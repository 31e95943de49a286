import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, startPair, until } from '../../support/servers/nodes.ts'

describe('invoices below central', () => {
  it('are made there alone, also for what is sold offline, and read through the station', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A'], { env: network.env })
    const ask = asking(() => central)
    try {
      await ask('PATCH', `${central.ev}/settings/`, 200, { invoice_generate: 'True' })
      network.down = true
      await until('the station is offline', async () => (await station.link()).state === 'alone')
      const sold = await station.call('POST', `${central.ev}/orders/`, {
        ...{ status: 'p', payment_provider: 'manual', force: true },
        positions: [{ item: venue.item }],
      })
      assert.equal(sold.status, 201, JSON.stringify(sold.body))
      const { code } = sold.body as RowData
      for (const [method, path] of [
        ['POST', `/orders/${code}/create_invoice/`],
        ['GET', '/invoices/'],
        ['GET', '/invoices/GALA-00001/download/'],
      ] as const) {
        const answer = await station.call(method, central.ev + path)
        assert.equal(answer.status, 503)
        assert.match((answer.body as { detail: string }).detail, /^Invoices are made by the central server/)
      }
      assert.equal(await countOf(station, 'invoice'), 0)
      network.down = false
      await until('central has the invoice', async () => (await countOf(central.running, 'invoice')) === 1)
      const list = resultsOf(await ask('GET', `${central.ev}/invoices/`, 200))
      assert.deepEqual(
        list.map(({ number, order }) => [number, order]),
        [['GALA-00001', code]],
      )
      await until('the station is online', async () => (await station.link()).state !== 'alone')
      const read = await station.call('GET', `${central.ev}/invoices/`)
      assert.deepEqual([read.status, resultsOf(read.body as RowData)], [200, list])
      const file = await station.call('GET', `${central.ev}/invoices/GALA-00001/download/`)
      assert.deepEqual(
        [file.status, file.headers.get('content-type'), file.headers.get('content-disposition')],
        [200, 'application/pdf', 'attachment; filename="GALA-00001.pdf"'],
      )
      assert.equal(await countOf(station, 'invoice'), 0)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('are mailed for what a till has sold to be paid later, once, and to nobody who has paid', async () => {
    const { central, station, venue } = await startPair(['A'])
    const ask = asking(() => central)
    try {
      await ask('PATCH', `${central.ev}/settings/`, 200, {
        ...{ invoice_generate: 'True', invoice_generate_sales_channels: ['web', 'boxoffice'] },
        till_pay_later: true,
      })
      await until('the station knows', async () => {
        const { body } = await station.call('GET', '/api/v1/station/sale/')
        return (body as { pays_later: boolean }).pays_later
      })
      const sell = async (more: object) => {
        const sold = await station.call('POST', `${central.ev}/orders/`, {
          ...{ positions: [{ item: venue.item }], sales_channel: 'boxoffice', force: true },
          ...{ email: 'ada@example.org', send_email: true, ...more },
        })
        assert.equal(sold.status, 201, JSON.stringify(sold.body))
      }
      await sell({ status: 'p', payment_provider: 'manual' })
      const later = { status: 'n', payment_provider: 'banktransfer', valid_if_pending: true }
      await sell({
        ...later,
        invoice_address: { name: 'Ada', street: 'Quay 3', city: 'Bremen', country: 'DE' },
      })
      await until('central has both invoices', async () => (await countOf(central.running, 'invoice')) === 2)
      const owed = `"template" = 'order_placed' AND "recipient" = 'ada@example.org' AND "invoices" <> '[]'`
      assert.equal(await countOf(central.running, 'mail', owed), 1)
      assert.equal(await countOf(central.running, 'mail'), 1)
    } finally {
      await station.close()
      await central.close()
    }
  })
})
