import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { quickest } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'

describe('a sale that is paid in several ways', () => {
  let server: TestServer
  let item: number
  const ask = asking(() => server)
  const till = 'Device till'
  before(async () => {
    server = await startTestServer(await quickest.open())
    const { organizer, event } = server
    item = await server.running.transactions.write(async (tx) => {
      await addDevice(tx, organizer, 1, 'till', { security_profile: 'boxoffice' })
      return addItem(tx, { organizer, event }, 'Day ticket', { default_price: '12.50' })
    })
    const quota = { name: 'All', size: null, items: [item], variations: [] }
    await ask('POST', `${server.ev}/quotas/`, 201, quota)
    await ask('POST', `${server.ev}/drawers/`, 201, { float: '100.00' }, till)
  })
  after(() => server.close())

  const cash = (amount: unknown, more: RowData = {}) => ({ provider: 'boxoffice', amount, info: more })
  const byCard = (amount: string, secret: string) => ({
    ...{ provider: 'giftcard', amount, info: { gift_card_secret: secret } },
  })
  const sell = (status: number, paid_by: unknown, more: RowData = {}) =>
    ask(
      'POST',
      `${server.ev}/orders/`,
      status,
      { status: 'p', expected_total: '25.00', paid_by, positions: [{ item }, { item }], ...more },
      till,
    )
  const card = (secret: string, value = '10.00') =>
    ask('POST', `/api/v1/organizers/acme/giftcards/`, 201, { secret, value, currency: 'EUR' })
  const worth = async ({ id }: RowData) =>
    (await ask('GET', `/api/v1/organizers/acme/giftcards/${id}/`, 200)).value
  const receipts = async () =>
    resultsOf(await ask('GET', `${server.ev}/receipts/?type=sale`, 200, undefined, till))

  it('takes all of them at once, and has one receipt with all of them', async () => {
    const [one, two] = [await card('ONE'), await card('TWO', '5.00')]
    const given = { given: '20.00', change: '10.00' }
    const order = await sell(201, [byCard('10.00', 'one'), byCard('5.00', 'two'), cash('10.00', given)])
    assert.equal(order.status, 'p')
    assert.deepEqual([await worth(one), await worth(two)], ['0.00', '0.00'])
    const shown = resultsOf({ results: order.payments }).map(({ provider, amount, state }) => [
      ...[provider, amount, state],
    ])
    assert.deepEqual(shown, [
      ['giftcard', '10.00', 'confirmed'],
      ['giftcard', '5.00', 'confirmed'],
      ['boxoffice', '10.00', 'confirmed'],
    ])
    const [receipt, ...others] = await receipts()
    assert.deepEqual([receipt?.order, receipt?.total, others], [order.code, '25.00', []])
    assert.deepEqual(receipt?.payments, [
      { provider: 'giftcard', amount: '10.00', given: null, change: null },
      { provider: 'giftcard', amount: '5.00', given: null, change: null },
      { provider: 'boxoffice', amount: '10.00', given: '20.00', change: '10.00' },
    ])
  })

  it('sells nothing and takes nothing where one of them cannot be taken', async () => {
    const before = (await receipts()).length
    const [full, spent] = [await card('FULL'), await card('SPENT', '3.00')]
    await sell(409, [byCard('10.00', 'full'), byCard('5.00', 'spent'), cash('10.00')])
    await sell(400, [byCard('10.00', 'full'), byCard('5.00', 'nobody'), cash('10.00')])
    assert.deepEqual([await worth(full), await worth(spent)], ['10.00', '3.00'])
    assert.equal((await receipts()).length, before)
  })

  for (const [what, paid_by, field] of [
    ['too little', [cash('24.99')], 'paid_by'],
    ['too much', [cash('20.00'), cash('5.01')], 'paid_by'],
    ['nothing', [cash('0.00'), cash('25.00')], 'paid_by'],
    ['less than nothing', [cash('-1.00'), cash('26.00')], 'paid_by'],
    ['an absurd amount', [cash('1e300')], 'paid_by'],
    ['no amount', [cash({ amount: '25.00' })], 'paid_by'],
    ['a way that nobody knows', [{ ...cash('25.00'), provider: 'shells' }], 'paid_by'],
    ['a list of nothing', [], 'paid_by'],
    ['no list', '25.00', 'paid_by'],
    ['more ways than anybody has', Array.from({ length: 25 }, () => cash('1.00')), 'paid_by'],
  ] as const)
    it(`says what is wrong with ${what}, and sells nothing`, async () => {
      const before = (await receipts()).length
      const answer = await sell(400, paid_by)
      assert.deepEqual(Object.keys(answer), [field], JSON.stringify(answer))
      assert.equal((await receipts()).length, before)
    })

  it('is paid in one way or in several, not both, and at once', async () => {
    assert.match(JSON.stringify(await sell(400, [cash('25.00')], { payment_provider: 'manual' })), /either/)
    assert.match(JSON.stringify(await sell(400, [cash('25.00')], { status: 'n' })), /at once/)
  })
})
