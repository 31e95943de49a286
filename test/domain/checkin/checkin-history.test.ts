import assert from 'node:assert/strict'
import { type Decision, decide } from '../../../server/domain/checkin/checkin.ts'
import type { ScanType } from '../../../server/domain/rules/facts.ts'
import { admit, everyCombination, list, pass, plain, scan, verdict } from './circumstances.ts'

describe('entering more than once', () => {
  /** Passes by type with the minute of their scan; the id is the order of arrival. */
  type History = readonly (readonly [ScanType, number])[]
  const histories: readonly [title: string, history: History, single: boolean, again: boolean][] = [
    ['never came', [], true, true],
    ['came', [['entry', 0]], false, false],
    ['only went', [['exit', 0]], true, true],
    [
      'went twice and never came',
      [
        ['exit', 0],
        ['exit', 1],
      ],
      true,
      true,
    ],
    [
      'came and went',
      [
        ['entry', 0],
        ['exit', 1],
      ],
      false,
      true,
    ],
    [
      'came and went within one instant',
      [
        ['entry', 0],
        ['exit', 0],
      ],
      false,
      true,
    ],
    [
      'went and came within one instant',
      [
        ['exit', 0],
        ['entry', 0],
      ],
      false,
      false,
    ],
    [
      'came, went and came',
      [
        ['entry', 0],
        ['exit', 1],
        ['entry', 2],
      ],
      false,
      false,
    ],
    [
      'went before coming, and the exit arrived late',
      [
        ['entry', 5],
        ['exit', 1],
      ],
      false,
      false,
    ],
    [
      'went after coming, and the entry arrived late',
      [
        ['exit', 5],
        ['entry', 1],
      ],
      false,
      true,
    ],
  ]
  for (const [title, history, single, again] of histories) {
    const priorCheckins = history.map(([type, minute]) =>
      pass({ type, datetime: `2020-01-01T09:0${minute}:00Z` }),
    )
    const settings = [
      { allow_multiple_entries: true, allow_entry_after_exit: false, expected: true },
      { allow_multiple_entries: true, allow_entry_after_exit: true, expected: true },
      { allow_multiple_entries: false, allow_entry_after_exit: false, expected: single },
      { allow_multiple_entries: false, allow_entry_after_exit: true, expected: again },
    ]
    for (const { expected, ...setting } of settings) {
      const allowed = Object.entries(setting).filter(([, on]) => on)
      it(`${expected ? 'admits' : 'refuses'} who ${title} (${allowed.map(([name]) => name).join(', ') || 'neither allowed'})`, () => {
        const c = list(setting)({ ...plain, priorCheckins })
        assert.equal(verdict(decide(c)), expected ? 'admit' : 'already_redeemed')
        assert.equal(verdict(decide({ ...c, priorCheckins: priorCheckins.toReversed() })), verdict(decide(c)))
        assert.equal(verdict(decide(scan({ type: 'exit' })(c))), 'admit')
      })
    }
  }
})

describe('a scan that is sent again', () => {
  const replay: Decision = { outcome: 'admit', replay: true, forced: false }
  const first = pass({ nonce: 'n-1', device: 1 })
  const again = scan({ nonce: 'n-1', device: 1 })

  it('is answered as admitted although the ticket is used by now', () => {
    assert.deepEqual(decide(again({ ...plain, priorCheckins: [first] })), replay)
  })

  it('is answered as admitted whatever speaks against the ticket by now, forced or not', () => {
    for (const found of everyCombination) {
      const c = again(found.reduce((before, { change }) => change(before), plain))
      const known = { ...c, missing: true, priorCheckins: [...c.priorCheckins, first] }
      assert.deepEqual(decide(known), replay)
      assert.deepEqual(decide(scan({ force: true })(known)), replay)
    }
  })

  it('is recognised behind later passes by type, device and nonce together', () => {
    const later = pass({ nonce: 'n-2', datetime: '2020-01-01T09:45:00Z' })
    const known = { ...plain, priorCheckins: [first, later] }
    assert.deepEqual(decide(again(known)), replay)
    assert.equal(verdict(decide(scan({ nonce: 'n-1', device: 2 })(known))), 'already_redeemed')
    assert.deepEqual(decide(scan({ nonce: 'n-1', device: 1, type: 'exit' })(known)), admit(false))
  })

  it('is recognised by the nonce alone as the latest pass', () => {
    assert.deepEqual(decide(scan({ nonce: 'n-1', device: 9 })({ ...plain, priorCheckins: [first] })), replay)
  })

  it('is not recognised without a nonce', () => {
    const nameless = [pass({ nonce: null }), pass({ nonce: '' })]
    for (const nonce of [null, '']) {
      assert.equal(
        verdict(decide(scan({ nonce })({ ...plain, priorCheckins: nameless }))),
        'already_redeemed',
      )
    }
  })
})
