import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type ConflictFacts,
  contradictions,
  type RecordedCheckin,
} from '../../../server/domain/checkin/conflicts.ts'
import { goodTicket, openList, tokyo } from './door.ts'

const good: ConflictFacts = { list: openList, ticket: goodTicket, times: tokyo, canceled_since: null }

const at = (clock: string): string => `2020-01-01T${clock}:00.000000Z`

let lastId = 0
const pass = (clock: string, more: Partial<RecordedCheckin> = {}): RecordedCheckin => {
  lastId += 1
  return {
    id: lastId,
    type: 'entry',
    datetime: at(clock),
    nonce: `nonce ${clock} ${lastId}`,
    device: 1,
    gate: null,
    force_sent: false,
    automatic: false,
    revoked: false,
    ...more,
  }
}
const exit = (clock: string): RecordedCheckin => pass(clock, { type: 'exit' })
const list = (facts: Partial<ConflictFacts['list']>): ConflictFacts => ({
  ...good,
  list: { ...openList, ...facts },
})
const ticket = (facts: Partial<ConflictFacts['ticket']>, since: string | null = null): ConflictFacts => ({
  ...good,
  ticket: { ...goodTicket, ...facts },
  canceled_since: since,
})

/** What is found in short: kind, the time of the loser, and of the winner where there is one. */
const found = (judged: ConflictFacts, checkins: readonly RecordedCheckin[]): string[] =>
  contradictions(judged, checkins).map(({ kind, loser, winner }) => {
    const clock = ({ datetime }: RecordedCheckin) => datetime.slice(11, 16)
    return [kind, clock(loser), ...(winner ? [clock(winner)] : [])].join(' ')
  })

const atMostTwo = { '<=': [{ var: 'entries_number' }, 1] }
const beforeTen = { isBefore: [{ var: 'now' }, { buildTime: ['date_from'] }] }

describe('check-ins that contradict each other', () => {
  const stories: readonly [string, ConflictFacts, readonly RecordedCheckin[], readonly string[]][] = [
    ['one entry contradicts nothing', good, [pass('09:00')], []],
    ['nothing at all contradicts nothing', good, [], []],
    ['of two entries the first stands', good, [pass('09:00'), pass('09:05')], ['double_entry 09:05 09:00']],
    [
      'of three entries the first stands, and each other one loses to it',
      good,
      [pass('09:00'), pass('09:05'), pass('09:10')],
      ['double_entry 09:05 09:00', 'double_entry 09:10 09:00'],
    ],
    ['whoever went out may come in again', good, [pass('09:00'), exit('09:05'), pass('09:10')], []],
    [
      'but only once for each time',
      good,
      [pass('09:00'), exit('09:05'), pass('09:10'), pass('09:15')],
      ['double_entry 09:15 09:10'],
    ],
    [
      'and not where the list lets nobody in again',
      list({ allow_entry_after_exit: false }),
      [pass('09:00'), exit('09:05'), pass('09:10')],
      ['double_entry 09:10 09:00'],
    ],
    ['exits contradict nothing', good, [exit('09:00'), exit('09:05'), exit('09:10')], []],
    ['an entry after nothing but exits stands', good, [exit('09:00'), pass('09:05')], []],
    [
      'entries on a list that allows several stand',
      list({ allow_multiple_entries: true }),
      [pass('09:00'), pass('09:05')],
      [],
    ],
    [
      'unless its rules count them',
      list({ allow_multiple_entries: true, rules: atMostTwo }),
      [pass('09:00'), pass('09:05'), pass('09:10')],
      ['rule_violation 09:10 09:05'],
    ],
    [
      'rules are judged at the time of the entry',
      list({ allow_multiple_entries: true, rules: beforeTen }),
      [pass('09:59'), pass('10:01')],
      ['rule_violation 10:01'],
    ],
    ['an entry with a revoked code', good, [pass('09:00', { revoked: true })], ['revoked_used 09:00']],
    ['with a canceled position', ticket({ canceled: true }), [pass('09:00')], ['canceled_used 09:00']],
    [
      'after the order was canceled',
      ticket({ order_status: 'c' }, at('09:00')),
      [pass('09:00')],
      ['canceled_used 09:00'],
    ],
    ['before the order was canceled', ticket({ order_status: 'c' }, at('09:01')), [pass('09:00')], []],
    ['with a blocked ticket', ticket({ blocked: ['admin'] }), [pass('09:00')], ['blocked_used 09:00']],
    [
      'with an unpaid ticket where the list does not let those in',
      { ...ticket({ order_status: 'n' }), list: { ...openList, include_pending: false } },
      [pass('09:00')],
      ['unpaid_used 09:00'],
    ],
    ['and where it does', ticket({ order_status: 'n' }), [pass('09:00')], []],
    [
      'with a ticket that is not valid yet',
      ticket({ valid_from: at('09:30') }),
      [pass('09:00'), exit('09:20'), pass('09:40')],
      ['rule_violation 09:00'],
    ],
    [
      'a double entry is one first of all',
      ticket({ blocked: ['admin'] }),
      [pass('09:00'), pass('09:05')],
      ['blocked_used 09:00', 'double_entry 09:05 09:00'],
    ],
    [
      'what was forced breaks no rule',
      ticket({ canceled: true }),
      [pass('09:00', { force_sent: true, revoked: true })],
      [],
    ],
    [
      'but is a double entry',
      good,
      [pass('09:00'), pass('09:05', { force_sent: true })],
      ['double_entry 09:05 09:00'],
    ],
    [
      'an entry by the sale itself is judged by nobody',
      ticket({ order_status: 'n' }),
      [pass('09:00', { automatic: true })],
      [],
    ],
    ['but counts', good, [pass('09:00', { automatic: true }), pass('09:05')], ['double_entry 09:05 09:00']],
  ]
  for (const [title, judged, checkins, expected] of stories)
    it(`are found: ${title}`, () => assert.deepEqual(found(judged, checkins), expected))

  it('are told apart at the same moment by their nonces, whatever their ids', () => {
    const [a, b] = [pass('09:00', { nonce: 'b', id: 1 }), pass('09:00', { nonce: 'a', id: 2 })]
    for (const checkins of [
      [a, b],
      [b, a],
    ])
      assert.deepEqual(
        contradictions(good, checkins).map(({ loser, winner }) => [loser.nonce, winner?.nonce]),
        [['b', 'a']],
      )
  })

  it('do not include one scan that is known in two ways', () => {
    assert.deepEqual(found(good, [pass('09:00', { nonce: 'same' }), pass('09:00', { nonce: 'same' })]), [])
    assert.equal(
      found(good, [pass('09:00', { nonce: 'same' }), pass('09:01', { nonce: 'same', device: 2 })]).length,
      1,
    )
    assert.equal(found(good, [pass('09:00', { nonce: null }), pass('09:01', { nonce: null })]).length, 1)
  })

  it('are as severe as they are dangerous', () => {
    const severity = (judged: ConflictFacts, checkins: readonly RecordedCheckin[]) =>
      contradictions(judged, checkins)[0]?.severity
    assert.equal(severity(good, [pass('09:00'), pass('09:01')]), 'critical')
    assert.equal(severity(good, [pass('09:00'), pass('09:01', { force_sent: true })]), 'info')
    assert.equal(severity(good, [pass('09:00', { revoked: true })]), 'critical')
    assert.equal(severity(ticket({ valid_from: at('09:30') }), [pass('09:00')]), 'warning')
  })
})

describe('any check-ins of a ticket', () => {
  const checkins = fc.array(
    fc.record({
      id: fc.nat(50),
      type: fc.constantFrom('entry' as const, 'exit' as const),
      datetime: fc.nat(9).map((minute) => at(`09:0${minute}`)),
      nonce: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { nil: null }),
      device: fc.constantFrom(1, 2),
      gate: fc.constant(null),
      force_sent: fc.boolean(),
      automatic: fc.boolean(),
      revoked: fc.boolean(),
    }),
    { maxLength: 9 },
  )
  const judged = fc
    .record({
      allow_multiple_entries: fc.boolean(),
      allow_entry_after_exit: fc.boolean(),
      rules: fc.constantFrom<unknown>({}, atMostTwo, beforeTen),
    })
    .map((facts) => list(facts))
  /** Rows that are told are told apart by their ids. */
  const withIds = (all: readonly RecordedCheckin[]) =>
    all.map((one, index) => ({ ...one, id: index * 100 + one.id }))

  it('contradict alike in any order and however often they are reported', () => {
    fc.assert(
      fc.property(judged, checkins, fc.infiniteStream(fc.nat()), (by, all, chance) => {
        const reported = withIds(all)
        const shuffled = [...reported, ...reported.filter((_, index) => index % 2 === 0)]
          .map((one) => [chance.next().value, one] as const)
          .sort(([a], [b]) => Number(a) - Number(b))
          .map(([, one]) => one)
        assert.deepEqual(contradictions(by, shuffled), contradictions(by, reported))
      }),
      { numRuns: 1000 },
    )
  })

  it('lose once at most, never the first of them to another, and exits never', () => {
    fc.assert(
      fc.property(judged, checkins, (by, all) => {
        const result = contradictions(by, withIds(all))
        assert.equal(new Set(result.map(({ loser }) => loser.id)).size, result.length)
        for (const { loser, winner, cause } of result) {
          assert.equal(loser.type, 'entry')
          assert.equal(cause === 'history', winner !== null)
          if (winner) assert.ok(winner.datetime <= loser.datetime && winner.type === 'entry')
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('give every entry but one a contradiction where nobody may come in twice', () => {
    const strict = list({ allow_entry_after_exit: false })
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 20 }), (minutes) => {
        const entries = minutes.map((minute) => pass(`09:${String(minute).padStart(2, '0')}`))
        assert.equal(found(strict, entries).length, entries.length - 1)
      }),
    )
  })
})
