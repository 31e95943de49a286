import assert from 'node:assert/strict'
import { mayInstall, missingRoom, type UpdateFacts } from '../../../server/domain/updates/may-install.ts'

const now = Date.parse('2030-06-01T12:00:00Z')
const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(count * 60)
const doors = (opens: number, closes: number) => [{ opens: now + hours(opens), closes: now + hours(closes) }]

const idle: UpdateFacts = {
  ...{ now, openPayments: 0, outbox: 0, free: 1e9, needed: 1e8, openDrawers: 0, parkedBaskets: 0 },
  ...{ lastScan: now - hours(8), doors: [], wish: null, didNotFit: null },
}

const cases: readonly (readonly [when: string, facts: Partial<UpdateFacts>, answer: string])[] = [
  ['nobody is at work', {}, 'yes'],
  ['no ticket was ever scanned', { lastScan: null }, 'yes'],
  ['a card payment is open', { openPayments: 1 }, 'payment'],
  ['facts are not reported', { outbox: 1 }, 'outbox'],
  ['the disk is short of room by a byte', { free: 1e8 - 1 }, 'room'],
  ['the disk has just enough room', { free: 1e8 }, 'yes'],
  ['nobody knows what room there is', { free: null }, 'yes'],
  ['the drawer is open', { openDrawers: 1 }, 'drawer'],
  ['a basket is parked', { parkedBaskets: 1 }, 'parked'],
  ['somebody was scanned half an hour ago', { lastScan: now - minutes(30) }, 'yes'],
  ['somebody was scanned 29 minutes ago', { lastScan: now - minutes(29) }, 'scans'],
  ['somebody was scanned a minute from now', { lastScan: now + minutes(1) }, 'scans'],
  ['a scan was made with a clock of another year', { lastScan: now + hours(9000) }, 'yes'],
  ['doors open in twelve hours', { doors: doors(12, 20) }, 'doors'],
  ['doors open after that', { doors: doors(12.1, 20) }, 'yes'],
  ['doors are open', { doors: doors(-1, 5) }, 'doors'],
  ['doors have closed', { doors: doors(-6, 0) }, 'yes'],
  ['an exhibition is on and it is night', { doors: doors(-200, 200) }, 'yes'],
  ['an exhibition is on and guests come', { doors: doors(-200, 200), lastScan: now - hours(2) }, 'doors'],
  ['an exhibition opens tomorrow morning', { doors: doors(10, 400) }, 'doors'],
  ['it was put off', { wish: { notBefore: now + 1 } }, 'today'],
  ['it was put off until now', { wish: { notBefore: now } }, 'yes'],
  ['somebody wants it now, whatever is polite', { wish: 'now', openDrawers: 1, doors: doors(-1, 5) }, 'yes'],
  ['somebody wants it now, and guests come', { wish: 'now', lastScan: now }, 'yes'],
  ['somebody wants it now in the middle of a payment', { wish: 'now', openPayments: 1 }, 'payment'],
  ['somebody wants it now and facts wait', { wish: 'now', outbox: 3 }, 'outbox'],
  ['somebody wants it now and there is no room', { wish: 'now', free: 0 }, 'room'],
  ['it did not fit on the disk 59 minutes ago', { didNotFit: now - minutes(59) }, 'retry'],
  ['it did not fit on the disk an hour ago', { didNotFit: now - minutes(60) }, 'yes'],
  ['it did not fit in a year to come', { didNotFit: now + hours(9000) }, 'yes'],
  ['somebody wants it now though it did not fit', { didNotFit: now, wish: 'now' }, 'yes'],
  ['a payment and everything else is open', { openPayments: 1, outbox: 1, openDrawers: 1 }, 'payment'],
]

describe('whether an update may be installed', () => {
  for (const [when, facts, answer] of cases)
    it(`says "${answer}" when ${when}`, () => {
      const decision = mayInstall({ ...idle, ...facts })
      assert.equal(decision.kind === 'yes' ? 'yes' : decision.why, answer)
    })

  it('says how much room is missing', () => {
    assert.equal(missingRoom({ free: 30, needed: 100 }), 70)
    assert.equal(missingRoom({ free: 100, needed: 30 }), 0)
    assert.equal(missingRoom({ free: null, needed: 30 }), 0)
  })

  it('says when it could be', () => {
    assert.deepEqual(mayInstall({ ...idle, lastScan: now - minutes(10) }), {
      ...{ kind: 'wait', why: 'scans', until: now + minutes(20) },
    })
    assert.deepEqual(mayInstall({ ...idle, doors: [...doors(9, 12), ...doors(3, 4)] }), {
      ...{ kind: 'wait', why: 'doors', until: now + hours(3) },
    })
  })
})
