import assert from 'node:assert/strict'
import type { DeskEvent, DeskState } from '../../../renderer/scanning/desk-state.ts'
import { outlasting, remembered, undoable, waiting } from '../../../renderer/scanning/entries.ts'
import { nextDesk } from '../../../renderer/scanning/next-desk.ts'
import { screenOf } from '../../../renderer/scanning/screen.ts'
import type { ScanResult } from '../../../schema/bodies/scan-result.ts'
import type { ScanSource } from '../../../schema/bodies/station.ts'
import { judged, question, scanned, stateAfter } from '../samples.ts'

const refused: Partial<ScanResult> = { status: 'error', reason: 'already_redeemed', can_undo: false }
const asked: Partial<ScanResult> = { status: 'incomplete', questions: [question()], can_undo: false }
const lost: DeskEvent = { type: 'linked', link: 'lost' }
const passed = (state: DeskState): DeskEvent => ({ type: 'passed', turn: state.view.turn })
const name = (state: DeskState): string => screenOf(state).name

describe('entrance history', () => {
  it('takes back what an earlier page left, oldest first', () => {
    const left = waiting(stateAfter(scanned('a'), scanned('b'), scanned('c')).entries)
    const restored = stateAfter({ type: 'restored', entries: left })
    assert.deepEqual(
      waiting(restored.entries).map(({ key }) => key),
      ['a', 'b', 'c'],
    )
  })

  describe('when the window is led to the server that is back', () => {
    const reached: DeskEvent = { type: 'linked', link: 'reached' }
    const late = [scanned('a'), lost, scanned('b'), reached, judged('a'), judged('b', refused)]

    it('leaves the answers of scans that waited to the next page, which asks no more and marks what was refused', () => {
      const left = outlasting(stateAfter(...late).entries)
      const state = stateAfter({ type: 'restored', entries: left })
      assert.deepEqual(waiting(state.entries), [])
      assert.deepEqual(
        state.entries.map(({ key, result, unseen }) => [key, result?.status, unseen]),
        [
          ['b', 'error', true],
          ['a', 'ok', false],
        ],
      )
    })
    it('leaves nothing of them once another scan was made', () => {
      const state = stateAfter(...late, scanned('c'))
      assert.deepEqual(
        outlasting(state.entries).map(({ key }) => key),
        ['c'],
      )
      assert.deepEqual(outlasting(nextDesk(state, judged('c')).entries), [])
    })
    it('leaves no admission that was taken back', () => {
      const state = stateAfter(...late, { type: 'undone', key: 'a' })
      assert.deepEqual(
        outlasting(state.entries).map(({ key }) => key),
        ['b'],
      )
    })
  })

  describe('with several scans on their way', () => {
    it('follows the newest and keeps the earlier answer in the history', () => {
      const state = stateAfter(scanned('a'), scanned('b'), judged('b'), judged('a', refused))
      assert.equal(name(state), 'admitted')
      assert.equal(state.view.key, 'b')
      assert.deepEqual(
        state.entries.map(({ key, unseen }) => [key, unseen]),
        [
          ['b', false],
          ['a', true],
        ],
      )
    })
    it('sounds each answer', () => {
      const state = stateAfter(scanned('a'), scanned('b'), judged('b'))
      const later = nextDesk(state, judged('a', refused))
      assert.deepEqual(later.chime, { tone: 'refused', turn: (state.chime?.turn ?? 0) + 1 })
    })
    it('marks an earlier refusal as seen once it is opened', () => {
      const state = stateAfter(scanned('a'), scanned('b'), judged('a', refused), { type: 'opened', key: 'a' })
      assert.equal(state.entries[1]?.unseen, false)
      assert.equal(name(state), 'refused')
    })
    it('never drops one that is still to be sent', () => {
      const many = Array.from({ length: 50 }, (_, index) => scanned(`n${index}`))
      assert.equal(waiting(stateAfter(lost, ...many).entries).length, 50)
    })
    it(`remembers the last ${remembered} answers`, () => {
      const many = Array.from({ length: 30 }, (_, index) => [
        scanned(`n${index}`),
        judged(`n${index}`),
      ]).flat()
      assert.equal(stateAfter(...many).entries.length, remembered)
    })
  })

  describe('with tickets admitted together', () => {
    const hand = { source: 'hand' as ScanSource, group: 'g' }
    it('shows the one that was refused, whichever answers last', () => {
      const both = [scanned('a', hand), scanned('b', hand)]
      for (const order of [
        [judged('a', refused), judged('b')],
        [judged('b'), judged('a', refused)],
      ])
        assert.equal(stateAfter(...both, ...order).view.key, 'a')
    })
    it('goes back to the search when all are in', () => {
      const state = stateAfter(
        { type: 'searching', open: true },
        scanned('a', hand),
        scanned('b', hand),
        judged('a'),
        judged('b'),
      )
      assert.equal(name(nextDesk(state, passed(state))), 'search')
    })
  })

  describe('undoing', () => {
    it('takes the latest admission, not a refusal after it', () => {
      const state = stateAfter(scanned('a'), judged('a'), scanned('b'), judged('b', refused))
      assert.equal(undoable(state.entries)?.key, 'a')
    })
    it('leaves the next guest on the screen and gives notice', () => {
      const state = stateAfter(scanned('a'), judged('a'), scanned('b'), judged('b', asked), {
        type: 'undone',
        key: 'a',
      })
      assert.equal(name(state), 'asking')
      assert.deepEqual(state.notice, { kind: 'undone', text: 'Mia Weber', turn: 1 })
    })
    it('can be tried again after it failed', () => {
      const state = stateAfter(
        scanned('a'),
        judged('a'),
        { type: 'undoing', key: 'a' },
        { type: 'undo-failed', key: 'a', detail: 'late' },
      )
      assert.equal(undoable(state.entries)?.key, 'a')
      assert.equal(state.notice?.text, 'late')
    })
    it('offers nothing while it runs', () => {
      assert.equal(
        undoable(stateAfter(scanned('a'), judged('a'), { type: 'undoing', key: 'a' }).entries),
        undefined,
      )
    })
  })
})
