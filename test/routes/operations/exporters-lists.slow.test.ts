import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ReadRow, readCsv, readXlsx, sumOf } from '../../support/mocha/tables.ts'
import { addToken } from '../../support/servers/servers.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { endOfExport, exported, startExport } from '../../support/ticketing/exports.ts'
import {
  addRow,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'
import { onePixel } from '../../support/ticketing/pictures.ts'
import { unzip } from '../../support/ticketing/unzip.ts'
import { addSoldOut, wait } from '../../support/ticketing/waiting-list.ts'

/** What one of poppler's programs makes of a PDF. */
function popplerOf(pdf: Buffer, program: string, ...options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'exported-'))
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    const out = execFileSync(`/usr/bin/${program}`, [...options], { cwd: folder })
    return program === 'pdftoppm' ? readFileSync(join(folder, 'page.png')) : out
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const textOf = (pdf: Buffer): string =>
  popplerOf(pdf, 'pdftotext', '-layout', 'in.pdf', '-').toString().replaceAll(/\s+/g, ' ')

for (const engine of engines)
  describe(`exported lists on ${engine.name}`, () => {
    let server: ShopServer
    let list: number
    let first: ShownOrder
    let second: ShownOrder

    const run = (identifier: string, wishes: object = {}, base = server.ev) =>
      exported(server, `${base}/exporters/${identifier}/`, wishes)
    const rowsOf = async (
      identifier: string,
      wishes: object = {},
      base?: string,
    ): Promise<readonly ReadRow[]> =>
      readCsv((await run(identifier, { _format: 'default', ...wishes }, base)).bytes)
    const cellsOf = (rows: readonly ReadRow[], ...columns: string[]) =>
      rows.map((row) => columns.map((column) => row[column]))
    const scan = async (secret: string, status: number, more: object = {}) => {
      const body = { secret, lists: [list], nonce: `${secret} ${JSON.stringify(more)}`, ...more }
      const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/`, body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
    }

    before(async () => {
      server = await startShop(await engine.open())
      const { shop } = server
      const added = await server.ask<{ id: number }>(201, 'POST', '/checkinlists/', { name: 'Main door' })
      list = added.id
      const seen = { question: shop.meal, answer: 'Vegan', options: [shop.vegan] }
      first = await server.paidOrder({
        email: 'zoe@example.org',
        positions: [
          {
            positionid: 1,
            item: shop.ticket,
            attendee_name_parts: { given_name: 'Zoë', family_name: 'Ahorn' },
            answers: [seen],
          },
          { positionid: 2, item: shop.dinner, variation: shop.child, addon_to: 1 },
        ],
      })
      second = await server.paidOrder({
        positions: [{ item: shop.ticket, attendee_name_parts: { given_name: 'Adam', family_name: 'Zobel' } }],
        checkin_attention: true,
      })
      await server.order({ status: 'n', positions: [{ item: shop.ticket, attendee_name: 'Not Paid' }] })
      await scan(first.positions[0].secret, 201)
      await scan(first.positions[0].secret, 400, { questions_supported: true })
      await scan('nobody', 404)
      await scan(second.positions[0].secret, 201, { force: true })
      await scan(second.positions[0].secret, 201, { type: 'exit' })
    })
    after(() => server.close())

    it('tell who is on a check-in list, by name or by order, and when they came', async () => {
      const rows = await rowsOf('checkinlist', { list, sort: 'name', secrets: true })
      assert.deepEqual(cellsOf(rows, 'Attendee name', 'Product', 'Ticket code', 'Requires attention'), [
        ['Adam Zobel', 'Ticket', second.positions[0].secret, 'Yes'],
        ['Zoë Ahorn', 'Ticket', first.positions[0].secret, 'No'],
        ['Zoë Ahorn', 'Dinner', first.positions[1]?.secret, 'No'],
      ])
      assert.deepEqual(
        rows.map((row) => [row['Checked in'] !== '', row['Checked out'] !== '']),
        [
          [true, true],
          [true, false],
          [false, false],
        ],
      )
      const byFamily = await rowsOf('checkinlist', { list, sort: 'name:family_name' })
      assert.deepEqual(cellsOf(byFamily, 'Attendee name').flat(), ['Zoë Ahorn', 'Zoë Ahorn', 'Adam Zobel'])
      const byCode = await rowsOf('checkinlist', { list, sort: 'code' })
      assert.deepEqual(cellsOf(byCode, 'Order code').flat(), [first.code, first.code, second.code].toSorted())
      assert.ok(!('Ticket code' in (byCode[0] ?? {})))
      const attentive = await rowsOf('checkinlist', {
        list,
        attention_only: true,
        questions: [server.shop.meal],
      })
      assert.deepEqual(cellsOf(attentive, 'Order code', 'meal'), [[second.code, '']])
      const { position_count: count } = await server.ask<{ position_count: number }>(
        200,
        'GET',
        `/checkinlists/${list}/`,
      )
      assert.equal(rows.length, count)
    })

    it('have the same in a workbook, with times', async () => {
      const { bytes } = await run('checkinlist', { _format: 'xlsx', list, questions: [server.shop.meal] })
      const sheets = await readXlsx(bytes)
      const rows = sheets['Main door'] ?? []
      assert.deepEqual(
        rows.map((row) => [row['Attendee name'], row.Price, row.meal, row['Checked in'] instanceof Date]),
        [
          ['Adam Zobel', 23, null, true],
          ['Zoë Ahorn', 23, 'vegan', true],
          ['Zoë Ahorn', 15, null, false],
        ],
      )
    })

    it('put the list on paper', async () => {
      const { bytes } = await run('checkinlistpdf', { list, questions: [server.shop.meal] })
      const text = textOf(bytes)
      for (const part of [
        'Main door – GALA',
        '1/1',
        'Adam Zobel',
        'Zoë Ahorn',
        `${first.code}-2`,
        'Dinner – Child',
        'vegan',
      ])
        assert.ok(text.includes(part), `${part} is missing in ${text}`)
      assert.ok(!text.includes('Not Paid'))
    })

    it('make a badge for everybody who is expected, with a code that is read', async () => {
      const { bytes } = await run('badges', { paid_only: true })
      const info = popplerOf(bytes, 'pdfinfo', 'in.pdf').toString()
      assert.match(info, /Pages:\s+2/)
      assert.match(textOf(bytes), /Zoë Ahorn.*Adam Zobel/)
      const picture = popplerOf(
        bytes,
        'pdftoppm',
        '-png',
        '-r',
        '150',
        '-f',
        '1',
        '-l',
        '1',
        '-singlefile',
        'in.pdf',
        'page',
      )
      assert.deepEqual(await textsIn(picture), [first.positions[0].secret])
      assert.match(popplerOf((await run('badges')).bytes, 'pdfinfo', 'in.pdf').toString(), /Pages:\s+3/)
      assert.match(
        popplerOf((await run('badges', { list })).bytes, 'pdfinfo', 'in.pdf').toString(),
        /Pages:\s+2/,
      )
    })

    it('tell who is expected', async () => {
      const rows = await rowsOf('attendeelist')
      assert.deepEqual(cellsOf(rows, 'Attendee name', 'Status', 'Has come', 'Attendee name: family_name'), [
        ['Zoë Ahorn', 'Paid', 'Yes', 'Ahorn'],
        ['Adam Zobel', 'Paid', 'Yes', 'Zobel'],
        ['Not Paid', 'Pending', 'No', ''],
      ])
    })

    it('tell of the scans that failed or were forced, or of all', async () => {
      const results = async (wishes: object) =>
        cellsOf(await rowsOf('checkinlog', wishes), 'Result', 'Type', 'Reason', 'Order code', 'Code scanned')
      const { results: checkins } = await server.ask<ShownPage<{ successful: boolean }>>(
        200,
        'GET',
        '/checkins/',
      )
      const failed = await results({ status: 'failed' })
      assert.equal(failed.length, checkins.filter(({ successful }) => !successful).length)
      assert.ok(
        failed.some(
          ([result, , reason, , code]) => result === 'Failed' && reason === 'invalid' && code === 'nobody',
        ),
      )
      assert.ok(failed.some(([, , reason, code]) => reason === 'already_redeemed' && code === first.code))
      const forced = await rowsOf('checkinlog', { status: 'forced' })
      assert.deepEqual(cellsOf(forced, 'Order code', 'Was sent as forced'), [[second.code, 'Yes']])
      assert.equal((await results({})).length, failed.length + forced.length)
      assert.equal((await results({ status: 'all', list })).length, checkins.length)
      assert.deepEqual(await results({ status: 'all', date_to: '2020-01-01' }), [])
    })

    it('tell of each answer', async () => {
      const rows = await rowsOf('answerlist')
      assert.deepEqual(cellsOf(rows, 'Order code', 'Question ID', 'Answer', 'Attendee name'), [
        [first.code, 'meal', 'vegan', 'Zoë Ahorn'],
      ])
      assert.deepEqual(await rowsOf('answerlist', { questions: [server.shop.allergies] }), [])
    })

    it('pack the files among the answers, each named by its ticket and question', async () => {
      const place = { organizer: server.organizer, event: server.event }
      const ask = (identifier: string) =>
        server.running.transactions.write((tx) =>
          addRow(tx, question, place, {
            question: { en: identifier },
            type: 'F',
            items: [server.shop.ticket],
            identifier,
          }),
        )
      const [photo, letter] = [await ask('photo'), await ask('letter')]
      const upload = async (type: string, name: string, bytes: Buffer): Promise<string> => {
        const answer = await fetch(`${server.url}/api/v1/upload`, {
          method: 'POST',
          headers: {
            Authorization: 'Token all',
            'Content-Type': type,
            'Content-Disposition': `attachment; filename="${name}"`,
          },
          body: new Uint8Array(bytes),
        })
        assert.equal(answer.status, 201)
        return ((await answer.json()) as { id: string }).id
      }
      const pdf = Buffer.from(`%PDF-1.7 ${'x'.repeat(100_000)}`)
      const { png } = onePixel
      const answers = [
        { question: photo, answer: await upload('image/png', 'me.png', png), options: [] },
        { question: letter, answer: await upload('application/pdf', 'A.PDF', pdf), options: [] },
      ]
      const { code } = await server.paidOrder({ positions: [{ item: server.shop.ticket, answers }] })
      const unpacked = async (wishes: object) => {
        const { bytes, headers } = await run('answerfiles', wishes)
        assert.equal(headers.get('content-type'), 'application/zip')
        return unzip(bytes)
      }
      assert.deepEqual(await unpacked({}), {
        [`GALA-${code}-1-letter.pdf`]: pdf,
        [`GALA-${code}-1-photo.png`]: png,
      })
      assert.deepEqual(Object.keys(await unpacked({ questions: [photo] })), [`GALA-${code}-1-photo.png`])
    })

    it('tell how much of quotas is left, as the interface does', async () => {
      const rows = await rowsOf('quotalist')
      const { results } = await server.ask<
        ShownPage<{ name: string; size: number | null; available_number: number | null }>
      >(200, 'GET', '/quotas/?with_availability=true')
      assert.deepEqual(
        cellsOf(rows, 'Quota', 'Size', 'Available').toSorted(),
        results
          .map((one) => [one.name, String(one.size ?? ''), String(one.available_number ?? '')])
          .toSorted(),
      )
    })

    it('tell of payments and refunds, chosen by their states', async () => {
      const money = await server.paidOrder()
      await server.ask(201, 'POST', `/orders/${money.code}/refunds/`, {
        state: 'done',
        source: 'admin',
        amount: '5.00',
        payment: 1,
        provider: 'manual',
      })
      const rows = await rowsOf('paymentlist')
      const { results } = await server.ask<ShownPage<ShownOrder>>(200, 'GET', '/orders/')
      const paid = results.flatMap(({ payments }) => payments).filter(({ state }) => state === 'confirmed')
      assert.equal(sumOf(rows, 'Amount'), sumOf(paid, 'amount') - 500)
      assert.ok(rows.some((row) => row.Payment === `${money.code}-R-1` && row.Amount === '-5.00'))
      const none = await rowsOf('paymentlist', { payment_states: [], refund_states: [] })
      assert.deepEqual(none, [])
      const refunds = await rowsOf('paymentlist', { payment_states: [] })
      assert.deepEqual(cellsOf(refunds, 'Amount', 'State'), [['-5.00', 'done']])
    })

    it('tell what gift cards are worth at a time, and what was paid with them', async () => {
      const { body } = await server.call('POST', `${server.org}/giftcards/`, {
        currency: 'EUR',
        value: '50.00',
        secret: 'CARD1',
      })
      await server.call('POST', `${server.org}/giftcards/`, {
        currency: 'EUR',
        value: '0.00',
        secret: 'EMPTY1',
      })
      const order = await server.order({ status: 'n', positions: [{ item: server.shop.ticket }] })
      await server.ask(201, 'POST', `/orders/${order.code}/payments/`, {
        state: 'confirmed',
        amount: '23.00',
        provider: 'giftcard',
        info: { gift_card: (body as { id: number }).id },
      })
      const worth = async (wishes: object) =>
        cellsOf(await rowsOf('giftcardlist', wishes, server.org), 'Gift card', 'Value')
      assert.deepEqual(await worth({ date: '2999-12-31' }), [
        ['CARD1', '27.00'],
        ['EMPTY1', '0.00'],
      ])
      assert.deepEqual(await worth({ date: '2999-12-31', state: 'empty' }), [['EMPTY1', '0.00']])
      assert.deepEqual(await worth({ date: '2999-12-31T10:00:00Z', state: 'valid_value', testmode: 'no' }), [
        ['CARD1', '27.00'],
      ])
      assert.deepEqual(await worth({ date: '2999-12-31', testmode: 'yes' }), [])
      assert.deepEqual(await worth({ date: '2020-01-01' }), [])
      const redeemed = await rowsOf('giftcardredemptionlist', { events: ['gala'] }, server.org)
      assert.deepEqual(cellsOf(redeemed, 'Order code', 'Gift card', 'Amount'), [
        [order.code, 'CARD1', '23.00'],
      ])
    })

    it('tell of vouchers, chosen by what became of them', async () => {
      const place = { organizer: server.organizer, event: server.event }
      await server.running.transactions.write(async (tx) => {
        const add = (code: string, values: object) => addRow(tx, voucher, place, { code, ...values })
        await add('=OPEN', { item: server.shop.ticket, price_mode: 'set', value: '5.00', tag: 'press' })
        await add('USED1', { redeemed: 1 })
        await add('OLD12', { valid_until: '2020-01-01T00:00:00.000000Z' })
      })
      const rows = await rowsOf('voucherlist')
      assert.deepEqual(cellsOf(rows, 'Voucher', 'Uses', 'Value', 'Product', 'Tag'), [
        ["'=OPEN", '0', '5.00', 'Ticket', 'press'],
        ['USED1', '1', '', '', ''],
        ['OLD12', '0', '', '', ''],
      ])
      for (const [state, codes] of [
        ['active', ["'=OPEN"]],
        ['used_up', ['USED1']],
        ['expired', ['OLD12']],
      ] as const)
        assert.deepEqual(cellsOf(await rowsOf('voucherlist', { state }), 'Voucher').flat(), codes)
    })

    it('tell who waits, and the vouchers of those who do not any more to those alone who may see vouchers', async () => {
      const { item } = await addSoldOut(server)
      await wait(server, item, 'anna', { name: 'Anna' })
      const served = await wait(server, item, 'bert')
      const code = await server.running.transactions.write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        const id = await addRow(tx, voucher, place, { code: 'SENT123', item })
        await tx.run(sql`UPDATE waiting_list_entry SET voucher = ${id} WHERE id = ${served.id}`)
        return 'SENT123'
      })
      const states = async (wishes: object) =>
        cellsOf(await rowsOf('waitinglist', wishes), 'Email', 'State', 'Voucher')
      const waiting = ['anna@example.org', 'Waiting', '']
      const sent = ['bert@example.org', 'Voucher sent', code]
      assert.deepEqual(await states({}), [waiting, sent])
      assert.deepEqual(await states({ status: 'awaiting-voucher' }), [waiting])
      assert.deepEqual(await states({ status: 'voucher-assigned' }), [sent])
      assert.deepEqual(await states({ status: 'awaiting-redemption' }), [sent])
      assert.deepEqual(await states({ status: 'voucher-redeemed' }), [])
    })

    it('tell of conflicts', async () => {
      const place = { organizer: server.organizer, event: server.event }
      const at = '2030-06-01T10:00:00.000000Z'
      await server.running.transactions.write((tx) =>
        addRow(tx, conflict, place, {
          kind: 'double_entry',
          severity: 'warning',
          state: 'open',
          detected: at,
          datetime: at,
          position: first.positions[0].id,
          list,
        }),
      )
      const rows = await rowsOf('conflictlist', { state: 'open' })
      assert.deepEqual(cellsOf(rows, 'Kind', 'Order code', 'List', 'Time'), [
        ['double_entry', first.code, 'Main door', '2030-06-01 12:00:00'],
      ])
      assert.deepEqual(await rowsOf('conflictlist', { state: 'resolved' }), [])
    })

    it('leave vouchers out of the file of everything for who may not see them', async () => {
      await server.running.transactions.write((tx) =>
        addToken(tx, server.organizer, 'viewer', { all_events: true, can_view_orders: true }),
      )
      const as = { Authorization: 'Token viewer' }
      const path = await startExport(server, `${server.ev}/exporters/json/`, {}, as)
      const plain = JSON.parse((await endOfExport(server, path, as)).text)
      const whole = JSON.parse((await run('json')).text)
      assert.ok('vouchers' in whole && !('vouchers' in plain))
      assert.equal(plain.orders.length, whole.orders.length)
      assert.ok(whole.failed_checkins.some((one: { raw_barcode: string }) => one.raw_barcode === 'nobody'))
    })
  })
