import assert from 'node:assert/strict'
import { paperWidth } from '../../../server/exporters/receipts/slip.ts'
import { quickest } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'

describe('the reports of a drawer on paper', () => {
  let server: TestServer
  let drawer: string
  const ask = asking(() => server)
  const till = 'Device till'

  beforeEach(async () => {
    server = await startTestServer(await quickest.open())
    const { organizer, event, ev } = server
    const item = await server.running.transactions.write(async (tx) => {
      await addDevice(tx, organizer, 1, 'till', { security_profile: 'boxoffice' })
      return addItem(tx, { organizer, event }, 'Day ticket', { default_price: '12.50' })
    })
    await ask('POST', `${ev}/quotas/`, 201, { name: 'All', size: null, items: [item], variations: [] })
    await ask('PATCH', `${ev}/settings/`, 200, { invoice_address_from_name: 'Acme Concerts' })
    const opened = await ask('POST', `${ev}/drawers/`, 201, { float: '100.00' }, till)
    drawer = `${ev}/drawers/${opened.id}`
    const sale = {
      ...{ status: 'p', payment_provider: 'boxoffice', sales_channel: 'web', locale: 'en' },
      ...{ positions: [{ item }], payment_info: { given: '20.00', change: '7.50' } },
    }
    await ask('POST', `${ev}/orders/`, 201, sale, till)
    await ask('POST', `${drawer}/move_cash/`, 201, { amount: '-30.00', reason: 'Bank' }, till)
  })
  afterEach(() => server.close())

  const read = async (path: string): Promise<string> => {
    const answer = await server.call('GET', path, undefined, { Authorization: till })
    assert.equal(answer.status, 200)
    return String(answer.body)
  }
  const close = async (): Promise<string> => {
    await ask('POST', `${drawer}/close/`, 201, { counted: '77.50', reason: 'Five short' }, till)
    const [closing] = resultsOf(await ask('GET', `${server.ev}/closings/`, 200, undefined, till))
    return `${server.ev}/closings/${closing?.id}`
  }

  it('say what went through it so far, on paper of any width', async () => {
    for (const columns of [32, 42, 48]) {
      const text = await read(`${drawer}/report/text/?columns=${columns}`)
      for (const row of text.split('\n')) assert.ok(paperWidth(row) <= columns, `${columns}: ${row}`)
      const said = [/X report/, /Acme Concerts/, /Sold EUR +12\.50/, /Cash +12\.50/, /expected +82\.50/]
      for (const row of said) assert.match(text, row)
      assert.match(text, /Receipts \d+-1 to \d+-3/)
    }
  })

  it('hold no amount where cash is counted blind, before the count', async () => {
    await ask('PATCH', `${server.ev}/settings/`, 200, { drawer_blind_count: true })
    const text = await read(`${drawer}/report/text/`)
    assert.match(text, /Receipts +3/)
    assert.doesNotMatch(text, /12\.50|82\.50|100\.00|30\.00/)
    const z = await read(`${await close()}/text/`)
    assert.match(z, /82\.50/)
  })

  it('say what was counted, what is missing and why, once it is closed', async () => {
    const path = await close()
    const z = await read(`${path}/text/`)
    const said = [
      /Z report no\. \d+-1/,
      /expected +82\.50/,
      /counted +77\.50/,
      /Difference +-5\.00/,
      /Five short/,
    ]
    for (const row of said) assert.match(z, row)
    assert.equal(await read(`${path}/text/`), z)
    const german = await read(`${path}/text/?locale=de`)
    assert.match(german, /Z report|Z-Bericht/)
  })

  it('come as text, picture, PDF and for receipt printers', async () => {
    const z = await close()
    for (const path of [`${drawer}/report`, z]) {
      assert.match(await read(`${path}/picture/`), /^<svg /)
      const bytes = async (format: string): Promise<Buffer> => {
        const headers = { Authorization: till }
        const answer = await fetch(`${server.running.url}${path}/${format}/`, { headers })
        assert.equal(answer.status, 200)
        return Buffer.from(await answer.arrayBuffer())
      }
      assert.equal((await bytes('pdf')).subarray(0, 5).toString(), '%PDF-')
      assert.ok((await bytes('escpos')).includes(Buffer.from('\x1b@')))
    }
    const missing = await server.call('GET', `${server.ev}/closings/4711/text/`, undefined, {
      Authorization: till,
    })
    assert.equal(missing.status, 404)
  })
})
