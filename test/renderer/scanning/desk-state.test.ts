import assert from 'node:assert/strict'
import {
  type DeskEvent,
  type DeskState,
  initialDesk,
  movesOn,
} from '../../../renderer/scanning/desk-state.ts'
import { requestOf } from '../../../renderer/scanning/entries.ts'
import { nextDesk } from '../../../renderer/scanning/next-desk.ts'
import { resultKind } from '../../../renderer/scanning/result-kind.ts'
import { screenOf, works } from '../../../renderer/scanning/screen.ts'
import type { ScanResult } from '../../../schema/bodies/scan-result.ts'
import { judged, question, result, scanned, settings, stateAfter, station } from '../samples.ts'

const refused: Partial<ScanResult> = { status: 'error', reason: 'already_redeemed', can_undo: false }
const asked: Partial<ScanResult> = { status: 'incomplete', questions: [question()], can_undo: false }
const unpaid: Partial<ScanResult> = { status: 'error', reason: 'unpaid', can_ignore_unpaid: true }
const lost: DeskEvent = { type: 'linked', link: 'lost' }
const passed = (state: DeskState): DeskEvent => ({ type: 'passed', turn: state.view.turn })
const name = (state: DeskState): string => screenOf(state).name

describe('entrance verdicts', () => {
  const table: readonly [string, Partial<ScanResult>, string][] = [
    ['an admission', {}, 'ok'],
    ['an admission to look at', { require_attention: true }, 'attention'],
    ['an admission with something to say', { checkin_texts: ['Wristband'] }, 'attention'],
    ['a used ticket', refused, 'refused'],
    ['an unpaid ticket that nobody may let in', { status: 'error', reason: 'unpaid' }, 'refused'],
    ['an unpaid ticket that may be admitted', unpaid, 'question'],
    ['open questions', asked, 'question'],
  ]
  for (const [what, more, verdict] of table)
    it(`gives ${verdict} for ${what}`, () => assert.equal(resultKind(result(more)), verdict))
})

describe('entrance state', () => {
  const working: readonly [string, readonly DeskEvent[], boolean][] = [
    ['works when it is set up and answers', [], true],
    ['does not work while it does not answer', [lost], false],
    ['does not work in a window it does not know', [{ type: 'linked', link: 'denied' }], false],
    ['does not work before it is set up', [{ type: 'loaded', station: { ...station, ready: false } }], false],
    ['works again', [lost, { type: 'linked', link: 'reached' }], true],
  ]
  for (const [what, events, expected] of working)
    it(what, () => assert.equal(works(stateAfter(...events)), expected))

  const screens: readonly [string, readonly DeskEvent[], string][] = [
    ['ready', [], 'ready'],
    ['deciding while a scan is on its way', [scanned('a')], 'deciding'],
    ['admitted', [scanned('a'), judged('a')], 'admitted'],
    ['refused', [scanned('a'), judged('a', refused)], 'refused'],
    ['asking', [scanned('a'), judged('a', asked)], 'asking'],
    ['unpaid', [scanned('a'), judged('a', unpaid)], 'unpaid'],
    ['failed', [scanned('a'), { type: 'failed', key: 'a', detail: '' }], 'failed'],
    ['undone', [scanned('a'), judged('a'), { type: 'undone', key: 'a' }], 'undone'],
    [
      'a question before an admission is taken back behind which something was scanned',
      [scanned('a'), judged('a'), scanned('b'), judged('b', refused), { type: 'undo-asked', key: 'a' }],
      'undo-asked',
    ],
    [
      'the next scan instead of the question',
      [scanned('a'), judged('a'), { type: 'undo-asked', key: 'a' }, scanned('b')],
      'deciding',
    ],
    [
      'what was taken back when asked',
      [scanned('a'), judged('a'), { type: 'undo-asked', key: 'a' }, { type: 'undone', key: 'a' }],
      'undone',
    ],
    ['unreachable', [lost], 'unreachable'],
    ['unreachable also with a result', [scanned('a'), judged('a'), lost], 'unreachable'],
    ['locked', [{ type: 'linked', link: 'denied' }], 'locked'],
    ['search', [{ type: 'searching', open: true }], 'search'],
    ['setup when asked for', [{ type: 'setting-up', open: true }], 'setup'],
    ['setup when not ready', [{ type: 'loaded', station: { ...station, ready: false } }], 'setup'],
    [
      'a result above the settings',
      [{ type: 'setting-up', open: true }, scanned('a'), judged('a')],
      'admitted',
    ],
  ]
  for (const [what, events, screen] of screens)
    it(`shows ${what}`, () => assert.equal(name(stateAfter(...events)), screen))

  it('knows why the server does not work, until it does', () => {
    const standstill = { reason: 'update_trial', version: '0.2.0' } as const
    const during = stateAfter({ type: 'linked', link: 'lost', standstill })
    assert.deepEqual(during.standstill, standstill)
    assert.equal(nextDesk(during, lost).standstill, null)
    assert.equal(nextDesk(during, { type: 'loaded', station }).standstill, null)
  })

  it('takes no scan in a window that was opened during an update, and says why', () => {
    const standstill = { reason: 'update_trial', version: '0.2.0' } as const
    const fresh = nextDesk(initialDesk, { type: 'linked', link: 'lost', standstill })
    assert.equal(nextDesk(fresh, scanned('a')).notice?.kind, 'not-ready')
  })

  it('starts before anything is known', () => assert.equal(name(initialDesk), 'starting'))

  describe('moves on', () => {
    it('by itself after a success', () => {
      const state = stateAfter(scanned('a'), judged('a'))
      assert.equal(movesOn(state), true)
      assert.equal(name(nextDesk(state, passed(state))), 'ready')
    })
    for (const [what, more] of [
      ['refusal', refused],
      ['question', asked],
      ['attention', { require_attention: true }],
    ] as const)
      it(`never from a ${what}`, () => {
        const state = stateAfter(scanned('a'), judged('a', more))
        assert.equal(movesOn(state), false)
        assert.equal(nextDesk(state, passed(state)), state)
      })
    it('not from a success that was opened by hand', () => {
      const state = stateAfter(scanned('a'), judged('a'), { type: 'closed' }, { type: 'opened', key: 'a' })
      assert.equal(name(nextDesk(state, passed(state))), 'admitted')
    })
    it('not by a timer of an earlier result', () => {
      const first = stateAfter(scanned('a'), judged('a'))
      const second = [scanned('b'), judged('b')].reduce(nextDesk, first)
      assert.equal(name(nextDesk(second, passed(first))), 'admitted')
    })
  })

  describe('never blocks the next scan', () => {
    const before: readonly [string, readonly DeskEvent[]][] = [
      ['a refusal', [scanned('a'), judged('a', refused)]],
      ['an open question', [scanned('a'), judged('a', asked)]],
      ['the unpaid dialog', [scanned('a'), judged('a', unpaid)]],
      ['a pending request', [scanned('a')]],
      ['the search', [{ type: 'searching', open: true }]],
      ['the settings', [{ type: 'setting-up', open: true }]],
      ['the page of a guest', [{ type: 'guest-opened', position: 7 }]],
    ]
    for (const [what, events] of before)
      it(`by ${what}`, () => {
        const state = stateAfter(...events, scanned('b'))
        assert.deepEqual(state.view.key, 'b')
        assert.equal(name(nextDesk(state, judged('b', refused))), 'refused')
      })
  })

  describe('with the page of a guest', () => {
    const opened: DeskEvent = { type: 'guest-opened', position: 7 }
    const left: DeskEvent = { type: 'guest-closed' }
    const searching: DeskEvent = { type: 'searching', open: true }
    const byHand: DeskEvent = {
      type: 'scanned',
      read: { nonce: 'h', at: '2026-07-10T16:00:00Z', code: 'h', source: 'hand' },
    }
    const ways: readonly [string, readonly DeskEvent[], string][] = [
      ['shows it over the search', [searching, opened], 'guest'],
      ['goes back to the search', [searching, opened, left], 'search'],
      [
        'goes back to the result that it was opened from',
        [scanned('a'), judged('a', refused), opened, left],
        'refused',
      ],
      ['goes back to where nothing was', [opened, left], 'ready'],
      ['shows a scan over it', [opened, scanned('a'), judged('a', refused)], 'refused'],
      [
        'is there again after that',
        [opened, scanned('a'), judged('a', refused), { type: 'closed' }],
        'guest',
      ],
      [
        'goes back to the search after a scan',
        [searching, opened, scanned('a'), { type: 'closed' }, left],
        'search',
      ],
      [
        'goes back to the search after a scan of the station’s own scanner',
        [searching, opened, { type: 'reported', result: result() }, { type: 'closed' }, left],
        'search',
      ],
      [
        'is there again after an admission by hand',
        [opened, byHand, judged('h'), { type: 'closed' }],
        'guest',
      ],
      [
        'goes back through another guest',
        [
          opened,
          scanned('a'),
          judged('a', refused),
          { type: 'guest-opened', position: 8 },
          left,
          { type: 'closed' },
        ],
        'guest',
      ],
      ['is opened once however often it is asked for', [opened, opened, left], 'ready'],
      ['makes room for the search', [opened, searching, { type: 'searching', open: false }], 'ready'],
      ['makes room for the settings', [opened, { type: 'setting-up', open: true }], 'setup'],
      [
        'ends where the station is set up for another event',
        [opened, { type: 'loaded', station: { ...station, settings: { ...settings, event: 'other' } } }],
        'ready',
      ],
      [
        'stays where its list changes',
        [opened, { type: 'loaded', station: { ...station, settings: { ...settings, list: 13 } } }],
        'guest',
      ],
    ]
    for (const [what, events, screen] of ways)
      it(what, () => assert.equal(name(stateAfter(...events)), screen))

    it('moves on from a success to the guest', () => {
      const state = stateAfter(opened, scanned('a'), judged('a'))
      assert.equal(name(nextDesk(state, passed(state))), 'guest')
    })
  })

  describe('with a scan read twice', () => {
    it('shows the first result again, without a second entry or sound', () => {
      const state = stateAfter(scanned('a'), judged('a', { id: 'same' }), scanned('b'))
      const again = nextDesk(state, {
        type: 'judged',
        key: 'b',
        result: result({ nonce: 'a', id: 'same', repeated: true }),
      })
      assert.deepEqual(
        again.entries.map(({ key }) => key),
        ['a'],
      )
      assert.equal(again.view.key, 'a')
      assert.equal(again.chime?.turn, state.chime?.turn)
    })
    it('keeps the answers typed so far', () => {
      const state = stateAfter(scanned('a'), judged('a', { ...asked, id: 'same' }), {
        type: 'drafted',
        key: 'a',
        question: 1,
        text: 'Rex',
      })
      const again = nextDesk(nextDesk(state, scanned('b')), {
        type: 'judged',
        key: 'b',
        result: result({ ...asked, nonce: 'a', id: 'same' }),
      })
      assert.deepEqual(again.entries[0]?.drafts, { 1: 'Rex' })
    })
  })

  describe('with the scanner of the station itself', () => {
    it('shows its result like any other', () => {
      const state = stateAfter({ type: 'reported', result: result({ ...refused, source: 'hid' }) })
      assert.equal(name(state), 'refused')
      assert.equal(state.chime?.tone, 'refused')
    })
    it('leaves a form alone when the same scan is reported again', () => {
      const report: DeskEvent = { type: 'reported', result: result({ ...asked, source: 'hid', id: 'same' }) }
      const state = stateAfter(report)
      assert.equal(nextDesk(state, report), state)
    })
    it('sends answers with the nonce of the result', () => {
      const state = stateAfter(
        { type: 'reported', result: result({ ...asked, source: 'hid', id: 'same', nonce: 'n-hid' }) },
        { type: 'asked', key: 'same', ask: { answers: { 1: 'Rex' } } },
      )
      const [entry] = state.entries
      assert.ok(entry)
      assert.deepEqual(requestOf(entry), {
        code: 'code',
        source: 'hid',
        type: 'entry',
        answers: { 1: 'Rex' },
        nonce: 'n-hid',
      })
    })
  })

  it('repeats what was waived when answers follow', () => {
    const state = stateAfter(
      scanned('a'),
      judged('a', unpaid),
      { type: 'asked', key: 'a', ask: { ignore_unpaid: true } },
      judged('a', asked),
      { type: 'asked', key: 'a', ask: { answers: { 1: 'Rex' } } },
    )
    assert.deepEqual(state.entries[0]?.ask, { ignore_unpaid: true, answers: { 1: 'Rex' } })
  })

  it('sends the direction that was shown when the scan was made', () => {
    const out = { ...station, settings: { ...settings, direction: 'exit' as const } }
    const state = stateAfter(scanned('a'), { type: 'loaded', station: out }, scanned('b'))
    assert.deepEqual(
      state.entries.map((entry) => requestOf(entry).type),
      ['exit', 'entry'],
    )
  })

  it('refuses scans before the event is chosen, and says so', () => {
    const state = stateAfter({ type: 'loaded', station: { ...station, ready: false } }, scanned('a'))
    assert.equal(state.entries.length, 0)
    assert.equal(state.notice?.kind, 'not-set-up')
  })
})
