import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { receiptFiles } from '../../../server/exporters/receipts/receipt-files.ts'
import { paperWidth, wrapped } from '../../../server/exporters/receipts/slip.ts'
import { quickest } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'

interface MailedReceipt {
  readonly organizer: number
  readonly event: number
  readonly locale: string
  readonly recipient: string
  readonly receipt_print: number | null
}

describe('a receipt of a till', () => {
  let server: TestServer
  const ask = asking(() => server)
  const till = 'Device till'
  const name = 'Day ticket | {w} ~ "x" \\ € Š Ж 漢字 שלום <b>'
  beforeEach(async () => {
    server = await startTestServer(await quickest.open())
  })
  afterEach(() => server.close())

  async function sell(more: object = {}, product: object = {}): Promise<string> {
    const { organizer, event, ev } = server
    const item = await server.running.transactions.write(async (tx) => {
      await addDevice(tx, organizer, 1, 'till', { security_profile: 'boxoffice', name: 'Foyer left' })
      return addItem(tx, { organizer, event }, name, { default_price: '12.50', ...product })
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

  const bytes = async (path: string): Promise<Buffer> => {
    const answer = await fetch(`${server.running.url}${path}`, { headers: { Authorization: till } })
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer())
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

  it('says the tax of each rate, the till and who has sold', async () => {
    const rule = await ask('POST', `${server.ev}/taxrules/`, 201, { name: { en: 'VAT' }, rate: '19.00' })
    const path = await sell({}, { tax_rule: rule.id })
    const text = await read(`${path}/text/?columns=64`)
    for (const row of [/Net at 19\.00 % +10\.50/, /Tax at 19\.00 % +2\.00/, /Till: Foyer left/])
      assert.match(text, row)
    assert.match(text, /Cashier: Foyer left/)
    const staff = await ask('POST', `${server.org}/staff/`, 201, { name: 'Ada', role: 'supervisor' })
    await ask('POST', `${server.org}/staff/${staff.id}/set_pin/`, 200, { pin: '123456' })
    await ask('POST', `${server.org}/pos/sign_in/`, 200, { staff: staff.id, pin: '123456' }, till)
    const drawer = resultsOf(await ask('GET', `${server.ev}/drawers/`, 200, undefined, till))[0]
    await ask(
      'POST',
      `${server.ev}/drawers/${drawer?.id}/move_cash/`,
      201,
      { amount: '-5.00', reason: 'Tea' },
      till,
    )
    const [moved] = resultsOf(
      await ask('GET', `${server.ev}/receipts/?ordering=-number`, 200, undefined, till),
    )
    assert.match(await read(`${server.ev}/receipts/${moved?.id}/text/?columns=64`), /Cashier: Ada/)
  })

  it('is drawn as a picture that loads nothing, runs nothing and leaves words from right to left whole', async () => {
    const picture = await read(`${await sell()}/picture/`)
    assert.match(picture, /^<svg /)
    assert.doesNotMatch(picture, /https?:\/\/(?!www\.w3\.org)|@import|<script|<b>/)
    assert.ok(picture.includes('שלום'))
  })

  it('is a PDF that is the same each time', async () => {
    const path = await sell()
    const file = await bytes(`${path}/pdf/`)
    assert.match(file.toString('latin1'), /^%PDF-[\s\S]+%%EOF\s*$/)
    assert.deepEqual(await bytes(`${path}/pdf/`), file)
  })

  it('comes as a receipt printer takes it: in its code pages, as a picture where these lack a letter, cut at the end', async () => {
    const printed = (await bytes(`${await sell()}/escpos/`)).toString('latin1')
    assert.ok(printed.startsWith('\x1b@'), 'reset')
    assert.ok(printed.includes('\x1dV'), 'cut')
    for (const letters of ['\x1bt\x10', '\x1bt\x11', '\x1dv0', '12.50'])
      assert.ok(printed.includes(letters), JSON.stringify(letters))
    assert.ok(!printed.includes('??'), 'nothing is spelled')
    assert.ok(!printed.includes('\x1dr1'), 'the printer is not asked in the middle')
  })

  it('says so when it was made in training', async () => {
    assert.match(await read(`${await sell({ testmode: true })}/text/`), /TRAINING/)
  })

  it('says by what it was signed, on screen and on paper, in the language of whoever reads it', async () => {
    await ask('PATCH', `${server.ev}/settings/`, 200, { till_signing: 'simulator' })
    const path = await sell()
    const text = await read(`${path}/text/?columns=64`)
    for (const words of [/Simulated signature, for trials/, /Signing device: SIMULATOR-\w{12}/])
      assert.match(text, words)
    const [signature] = resultsOf(
      await ask('GET', `${server.ev}/receipt_signatures/?receipt=${path.split('/').at(-1)}`, 200),
    )
    assert.deepEqual(
      [signature?.state, signature?.transaction, signature?.counter, signature?.signed_data],
      ['signed', 2, 4, 'Beleg^0.00_0.00_0.00_0.00_12.50^12.50:Bar'],
    )
    assert.ok(text.includes('Transaction 2, counter 4'), text)
    assert.match(await read(`${path}/picture/?locale=de`), /^<svg /)
    const { body: one } = await server.call('GET', `${server.ev}/receipt_signatures/${signature?.id}/`)
    assert.deepEqual(one, signature)
    await ask('POST', `${path}/prints/`, 201, { way: 'mail', email: 'anna@example.org' }, till)
    const { database } = server.running.transactions
    const [mail] = await database.all<MailedReceipt>(
      sql`SELECT organizer, event, locale, "recipient", receipt_print FROM mail WHERE "template" = 'receipt'`,
    )
    assert.ok(mail)
    assert.equal((await receiptFiles(database, mail)).length, 1)
    await database.run(sql`DELETE FROM receipt_signature`)
    await assert.rejects(receiptFiles(database, mail), /signature/)
    assert.match(await read(`${path}/text/`), /not known here yet/)
  })

  it('says that it is not signed where the signing device has failed', async () => {
    await ask('PATCH', `${server.ev}/settings/`, 200, { till_signing: 'simulator' })
    const path = await sell()
    await read(`${path}/text/`)
    await server.running.transactions.database.run(
      sql`UPDATE receipt_signature SET state = 'failed', problem = 'unreachable'`,
    )
    assert.match(
      await read(`${path}/text/?columns=64`),
      /The signing device failed\. This receipt is not signed\./,
    )
    const picture = (await read(`${path}/picture/?columns=64`))
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&#xa0;', ' ')
    assert.match(picture, /This receipt is not signed/)
    assert.match((await bytes(`${path}/pdf/`)).toString('latin1'), /^%PDF-/)
    assert.match((await bytes(`${path}/escpos/`)).toString('latin1'), /not signed\./)
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

  it('is a copy from the second time on that it is given out, and says which', async () => {
    const path = await sell()
    const prints = []
    for (const way of ['paper', 'paper', 'paper'])
      prints.push(await ask('POST', `${path}/prints/`, 201, { way }, till))
    assert.deepEqual(
      prints.map(({ copy, way, cashier }) => [copy, way, cashier]),
      [0, 1, 2].map((copy) => [copy, 'paper', 'Foyer left']),
    )
    const [first, , third] = prints
    assert.doesNotMatch(await read(`${path}/text/?print=${first?.id}`), /COPY/)
    assert.match(await read(`${path}/text/?print=${third?.id}`), /COPY 2/)
    assert.match(await read(`${path}/text/?print=${third?.id}&locale=de`), /COPY 2/)
    const listed = await ask('GET', `${server.ev}/receipt_prints/?receipt=${third?.receipt}`, 200)
    assert.equal(resultsOf(listed).length, 3)
    await ask('GET', `${path}/text/?print=999999`, 404, undefined, till)
  })

  it('is mailed as a file to an address that is one', async () => {
    const path = await sell()
    await ask('POST', `${path}/prints/`, 400, { way: 'mail', email: 'nobody' }, till)
    await ask('POST', `${path}/prints/`, 201, { way: 'mail', email: 'anna@example.org' }, till)
    const { database } = server.running.transactions
    const [mail, ...others] = await database.all<MailedReceipt>(
      sql`SELECT organizer, event, locale, "recipient", "subject", receipt_print FROM mail WHERE "template" = 'receipt'`,
    )
    assert.ok(mail)
    assert.deepEqual([others.length, mail.recipient], [0, 'anna@example.org'])
    const [file] = await receiptFiles(database, mail)
    assert.match(file?.filename ?? '', /^Receipt_no_0-2\.pdf$/)
    assert.match(file?.content.toString('latin1') ?? '', /^%PDF-/)
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
