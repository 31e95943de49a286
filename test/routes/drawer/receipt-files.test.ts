import assert from 'node:assert/strict'
import { paperWidth, wrapped } from '../../../server/services/drawer/receipt-description.ts'
import { quickest } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'

describe('a receipt of a till', () => {
  let server: TestServer
  const ask = asking(() => server)
  const till = 'Device till'
  const name = 'Day ticket | {w} ~ "x" \\ € Š Ж 漢字 שלום <b>'
  beforeEach(async () => {
    server = await startTestServer(await quickest.open())
  })
  afterEach(() => server.close())

  async function sell(more: object = {}): Promise<string> {
    const { organizer, event, ev } = server
    const item = await server.running.transactions.write(async (tx) => {
      await addDevice(tx, organizer, 1, 'till', { security_profile: 'boxoffice' })
      return addItem(tx, { organizer, event }, name, { default_price: '12.50' })
    })
    await ask('POST', `${ev}/quotas/`, 201, { name: 'All', size: null, items: [item], variations: [] })
    await ask('PATCH', `${ev}/settings/`, 200, {
      invoice_address_from_name: 'Acme Concerts',
      invoice_address_from: '1 High Street',
      invoice_address_from_city: 'Springfield',
      invoice_address_from_tax_id: '12/345',
    })
    await ask('POST', `${ev}/drawers/`, 201, { float: '100.00' }, till)
    await ask(
      'POST',
      `${ev}/orders/`,
      201,
      {
        ...{ status: 'p', payment_provider: 'boxoffice', sales_channel: 'web', locale: 'en' },
        ...{ positions: [{ item }], payment_info: { given: '20.00', change: '7.50' }, ...more },
      },
      till,
    )
    const [sale] = resultsOf(await ask('GET', `${ev}/receipts/?type=sale`, 200, undefined, till))
    return `${ev}/receipts/${sale?.id}`
  }

  const read = async (path: string): Promise<string> => {
    const answer = await server.call('GET', path, undefined, { Authorization: till })
    assert.equal(answer.status, 200)
    return String(answer.body)
  }

  it('says as text who sold what for how much, on paper of any width', async () => {
    const path = await sell()
    for (const columns of [32, 42, 48]) {
      const text = await read(`${path}/text/?columns=${columns}`)
      for (const row of text.split('\n')) assert.ok(paperWidth(row) <= columns, `${columns}: ${row}`)
      for (const words of ['Acme Concerts', '1 High Street', 'Springfield', '12/345', 'Total EUR', 'Cash'])
        assert.ok(text.includes(words), `${words} in ${text}`)
      for (const row of [/Given +20\.00/, /Change +7\.50/, /Receipt no\. \d+-2/, /Start: /, /End: /])
        assert.match(text, row)
    }
    const whole = await read(`${path}/text/?columns=64`)
    assert.ok(whole.includes(name), whole)
  })

  it('is drawn as a picture that loads nothing, runs nothing and leaves words from right to left whole', async () => {
    const picture = await read(`${await sell()}/picture/`)
    assert.match(picture, /^<svg /)
    assert.doesNotMatch(picture, /https?:\/\/(?!www\.w3\.org)|@import|<script|<b>/)
    assert.ok(picture.includes('שלום'))
  })

  it('says so when it was made in training', async () => {
    assert.match(await read(`${await sell({ testmode: true })}/text/`), /TRAINING/)
  })

  it('says what it was when the catalogue has changed since', async () => {
    const path = await sell()
    const before = await read(`${path}/text/`)
    const [item] = resultsOf(await ask('GET', `${server.ev}/items/`, 200))
    await ask('PATCH', `${server.ev}/items/${item?.id}/`, 200, {
      name: { en: 'Other' },
      default_price: '99.00',
    })
    assert.equal(await read(`${path}/text/`), before)
  })

  it('refuses paper of no width, and is nobody else’s', async () => {
    const path = await sell()
    await ask('GET', `${path}/text/?columns=5`, 400, undefined, till)
    await ask('GET', `${server.ev}/receipts/999999/text/`, 404, undefined, till)
  })
})

describe('a text on paper', () => {
  it('is broken between words, and within words that are too long', () => {
    assert.deepEqual(wrapped('one two three', 7), ['one two', 'three'])
    assert.deepEqual(wrapped('abcdefgh ij', 4), ['abcd', 'efgh', 'ij'])
    assert.deepEqual(wrapped('漢字漢字', 4), ['漢字', '漢字'])
  })
})
