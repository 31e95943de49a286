import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { Refusal } from '../../../server/errors.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { saveOrganizerSettings } from '../../../server/services/events/organizer-settings.ts'
import { type OutboxFact, restoreFacts } from '../../../server/sync/replica/own-facts.ts'
import { engines } from '../../support/engines/engines.ts'
import { countOf, startPair, type TestNode, until } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'
import { startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

for (const engine of engines)
  describe(`gift cards that tills take without asking, at central on ${engine.name}`, () => {
    let world: TillWorld
    let north: Till
    let south: Till
    const card = 4711
    beforeEach(async () => {
      world = await startTills(100, await engine.open())
      await world.central.transactions.write(async (tx) => {
        await setLimit(tx, '30.00')
        await addCard(tx, card, 4000)
      })
      north = await world.join('north')
      south = await world.join('south')
      for (const till of [north, south]) await world.lease(till, 10)
    })
    afterEach(() => world.close())

    const place = () => ({ organizer: world.place.organizer, event: 0 })

    async function setLimit(tx: Tx, limit: string): Promise<void> {
      const { actor } = world.central
      const scope = {
        ...{ actor, place: place(), event: null },
        organizer: { id: place().organizer, slug: 'acme' },
      }
      await saveOrganizerSettings(tx, scope, { gift_card_offline_limit: limit })
    }

    async function addCard(tx: Tx, id: number, value: number, currency = 'EUR'): Promise<void> {
      const of = place().organizer
      await tx.run(
        sql`INSERT INTO gift_card (organizer, id, secret, currency, value, testmode, expires, conditions)
            VALUES (${of}, ${id}, ${`CARD${id}`}, ${currency}, ${value}, 0, NULL, NULL)`,
      )
      await tx.run(
        sql`INSERT INTO gift_card_transaction (organizer, id, "datetime", value, event, "order", text, gift_card)
            VALUES (${of}, ${id + 1}, ${tx.now}, ${value}, NULL, NULL, NULL, ${id})`,
      )
    }

    /** Sells one ticket for some money, paid with the card. */
    const sell = (till: Till, price: string, info: RowData = { gift_card_secret: `card${card}` }) =>
      till.sell(world.item, 1, {
        ...{ payment_provider: 'giftcard', payment_info: info },
        positions: [{ item: world.item, price }],
      })
    const refused = (work: Promise<unknown>, status: number, words: RegExp) =>
      assert.rejects(work, (cause) => {
        assert.ok(cause instanceof Refusal, String(cause))
        assert.equal(cause.status, status, JSON.stringify(cause.body))
        assert.match(JSON.stringify(cause.body), words)
        return true
      })
    const worth = async (till: Till): Promise<readonly [number, number]> => {
      const row = await till.database.get<{ value: number; sum: number }>(
        sql`SELECT c.value, (SELECT sum(t.value) FROM gift_card_transaction t WHERE t.gift_card = c.id) AS sum
            FROM gift_card c WHERE c.id = ${card}`,
      )
      return [Number(row?.value), Number(row?.sum)]
    }
    const history = (till: Till) =>
      till.database.all<{ id: number; value: number; event: string; order: string }>(
        sql`SELECT id, value, event, "order" AS "order" FROM gift_card_transaction
            WHERE gift_card = ${card} AND value < 0 ORDER BY id`,
      )

    it('are spent up to the limit, and reported once', async () => {
      const sold = await sell(north, '25.00')
      assert.deepEqual(await worth(north), [1500, 1500])
      await refused(sell(north, '5.01'), 503, /30\.00.*25\.00/)
      await sell(north, '5.00')
      await refused(sell(north, '0.01'), 503, /30\.00.*30\.00/)
      assert.deepEqual(await worth(world.central), [4000, 4000])
      const first = await world.push(north, world.central, true)
      assert.deepEqual(
        first.map(({ status }) => status),
        Array(4).fill('applied'),
      )
      const again = await world.push(north)
      assert.deepEqual(
        again.map(({ status }) => status),
        Array(4).fill('duplicate'),
      )
      assert.deepEqual(await worth(world.central), [1000, 1000])
      assert.deepEqual(
        (await history(world.central)).map((row) => ({ ...row })),
        [...(await history(north)).map((row) => ({ ...row }))],
      )
      assert.equal((await history(world.central))[0]?.order, sold.code)
      assert.deepEqual(await world.conflicts(), [])
    })

    it('are spent in part, and the rest is paid in another way', async () => {
      const half = { provider: 'giftcard', amount: '20.00', info: { gift_card_secret: `card${card}` } }
      const parts = (rest: string) => ({
        ...{ payment_provider: null, paid_by: [half, { provider: 'boxoffice', amount: rest }] },
        positions: [{ item: world.item, price: '25.00' }],
      })
      await assert.rejects(north.sell(world.item, 1, parts('4.99')), /paid_by|Refusal/)
      assert.deepEqual(await worth(north), [4000, 4000])
      await north.sell(world.item, 1, parts('5.00'))
      await refused(north.sell(world.item, 1, parts('5.00')), 503, /30\.00.*20\.00/)
      await world.push(north)
      assert.deepEqual(await worth(north), [2000, 2000])
      assert.deepEqual(await worth(world.central), [2000, 2000])
    })

    it('can be spent again once what was spent is known upstream', async () => {
      await sell(north, '30.00')
      await world.push(north)
      await world.pull(north)
      await sell(north, '10.00')
      await refused(sell(north, '0.01'), 409, /sufficient credit/)
      assert.deepEqual(await worth(north), [0, 0])
    })

    it('are a contradiction where two tills took more together than there was', async () => {
      await sell(north, '30.00')
      const late = await sell(south, '25.00')
      await world.push(north)
      const results = await world.push(south)
      assert.deepEqual(
        results.map(({ status, conflicts }) => [status, conflicts?.[0]?.kind]),
        [
          ['applied', undefined],
          ['conflict', 'overdrawn_card'],
        ],
      )
      assert.deepEqual(await worth(world.central), [-1500, -1500])
      assert.deepEqual(await world.conflicts(), [
        {
          kind: 'overdrawn_card',
          data: { gift_card: card, taken: '25.00', short: '15.00', currency: 'EUR', code: late.code },
        },
      ])
      assert.equal(await world.sold(), 2)
    })

    it('are not taken where the organizer has set no limit, nor those that do not fit', async () => {
      await north.transactions.write(async (tx) => {
        await addCard(tx, 5000, 4000, 'USD')
        await addCard(tx, 6000, 100)
      })
      await refused(sell(north, '5.00', { gift_card: 5000 }), 400, /currency/)
      await refused(sell(north, '5.00', { gift_card: 6000 }), 409, /sufficient credit/)
      await refused(sell(north, '5.00', { gift_card: 7000 }), 400, /Name the gift card/)
      await north.database.run(sql`UPDATE organizer SET settings = '{}'`)
      await refused(sell(north, '5.00'), 400, /Take another way of paying/)
      assert.deepEqual(await north.waiting(), [])
      const left = await north.database.get<{ count: number }>(sql`SELECT count(*) AS count FROM orders`)
      assert.equal(Number(left?.count), 0)
    })

    it('are spent as well in a new copy of the data', async () => {
      await sell(north, '25.00')
      const kept = await north.database.all<OutboxFact>(
        sql`SELECT organizer, event, kind, device, payload FROM outbox WHERE kind = 'gift_card'`,
      )
      const fresh = await world.join('fresh')
      for (const _ of ['once', 'again'])
        assert.equal(await fresh.transactions.write((tx) => restoreFacts(tx, kept)), 0)
      assert.deepEqual(await worth(fresh), [1500, 1500])
    })

    for (const [what, change, reason] of [
      ['that put money on one', { value: '5.00' }, undefined],
      ['of one that does not exist', { gift_card: 99 }, 'unknown_card'],
      ['without an id', { id: null }, undefined],
    ] as const)
      it(`do not come from facts ${what}`, async () => {
        await sell(north, '5.00')
        for (const { seq, kind, payload } of await north.waiting()) {
          if (kind !== 'gift_card') continue
          const content = JSON.parse(payload)
          Object.assign(content.row, change)
          await north.database.run(
            sql`UPDATE outbox SET payload = ${JSON.stringify(content)} WHERE seq = ${seq}`,
          )
        }
        const [, result] = await world.push(north)
        assert.equal(result?.status, 'rejected')
        if (reason) assert.equal(result.reason, reason)
        assert.deepEqual(await worth(world.central), [4000, 4000])
      })

    it('are not taken beyond what an amount of money can be', async () => {
      for (const price of ['5.00', '6.00']) await sell(north, price)
      for (const { seq, kind, payload } of await north.waiting()) {
        if (kind !== 'gift_card') continue
        const content = JSON.parse(payload)
        content.row.value = '-99999999999.99'
        await north.database.run(
          sql`UPDATE outbox SET payload = ${JSON.stringify(content)} WHERE seq = ${seq}`,
        )
      }
      const results = await world.push(north)
      assert.deepEqual(
        results.filter((_, index) => index % 2 === 1).map(({ status, reason }) => [status, reason]),
        [
          ['conflict', undefined],
          ['rejected', 'too_large'],
        ],
      )
      assert.deepEqual(await worth(world.central), [4000 - 99_999_999_999_99, 4000 - 99_999_999_999_99])
    })

    it('keep their history where an id is taken', async () => {
      await sell(north, '5.00')
      const [own] = await history(north)
      await world.central.transactions.write((tx) =>
        tx.run(
          sql`INSERT INTO gift_card_transaction (organizer, id, "datetime", value, event, "order", text, gift_card)
              VALUES (${place().organizer}, ${own?.id}, ${tx.now}, 0, NULL, NULL, NULL, ${card})`,
        ),
      )
      const [, result] = await world.push(north)
      assert.deepEqual([result?.status, result?.rejoin], ['applied', true])
      assert.deepEqual(await worth(world.central), [3500, 3500])
    })
  })

describe('a gift card at a station without its network', () => {
  const org = '/api/v1/organizers/acme'
  let central: TestServer
  let station: TestNode
  let path: string
  let history: string
  before(async () => {
    ;({ central, station } = await startPair(['A']))
    const set = await central.call('PATCH', `${org}/settings/`, { gift_card_offline_limit: '10.00' })
    assert.equal(set.status, 200)
    const made = await central.call('POST', `${org}/giftcards/`, { currency: 'EUR', value: '20.00' })
    path = `${org}/giftcards/${(made.body as RowData).id}/transact/`
    history = `${org}/giftcards/${(made.body as RowData).id}/transactions/`
    await until('the card has arrived', async () => (await countOf(station, 'gift_card')) === 1)
    const { status } = await transact('-1.00')
    assert.equal(status, 200)
    assert.equal(await countOf(station, 'outbox', `kind = 'gift_card'`), 0)
    await until('that is known here', async () => (await countOf(station, 'gift_card_transaction')) === 2)
    await central.close()
    await until('the station knows', isOffline)
  })
  after(() => station?.close())

  const transact = (value: string) => station.call('POST', path, { value, text: 'Bar' })
  const isOffline = async () => (await station.link()).state === 'alone'

  it('is spent up to the limit, and raised by nobody', async () => {
    const spent = await transact('-6.00')
    assert.deepEqual([spent.status, (spent.body as RowData).value], [200, '13.00'])
    const more = await transact('-4.01')
    assert.deepEqual([more.status, more.headers.get('Retry-After')], [503, '10'])
    assert.equal((await transact('1.00')).status, 503)
    const rest = await transact('-4.00')
    assert.deepEqual([rest.status, (rest.body as RowData).value], [200, '9.00'])
    const shown = await station.call('GET', history)
    assert.deepEqual(
      ((shown.body as RowData).results as RowData[]).map(({ value, text }) => [value, text]),
      [
        ['20.00', null],
        ['-1.00', 'Bar'],
        ['-6.00', 'Bar'],
        ['-4.00', 'Bar'],
      ],
    )
    assert.equal(await countOf(station, 'outbox', `kind = 'gift_card' AND state = 'waiting'`), 2)
  })
})
