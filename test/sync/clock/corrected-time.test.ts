import assert from 'node:assert/strict'
import type { SentFact } from '../../../schema/sync.ts'
import { correctedTime, datedHere, type SenderClock } from '../../../server/sync/clock/corrected-time.ts'

const at = (clock: string): string => `2030-06-01T${clock}.000000Z`
const minute = 60_000
const now = at('12:00:00')

const fact = (change: Partial<SentFact>): SentFact => ({
  nonce: 'n',
  kind: 'checkin',
  event: 1,
  site: 1,
  site_seq: 1,
  device: 1,
  device_time: at('11:50:00'),
  mono: 10 * minute,
  boot: 'first',
  clock_offset: 0,
  payload: {},
  ...change,
})

const clock = (change: Partial<SenderClock> = {}): SenderClock => ({
  boot: 'first',
  mono: 20 * minute,
  device_time: now,
  clock_offset: 0,
  ...change,
})

const right = (clockTime: string) => ({ at: at(clockTime), uncertain: false, skew: null })

/** What is found of when a fact happened, however it was. */
const found = (...asked: Parameters<typeof correctedTime>) => {
  const { ago: _, ...time } = correctedTime(...asked)
  return time
}

describe('the right time of a fact', () => {
  const stories: readonly (readonly [string, Partial<SentFact>, Partial<SenderClock>, boolean, object])[] = [
    ['is that of a clock that is right', {}, {}, true, right('11:50:00')],
    [
      'is dated back from the telling although the clock was two hours ahead',
      { device_time: at('13:50:00'), clock_offset: null },
      { device_time: at('14:00:00'), clock_offset: -120 * minute },
      true,
      right('11:50:00'),
    ],
    [
      'is dated back from the arrival where the sender does not know the time',
      { device_time: at('03:00:00'), clock_offset: null },
      { device_time: at('03:10:00'), clock_offset: null },
      true,
      right('11:50:00'),
    ],
    [
      'is dated back from the arrival where the clock was set since its offset was measured',
      {},
      { device_time: at('11:40:00') },
      true,
      right('11:50:00'),
    ],
    [
      'is not changed by a clock that jumped in between',
      { device_time: at('07:50:00'), clock_offset: 0 },
      { device_time: now, clock_offset: 0 },
      true,
      right('11:50:00'),
    ],
    [
      'goes by the clock and the offset of then after a restart',
      { boot: 'earlier', device_time: at('09:00:00'), clock_offset: 5 * minute },
      { clock_offset: 60 * minute },
      true,
      right('09:05:00'),
    ],
    [
      'is uncertain after a restart where nobody had set the time',
      { boot: 'earlier', device_time: at('09:00:00'), clock_offset: null },
      {},
      true,
      { at: at('09:00:00'), uncertain: true, skew: null },
    ],
    [
      'does not go by the arrival of a file',
      { device_time: at('11:50:00'), clock_offset: null },
      { clock_offset: null },
      false,
      { at: at('11:50:00'), uncertain: true, skew: null },
    ],
    [
      'is not dated by a start that nobody has named',
      { boot: '', device_time: at('08:00:00') },
      { boot: '' },
      true,
      right('08:00:00'),
    ],
    [
      'is not dated by clocks that run backwards',
      { mono: 30 * minute, device_time: at('08:00:00') },
      {},
      true,
      right('08:00:00'),
    ],
    [
      'is now where it lies in the future a little',
      { boot: 'earlier', device_time: at('12:01:59') },
      {},
      true,
      right('12:00:00'),
    ],
    [
      'is now where it lies in the future, and that is said',
      { boot: 'earlier', device_time: at('12:10:00') },
      {},
      true,
      { at: now, uncertain: false, skew: 10 * minute },
    ],
    [
      'is now where its day does not exist',
      { boot: 'earlier', device_time: '2030-02-31T10:00:00.000000Z' },
      {},
      true,
      { at: now, uncertain: true, skew: null },
    ],
    [
      'is not before clocks were invented',
      { boot: 'earlier', device_time: at('09:00:00'), clock_offset: -4e15 },
      {},
      true,
      { at: '1970-01-01T00:00:00.000000Z', uncertain: false, skew: null },
    ],
  ]
  for (const [title, ofFact, ofClock, live, expected] of stories)
    it(title, () => assert.deepEqual(found(fact(ofFact), clock(ofClock), now, live), expected))
})

describe('a fact that a hub passes on', () => {
  const jumped = fact({ device_time: at('07:50:00'), clock_offset: 0 })
  /** Half an hour after the hub was told, at noon, by clocks that were this much ahead of the right time at the hub. */
  const later = (ahead: number, offset: number | null): SenderClock => ({
    boot: 'hub',
    mono: 33 * minute,
    device_time: new Date(Date.parse(at('12:30:00')) + ahead).toISOString().replace('Z', '000Z'),
    clock_offset: offset,
  })

  it('is dated upstream as it was dated at the hub', () => {
    const stamp = { boot: 'hub', mono: 3 * minute, deviceTime: now, clockOffset: 0 }
    const passed = datedHere(jumped, correctedTime(jumped, clock(), now, true), stamp)
    assert.deepEqual(found(passed, later(0, 0), at('12:30:00'), true), right('11:50:00'))
    // Central itself never heard the clock of the station.
    assert.equal(correctedTime(jumped, later(0, 0), at('12:30:00'), true).at, at('07:50:00'))
    // After the hub was started again.
    const again = { ...later(0, 0), boot: 'hub again', mono: minute }
    assert.equal(correctedTime(passed, again, at('12:30:00'), true).at, at('11:50:00'))
  })

  it('is put right upstream where the hub did not know that its clock was an hour ahead', () => {
    const wrong = at('13:00:00')
    const report = clock({ device_time: at('12:00:00'), clock_offset: 60 * minute })
    const here = correctedTime(jumped, report, wrong, true)
    assert.equal(here.at, at('12:50:00'))
    const stamp = { boot: 'hub', mono: 3 * minute, deviceTime: wrong, clockOffset: null }
    const passed = datedHere(jumped, here, stamp)
    const upstream = found(passed, later(60 * minute, -60 * minute), at('12:30:00'), true)
    assert.deepEqual(upstream, right('11:50:00'))
  })

  it('is dated by the counters alone while the hub does not know yet by how much its clock was set', () => {
    const clocks = clock({ mono: 10 * minute, device_time: at('11:50:00') })
    const set = (time: string, ahead: number): string =>
      new Date(Date.parse(at(time)) + ahead).toISOString().replace('Z', '000Z')
    for (const ahead of [60 * minute, 4 * minute]) {
      const wrong = set('11:50:00', ahead)
      const here = correctedTime(jumped, clocks, wrong, true)
      assert.equal(here.at, wrong)
      const stamp = { boot: 'hub', mono: 3 * minute, deviceTime: wrong, clockOffset: 0 }
      const passed = datedHere(jumped, here, stamp)
      const report = {
        boot: 'hub',
        mono: 4 * minute,
        device_time: set('11:51:00', ahead),
        clock_offset: -ahead,
      }
      assert.deepEqual(found(passed, report, at('11:51:00'), true), right('11:50:00'))
    }
  })

  it('goes on as it came where the hub has not counted back to it, or it lies in the future', () => {
    const stamp = { boot: 'hub', mono: 3 * minute, deviceTime: now, clockOffset: 0 }
    const undated = fact({ boot: 'earlier', clock_offset: null })
    const ahead = fact({ boot: 'earlier', device_time: at('15:00:00') })
    const before = fact({ boot: 'earlier' })
    for (const one of [undated, ahead, before])
      assert.equal(datedHere(one, correctedTime(one, clock(), now, true), stamp), one)
    assert.equal(datedHere(jumped, correctedTime(jumped, clock(), now, true), null), jumped)
  })
})
