import assert from 'node:assert/strict'
import { withAutomaticExits } from '../../../server/domain/checkin/automatic-exits.ts'
import { decide } from '../../../server/domain/checkin/checkin.ts'
import type { AutomaticExits, PriorCheckin } from '../../../server/domain/rules/facts.ts'
import { list, pass, plain, scan, verdict } from './circumstances.ts'

const berlin = { timezone: 'Europe/Berlin', local: null }
/** The hours of exits that are added to one entry. */
const added = (entry: string, exits: AutomaticExits | undefined, at: string): string[] => {
  const priorCheckins: PriorCheckin[] = [{ id: 1, type: 'entry', datetime: entry, nonce: null, device: null }]
  return withAutomaticExits(priorCheckins, exits, at)
    .slice(1)
    .map((one) => one.datetime)
}

describe('the exits of everybody, at a node that nobody tells of them', () => {
  const next = '2030-06-02T02:00:00.000000Z'

  it('take place at their hour and each day after it', () => {
    const exits = { ...berlin, done: [], next }
    assert.deepEqual(added('2030-06-01T10:00:00.000000Z', exits, '2030-06-02T01:59:59.000000Z'), [])
    assert.deepEqual(added('2030-06-01T10:00:00.000000Z', exits, next), [next])
    assert.deepEqual(added('2030-06-01T10:00:00.000000Z', exits, '2030-06-04T12:00:00.000000Z'), [
      next,
      '2030-06-03T02:00:00.000000Z',
      '2030-06-04T02:00:00.000000Z',
    ])
  })

  it('keep their local time over a change of the clocks', () => {
    const exits = { ...berlin, done: [], next: '2030-10-26T02:30:00.000000Z' }
    assert.deepEqual(added('2030-10-25T10:00:00.000000Z', exits, '2030-10-27T12:00:00.000000Z'), [
      '2030-10-26T02:30:00.000000Z',
      '2030-10-27T03:30:00.000000Z',
    ])
  })

  it('are known from before where the hour has moved on', () => {
    const exits = {
      ...berlin,
      done: ['2030-05-31T02:00:00.000000Z', next],
      next: '2030-06-03T02:00:00.000000Z',
    }
    assert.deepEqual(added('2030-06-01T10:00:00.000000Z', exits, '2030-06-02T09:00:00.000000Z'), [next])
  })

  it('do not take place where there is no hour, or nobody came', () => {
    assert.deepEqual(added('2030-06-01T10:00:00.000000Z', undefined, '2031-01-01T00:00:00.000000Z'), [])
    assert.deepEqual(added('2030-06-01T10:00:00.000000Z', { ...berlin, done: [], next: null }, next), [])
    assert.deepEqual(withAutomaticExits([], { ...berlin, done: [], next }, next), [])
  })

  it('let somebody in again the next day where leaving allows it, and nobody on the same day', () => {
    const came = [pass({ datetime: '2020-01-01T09:30:00.000000Z' })]
    const exits = { ...berlin, done: [], next: '2020-01-01T20:00:00.000000Z' }
    const decided = (again: boolean, at: string) => {
      const changed = scan({ at })(list({ allow_entry_after_exit: again, exits })(plain))
      return verdict(decide({ ...changed, priorCheckins: came }))
    }
    assert.equal(decided(true, '2020-01-02T09:00:00.000000Z'), 'admit')
    assert.equal(decided(false, '2020-01-02T09:00:00.000000Z'), 'already_redeemed')
    assert.equal(decided(true, '2020-01-01T19:59:59.000000Z'), 'already_redeemed')
  })
})
