import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { factKinds, type SentFact } from '../../../schema/sync.ts'
import { instantOf, realEnv } from '../../../server/env.ts'
import type { Log } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { type QueuedFact, sentFactOf } from '../../../server/sync/outbox/outbox.ts'
import { receiveFacts } from '../../../server/sync/receive/receive.ts'
import { devicesById } from '../../../server/sync/receive/senders.ts'
import { hostile, pick, seeded, spoil } from '../../fuzz/invent.ts'
import { engines } from '../../support/engines/engines.ts'
import { amount } from '../../support/mocha/amount.ts'
import { seed } from '../../support/mocha/chance.ts'
import { asking } from '../../support/servers/asking.ts'
import { countOf, rowsOf, startPair, type TestNode, until, type Venue } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'

/** The same thing happening once more, with ids and codes of its own. */
function anew(fact: SentFact, turn: number): SentFact {
  const own = new Set(fact.kind === 'order' ? ['id', 'order_id', 'addon_to'] : ['id'])
  const said = JSON.stringify(fact.payload, (key, value) => {
    if (own.has(key) && typeof value === 'number') return value + 100 * (turn + 1)
    if (fact.kind === 'order' && (key === 'code' || key === 'secret')) return `${value}${turn}`.slice(-16)
    return value
  })
  return { ...fact, payload: JSON.parse(said) }
}

const rounds = amount(6000, 1500, 500)
const perPush = 50

for (const engine of engines)
  describe(`${rounds} facts that a broken station tells central on ${engine.name}`, function () {
    this.timeout(180_000 + rounds * 60)
    let central: TestServer
    let station: TestNode
    let venue: Venue
    const ask = asking(() => central)
    const reported: SentFact[] = []
    const failures: string[] = []
    const log: Log = {
      info: () => undefined,
      warn: () => undefined,
      error: (message, more) => failures.push(`${message} ${JSON.stringify(more)}`),
    }

    /** What a station tells of a day on which everything happens that it can tell of. */
    async function work(): Promise<void> {
      const settings = { till_signing: 'simulator', kiosk_name_correction: true }
      await ask('PATCH', `${central.ev}/settings/`, 200, settings)
      const question = await ask('POST', `${central.ev}/questions/`, 201, {
        question: { en: 'Meal?' },
        type: 'M',
        ask_during_checkin: true,
        items: [venue.item],
        options: [{ answer: { en: 'Fish' }, identifier: 'FISH' }, { answer: { en: 'None' } }],
      })
      await ask('POST', `${central.ev}/quotas/`, 201, { name: 'House', size: 5000, items: [venue.item] })
      await until('the station knows of all this', async () => {
        const [quotas, questions] = [await countOf(station, 'quota'), await countOf(station, 'question')]
        return quotas + questions === 2
      })
      const orders = `${central.ev}/orders/`
      const made = await station.call('POST', orders, {
        ...{ status: 'p', payment_provider: 'manual', email: 'ann@example.org', phone: '+49301234567' },
        invoice_address: {
          is_business: true,
          company: 'Acme',
          name_parts: { _legacy: 'Ann' },
          country: 'DE',
        },
        fees: [{ fee_type: 'service', value: '2.00' }],
        positions: [
          { positionid: 1, item: venue.item, attendee_name_parts: { _legacy: 'Ann' }, country: 'DE' },
          { positionid: 2, addon_to: 1, item: venue.item, valid_until: '2031-01-01T00:00:00Z' },
        ],
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { positions } = made.body as { positions: { id: number; secret: string }[] }
      const [first] = positions
      const redeem = {
        ...{ secret: first?.secret, lists: [venue.list], nonce: 'first' },
        answers: { [String(question.id)]: 'FISH' },
      }
      const entered = await station.call('POST', `${central.org}/checkinrpc/redeem/`, redeem)
      assert.equal((entered.body as RowData).status, 'ok', JSON.stringify(entered.body))
      const undone = { lists: [venue.list], nonce: 'first' }
      const annulled = await station.call('POST', `${central.org}/checkinrpc/annul/`, undone)
      assert.equal(annulled.status, 200, JSON.stringify(annulled.body))
      const print = { source: 'till', type: 'badge', info: { copies: 1 } }
      const printed = await station.call('POST', `${central.ev}/orderpositions/${first?.id}/printlog/`, print)
      assert.equal(printed.status, 201, JSON.stringify(printed.body))
      const drawer = await station.call('POST', `${central.ev}/drawers/`, { float: '80.00' })
      assert.equal(drawer.status, 201, JSON.stringify(drawer.body))
      const receipts = await rowsOf<{ id: number }>(station, sql`SELECT id FROM receipt`)
      const handed = `${central.ev}/receipts/${receipts[0]?.id}/prints/`
      const onPaper = await station.call('POST', handed, { way: 'paper' })
      assert.equal(onPaper.status, 201, JSON.stringify(onPaper.body))
      const close = `${central.ev}/drawers/${(drawer.body as RowData).id}/close/`
      const closed = await station.call('POST', close, { counted: '79.00', reason: 'Lost' })
      assert.equal(closed.status, 201, JSON.stringify(closed.body))
      await until('all is reported', async () => (await station.link()).queue === 0)
      const card = await ask('POST', `${central.org}/giftcards/`, 201, { currency: 'EUR', value: '20.00' })
      const rows = await rowsOf<QueuedFact & Record<string, never>>(
        station,
        sql`SELECT * FROM outbox ORDER BY seq`,
      )
      reported.push(...rows.map(sentFactOf))
      const [example] = reported
      assert.ok(example)
      const lease = await station.transactions.database.get(sql`SELECT * FROM quota_lease`)
      assert.ok(lease)
      const saying = (kind: SentFact['kind'], event: number, row: RowData): SentFact => ({
        ...example,
        ...{ kind, event, nonce: kind, payload: { row } },
      })
      const { site } = example
      // Only a hub tells of devices.
      const { database } = central.running.transactions
      await database.run(sql`UPDATE device SET site_end = ${site + 100} WHERE site = ${site}`)
      const name = { secret: first?.secret, before: { _legacy: 'Ann' }, parts: { _legacy: 'Anne' } }
      reported.push(
        {
          ...{ ...example, kind: 'attendee_name', event: central.event, nonce: 'attendee_name' },
          payload: { position: first?.id, ...name },
        },
        saying('lease', central.event, { ...lease, state: 'open' }),
        saying('gift_card', 0, { id: 2 ** 32 * site + 900_000, gift_card: card.id, value: '-1.00' }),
        saying('device', 0, {
          ...{ id: 2 ** 32 * site + 900_001, device_id: 77, unique_serial: 'S', name: 'Till' },
          ...{ all_events: true, limit_events: [], security_profile: 'full', gate: null },
          ...{ created: '2030-06-01T09:00:00.000000Z', former_sites: [[site + 2, site + 3]] },
          ...{ site: site + 1, site_end: null },
        }),
      )
      assert.deepEqual([...new Set(reported.map(({ kind }) => kind))].sort(), [...factKinds].sort())
    }

    /** Tells central some facts, as if the station had. */
    async function tell(facts: readonly SentFact[]) {
      const { transactions } = central.running
      const [{ device } = { device: null }] = reported
      const known = await devicesById(transactions.database, central.organizer, [Number(device)])
      const [sender] = known.values()
      assert.ok(sender)
      const clock = { boot: 'x', mono: 0, device_time: instantOf(realEnv.now()), clock_offset: 0 }
      return receiveFacts(
        { transactions, env: realEnv, log },
        { organizer: central.organizer, device: sender, isVouchedFor: false },
        { clock, live: true, facts },
      )
    }

    before(async () => {
      ;({ central, station, venue } = await startPair(['A'], {}, await engine.open()))
      await work()
    })
    after(async () => {
      await station.close()
      await central.close()
    })

    it('are taken or refused one by one, and what is stored of them can be read', async () => {
      const seen = new Set<string>()
      const whole = new Set<string>()
      for (let index = 0; index < rounds; index += perPush) {
        const facts = Array.from({ length: perPush }, (_, place) => {
          const draw = seeded(seed + index + place)
          const fact = { ...anew(pick(draw, reported), index + place), nonce: `${index + place}` }
          const chance = draw()
          if (chance < 0.15) whole.add(fact.nonce)
          if (chance < 0.15) return fact
          if (chance < 0.3) return { ...fact, [pick(draw, Object.keys(fact))]: pick(draw, hostile) }
          return { ...fact, payload: spoil(draw, fact.payload) }
        })
        const results = await tell(facts)
        assert.equal(results.length, facts.length)
        for (const [place, { nonce, status, detail }] of results.entries()) {
          assert.ok(status !== 'rejected' || !whole.has(nonce), `${nonce}: ${detail}`)
          const { kind } = facts[place] ?? {}
          if (typeof kind === 'string') seen.add(`${status} ${kind}`)
        }
      }
      assert.deepEqual(failures.slice(0, 3), [])
      for (const kind of factKinds)
        for (const status of ['rejected', 'applied']) assert.ok(seen.has(`${status} ${kind}`), kind)
      const { ev, org } = central
      for (const path of [
        `${ev}/orders/`,
        `${ev}/orderpositions/`,
        `${ev}/checkinlists/${venue.list}/positions/`,
        `${ev}/checkinlists/${venue.list}/status/`,
        ...[
          `${ev}/drawers/`,
          `${ev}/receipts/`,
          `${ev}/closings/`,
          `${ev}/receipt_prints/`,
          `${ev}/receipt_signatures/`,
        ],
        `${org}/conflicts/`,
        `${org}/giftcards/`,
        `${org}/devices/`,
      ])
        for (let next: string | null = `${path}?page_size=500`; next; ) {
          const page: RowData = await ask('GET', next, 200)
          next =
            typeof page.next === 'string' ? new URL(page.next).pathname + new URL(page.next).search : null
        }
      await until('the station has all of it', async () => {
        const rows = sql`SELECT id FROM order_position ORDER BY id`
        const [here, there] = await Promise.all([rowsOf(station, rows), rowsOf(central.running, rows)])
        return JSON.stringify(here) === JSON.stringify(there)
      })
    })
  })
