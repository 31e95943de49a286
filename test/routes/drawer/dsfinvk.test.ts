import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { endOfExport, exported, startExport } from '../../support/ticketing/exports.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'
import { unzip } from '../../support/ticketing/unzip.ts'

type Row = Readonly<Record<string, string>>

/** The cells of a line, of which some are quoted. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )

/** An amount of the package in hundredths. */
const cents = (text = ''): number => Number(text.replace(',', ''))

const sumOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + cents(row[column]), 0)

for (const engine of engines)
  describe(`closings in the shape of DSFinV-K, on ${engine.name}`, () => {
    let server: TestServer
    let [full, reduced, card] = [0, 0, 0]
    const ask = asking(() => server)
    const till = 'Device till'
    const path = () => `${server.ev}/exporters/dsfinvk/`
    beforeEach(async () => {
      server = await startTestServer(await engine.open())
      const { organizer, event } = server
      await server.running.transactions.write((tx) =>
        addDevice(tx, organizer, 1, 'till', { security_profile: 'boxoffice', name: 'Foyer; left' }),
      )
      const rate = (text: string) =>
        ask('POST', `${server.ev}/taxrules/`, 201, { name: { en: 'VAT' }, rate: text })
      const [nineteen, seven] = [await rate('19.00'), await rate('7.00')]
      ;[full, reduced, card] = await server.running.transactions.write(async (tx) => {
        const add = (name: string, more: RowData) => addItem(tx, { organizer, event }, name, more)
        return [
          await add('Day "ticket"', { default_price: '11.90', tax_rule: nineteen.id }),
          await add('Book', { default_price: '10.70', tax_rule: seven.id }),
          await add('Gift card', { default_price: '25.00', issue_giftcard: true, admission: false }),
        ]
      })
      const items = [full, reduced, card]
      await ask('POST', `${server.ev}/quotas/`, 201, { name: 'All', size: null, items, variations: [] })
      await ask('PATCH', `${server.ev}/settings/`, 200, {
        ...{ invoice_address_from_name: 'Riverside GmbH', invoice_address_from_city: 'Köln' },
        ...{ invoice_address_from_country: 'DE', invoice_address_from_vat_id: 'DE123456789' },
      })
    })
    afterEach(() => server.close())

    const open = (more: RowData = {}) =>
      ask('POST', `${server.ev}/drawers/`, 201, { float: '100.00', ...more }, till)
    const sell = (items: readonly number[], more: RowData = {}) =>
      ask(
        'POST',
        `${server.ev}/orders/`,
        201,
        {
          ...{ status: 'p', payment_provider: 'boxoffice', sales_channel: 'web', locale: 'en' },
          ...{ positions: items.map((item) => ({ item })), ...more },
        },
        till,
      )
    const close = (drawer: unknown, counted: string) =>
      ask('POST', `${server.ev}/drawers/${drawer}/close/`, 201, { counted, reason: 'Counted' }, till)

    async function books(): Promise<{
      readonly files: ReturnType<typeof unzip>
      readonly table: (name: string) => Row[]
    }> {
      const files = unzip((await exported(server, path(), {})).bytes)
      const table = (name: string): Row[] => {
        const [titles = '', ...lines] = String(files[name]).trimEnd().split('\r\n')
        const columns = cellsOf(titles)
        return lines.map((line) => {
          const cells = cellsOf(line)
          assert.equal(cells.length, columns.length, line)
          return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
        })
      }
      return { files, table }
    }

    it('hold nothing before a drawer was closed, and say so', async () => {
      await open()
      const answer = await endOfExport(server, await startExport(server, path(), {}))
      assert.equal(answer.status, 410)
      assert.match(answer.text, /No drawer was closed yet/)
    })

    it('hold each receipt of each closing, with sums that are those of the closing', async () => {
      const { id } = await open()
      await sell([full, full, reduced])
      const sold = await sell([full, card])
      const reason = { amount: '-30.00', reason: 'To the safe' }
      await ask('POST', `${server.ev}/drawers/${id}/move_cash/`, 201, reason, till)
      await ask('POST', `${server.ev}/drawers/${id}/open_without_sale/`, 201, { reason: 'Coin' }, till)
      const refund = { amount: '11.90', source: 'admin', provider: 'boxoffice', state: 'done', payment: 1 }
      await ask(
        'POST',
        `${server.ev}/orders/${sold.code}/refunds/`,
        201,
        { ...refund, mark_canceled: false },
        till,
      )
      await close(id, '128.00')
      const lesson = await open({ training: true })
      await sell([full])
      const lessonEnded = await close(lesson.id, '111.90')
      assert.equal(lessonEnded.difference, '0.00')
      const { files, table } = await books()
      assert.match(String(files['NOT-VERIFIED.txt']), /^NOT VERIFIED/)

      const [first, second, ...more] = table('cashpointclosing.csv')
      assert.deepEqual(more, [])
      assert.deepEqual(
        [first?.Z_NR, second?.Z_NR, first?.NAME, first?.ORT],
        ['1', '2', 'Riverside GmbH', 'Köln'],
      )
      assert.equal(first?.Z_SE_BARZAHLUNGEN, '128,00')
      const ofFirst = (name: string) => table(name).filter(({ Z_NR }) => Z_NR === '1')
      assert.equal(sumOf(ofFirst('payment.csv'), 'Z_ZAHLART_BETRAG'), 12800)
      assert.deepEqual(
        ofFirst('businesscases.csv').map((row) => [
          ...[row.GV_TYP, row.UST_SCHLUESSEL, row.Z_UMS_BRUTTO, row.Z_UMS_NETTO, row.Z_UST],
        ]),
        [
          ['Anfangsbestand', '5', '100,00', '100,00', '0,00'],
          ['Auszahlung', '5', '-30,00', '-30,00', '0,00'],
          ['DifferenzSollIst', '5', '-1,50', '-1,50', '0,00'],
          ['MehrzweckgutscheinKauf', '5', '25,00', '25,00', '0,00'],
          // What was given back is a share of each tax of its order.
          ['Umsatz', '1', '31,86', '26,77', '5,09'],
          ['Umsatz', '2', '10,70', '10,00', '0,70'],
          ['Umsatz', '5', '-8,06', '-8,06', '0,00'],
        ],
      )
      const turnover = ofFirst('businesscases.csv').filter(({ GV_TYP }) => GV_TYP === 'Umsatz')
      assert.equal(sumOf(turnover, 'Z_UMS_BRUTTO'), 3 * 1190 + 1070 - 1190)
      for (const name of ['lines_vat.csv', 'transactions_vat.csv']) {
        const gross = name.startsWith('lines') ? 'POS_BRUTTO' : 'BON_BRUTTO'
        assert.equal(sumOf(ofFirst(name), gross), sumOf(ofFirst('businesscases.csv'), 'Z_UMS_BRUTTO'), name)
      }
      const bons = table('transactions.csv')
      assert.deepEqual(
        bons.map(({ Z_NR, BON_TYP }) => [Z_NR, BON_TYP]),
        [
          ...Array(4).fill(['1', 'Beleg']),
          ['1', 'AVSonstige'],
          ...Array(2).fill(['1', 'Beleg']),
          ...Array(2).fill(['2', 'AVTraining']),
        ],
      )
      assert.equal(new Set(bons.map(({ BON_ID }) => BON_ID)).size, bons.length)
      assert.deepEqual(
        table('businesscases.csv').filter(({ Z_NR }) => Z_NR === '2'),
        [],
      )
      const [refunded, ...others] = table('references.csv')
      assert.deepEqual(others, [])
      assert.deepEqual(
        [refunded?.Z_NR, refunded?.REF_Z_KASSE_ID, refunded?.REF_Z_NR, refunded?.REF_BON_ID],
        ['1', first?.Z_KASSE_ID, '1', bons[2]?.BON_ID],
      )
      const quoted = table('lines.csv').filter(({ ARTIKEL_TEXT }) => ARTIKEL_TEXT?.includes('Day "ticket"'))
      assert.ok(quoted.length >= 4)
      assert.equal(table('cashregister.csv')[0]?.KASSE_MODELL, 'Foyer; left')
    })

    it('are described column by column', async () => {
      const { id } = await open()
      await close(id, '100.00')
      const { files } = await books()
      const index = String(files['index.xml'])
      const described = [...index.matchAll(/<URL>([^<]+)<\/URL>[\s\S]*?<\/Table>/g)].map(([text, file]) => ({
        file,
        columns: [...text.matchAll(/<VariableColumn><Name>([^<]+)</g)].map(([, name]) => name),
      }))
      assert.deepEqual(
        described.map(({ file }) => file).toSorted(),
        Object.keys(files)
          .filter((file) => file.endsWith('.csv'))
          .toSorted(),
      )
      for (const { file, columns } of described)
        assert.deepEqual(String(files[String(file)]).split('\r\n')[0]?.split(';'), columns, file)
    })
  })
