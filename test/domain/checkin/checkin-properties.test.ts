import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Circumstances, decide } from '../../../server/domain/checkin/checkin.ts'
import type { ScanType } from '../../../server/domain/rules/facts.ts'
import { scan, verdict } from './circumstances.ts'

describe('any decision at all', () => {
  const instants = fc
    .integer({ min: Date.UTC(2019, 11, 30), max: Date.UTC(2020, 0, 3) })
    .map((milliseconds) => new Date(milliseconds).toISOString())
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
  const types = fc.constantFrom<ScanType>('entry', 'exit')
  const priorCheckins = fc.array(
    fc.record({
      id: fc.nat(9),
      type: types,
      datetime: instants,
      nonce: maybe(fc.string()),
      device: maybe(fc.nat(3)),
    }),
    { maxLength: 8 },
  )
  const circumstances: fc.Arbitrary<Circumstances> = fc.record({
    list: fc.record({
      id: fc.constant(1),
      event: fc.constant(1),
      all_products: fc.boolean(),
      limit_products: fc.array(fc.nat(3)),
      subevent: maybe(fc.nat(1)),
      include_pending: fc.boolean(),
      allow_multiple_entries: fc.boolean(),
      allow_entry_after_exit: fc.boolean(),
      rules: fc.jsonValue(),
      addon_match: fc.boolean(),
    }),
    ticket: fc.record({
      id: fc.nat(),
      event: fc.constant(1),
      positionid: fc.nat(),
      secret: fc.string(),
      item: fc.nat(3),
      variation: maybe(fc.nat()),
      subevent: maybe(fc.nat(1)),
      addon_to: maybe(fc.nat()),
      canceled: fc.boolean(),
      blocked: fc.array(fc.string(), { maxLength: 1 }),
      valid_from: maybe(instants),
      valid_until: maybe(instants),
      order_status: fc.constantFrom('n', 'p', 'e', 'c'),
      require_approval: fc.boolean(),
      valid_if_pending: fc.boolean(),
    }),
    priorCheckins,
    times: fc.record({
      timezone: fc.constantFrom('Asia/Tokyo', 'Europe/Berlin', 'UTC', 'Not/AZone'),
      date_from: instants,
      date_to: maybe(instants),
      date_admission: maybe(instants),
    }),
    scan: fc.record({
      type: types,
      at: instants,
      force: fc.boolean(),
      ignore_unpaid: fc.boolean(),
      nonce: maybe(fc.string()),
      device: maybe(fc.nat(3)),
      gate: maybe(fc.nat(3)),
      questions_supported: fc.boolean(),
      canceled_supported: fc.boolean(),
      revoked: fc.boolean(),
    }),
    missing: fc.boolean(),
    locale: fc.constantFrom('en', 'de', 'de-informal', 'fr', ''),
  })

  it('never throws, is the same twice, and does not depend on the order of the passes', () => {
    fc.assert(
      fc.property(circumstances, (c) => {
        const ids = c.priorCheckins.map((one, index) => ({ ...one, id: index }))
        const decision = decide({ ...c, priorCheckins: ids })
        assert.deepEqual(decide({ ...c, priorCheckins: ids }), decision)
        assert.deepEqual(decide({ ...c, priorCheckins: ids.toReversed() }), decision)
      }),
      { numRuns: 2000 },
    )
  })

  it('admits whatever is forced, and calls it forced exactly if it would have been refused', () => {
    fc.assert(
      fc.property(circumstances, (c) => {
        const forced = decide(scan({ force: true })(c))
        const free = decide(scan({ force: false })(c))
        assert.equal(forced.outcome, 'admit')
        assert.equal(forced.forced, free.outcome === 'refuse')
      }),
      { numRuns: 2000 },
    )
  })

  it('lets out whom only time, rules, earlier passes or open questions would keep from coming in', () => {
    const forEntriesOnly: readonly string[] = [
      'admit',
      'invalid_time',
      'rules',
      'already_redeemed',
      'incomplete',
    ]
    fc.assert(
      fc.property(circumstances, (all) => {
        const c = scan({ force: false, nonce: null })(all)
        const coming = verdict(decide(scan({ type: 'entry' })(c)))
        const going = verdict(decide(scan({ type: 'exit' })(c)))
        if (!forEntriesOnly.includes(coming)) assert.equal(going, coming)
        assert.ok(!forEntriesOnly.slice(1).includes(going))
      }),
      { numRuns: 2000 },
    )
  })

  it('admits a second time what it has just admitted with a nonce', () => {
    fc.assert(
      fc.property(circumstances, fc.uuid(), (all, nonce) => {
        const c = scan({ nonce })(all)
        if (decide(c).outcome !== 'admit') return
        const { type, at: datetime, device } = c.scan
        const known = { ...c, priorCheckins: [...c.priorCheckins, { id: 99, type, datetime, nonce, device }] }
        assert.deepEqual(decide(known), { outcome: 'admit', replay: true, forced: false })
      }),
    )
  })
})
