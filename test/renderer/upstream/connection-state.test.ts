import assert from 'node:assert/strict'
import type { Problem } from '../../../renderer/api/requests.ts'
import type { DeskEvent } from '../../../renderer/scanning/desk-state.ts'
import { nextDesk } from '../../../renderer/scanning/next-desk.ts'
import { screenOf } from '../../../renderer/scanning/screen.ts'
import {
  type ConnectionEvent,
  type ConnectionState,
  initialConnection,
  isFirstLoad,
  isJoined,
  nextConnection,
} from '../../../renderer/upstream/connection-state.ts'
import { pairingProblem } from '../../../renderer/upstream/pairing-problem.ts'
import type { LinkStatus } from '../../../schema/station-link.ts'
import { judged, scanned, stateAfter, station } from '../samples.ts'
import { alert, byItself, fact, link, reportedLink } from '../station/station-samples.ts'

const having = (state: ConnectionState, ...events: readonly ConnectionEvent[]): ConnectionState =>
  events.reduce(nextConnection, state)
const problem = (more: Partial<Problem>): Problem => ({ kind: 'refused', status: 400, detail: '', ...more })

describe('what the screens know of the upstream server', () => {
  const table: readonly [string, Partial<LinkStatus>, boolean, boolean][] = [
    ['a station that is connected', {}, true, false],
    ['one that is connected and cannot reach it', { state: 'alone', data_age: 900 }, true, false],
    ['one that holds nothing yet', { state: 'alone', data_age: null }, true, true],
    ['one that works by itself', byItself, false, false],
    ['one that was shut out', { revoked: true, data_age: null }, false, false],
  ]
  for (const [what, status, joined, loads] of table)
    it(`is of ${what}`, () =>
      assert.deepEqual([isJoined(reportedLink(status)), isFirstLoad(reportedLink(status))], [joined, loads]))

  it('passes the time of a station that is connected, and of no other', () => {
    assert.equal(nextConnection(reportedLink(), { type: 'ticked', at: 5000 }).now, 5000)
    const offline = reportedLink(byItself)
    assert.equal(nextConnection(offline, { type: 'ticked', at: 5000 }), offline)
  })
})

describe('connecting a station', () => {
  const open = having(initialConnection, { type: 'pairing', open: true })
  const asking = having(open, { type: 'looking', camera: true }, { type: 'asked' })
  it('waits for a code only where somebody asked for it', () => {
    assert.equal(initialConnection.pairing.open, false)
    assert.equal(open.pairing.open, true)
    assert.equal(having(open, { type: 'pairing', open: false }).pairing.open, false)
  })
  it('stops looking and says why when it did not work, and forgets that with the nextConnection attempt', () => {
    const refused = having(asking, { type: 'not-joined', problem: problem({ reason: 'used' }) })
    assert.deepEqual(refused.pairing, {
      open: true,
      camera: false,
      asking: false,
      problem: { kind: 'used', detail: '' },
    })
    assert.equal(having(refused, { type: 'asked' }).pairing.problem, null)
  })
  it('waits for no code any more once it is admitted', () => {
    const joined = having(asking, { type: 'joined', link: link({ data_age: null }), at: 7 })
    assert.equal(joined.pairing.open, false)
    assert.equal(isFirstLoad(joined), true)
  })

  const obstacles: readonly [string, Partial<Problem>, string][] = [
    ['the reason that the server gives', { reason: 'stranger', status: 400 }, 'stranger'],
    [
      'the network between the servers',
      { reason: 'unreachable', kind: 'broken', status: 503 },
      'unreachable',
    ],
    ['a server that it belongs to already', { status: 409 }, 'belongs'],
    ['its own server gone', { kind: 'unreachable', status: 0 }, 'silent'],
    ['a reason that is not known here', { reason: 'moon', status: 400 }, 'other'],
    ['nothing that is known', { kind: 'broken', status: 500 }, 'other'],
  ]
  for (const [what, more, kind] of obstacles)
    it(`says “${kind}” for ${what}`, () => assert.equal(pairingProblem(problem(more)).kind, kind))
})

describe('giving the upstream server up', () => {
  const sure = having(
    reportedLink({ queue: 2 }),
    { type: 'leaving', step: 'sure' },
    { type: 'leaving', step: 'running' },
  )
  const refused = having(sure, { type: 'not-left', problem: problem({ status: 409, detail: '2 wait.' }) })
  it('is refused with the words of the server', () =>
    assert.deepEqual(refused.leaving, { step: 'refused', exported: false, detail: '2 wait.' }))
  it('remembers that what waits was saved', () => {
    const exported = having(refused, { type: 'exported' }, { type: 'leaving', step: 'running' })
    assert.equal(exported.leaving.exported, true)
  })
  it('begins from the front the nextConnection time', () => {
    const left = having(refused, { type: 'exported' }, { type: 'left', link: link(byItself), at: 0 })
    assert.deepEqual(left.leaving, { step: 'no', exported: false, detail: '' })
    assert.equal(left.queue, null)
  })
})

describe('late alerts', () => {
  const two = having(
    initialConnection,
    { type: 'alerted', alert: alert(1) },
    { type: 'alerted', alert: alert(2) },
  )
  it('stay until they are acknowledged, the newest in front', () => {
    assert.deepEqual(
      two.alerts.map(({ id }) => id),
      [2, 1],
    )
    assert.deepEqual(
      having(two, { type: 'acknowledged', id: 2 }).alerts.map(({ id }) => id),
      [1],
    )
  })
  it('sound once each, however often they are reported', () => {
    assert.equal(two.alarms, 2)
    assert.equal(having(two, { type: 'alerted', alert: alert(1) }).alarms, 2)
  })
  it('come back without a sound after a reload', () => {
    const back = having(initialConnection, { type: 'restored', alerts: two.alerts })
    assert.deepEqual([back.alerts.length, back.alarms], [2, 0])
  })
})

describe('the lists of the station page', () => {
  const page = { count: 1, results: [fact()] }
  it('show what was asked for last', () => {
    const parked = having(reportedLink(), { type: 'chosen', tab: 'parked' })
    assert.equal(having(parked, { type: 'queued', tab: 'waiting', queue: page }).queue, null)
    assert.equal(having(parked, { type: 'queued', tab: 'parked', queue: page }).queue, page)
  })
  it('keep an objection until the nextConnection attempt', () => {
    const objected = having(
      reportedLink(),
      { type: 'began', what: '7' },
      { type: 'ended', what: '7', objection: 'Not allowed.' },
    )
    assert.deepEqual([objected.objection, objected.busy.size], ['Not allowed.', 0])
    const again = having(objected, { type: 'began', what: '7' })
    assert.deepEqual([again.objection, [...again.busy]], ['', ['7']])
  })
})

describe('the station page', () => {
  const opened: DeskEvent = { type: 'at-station', open: true }
  const shown = (...events: readonly DeskEvent[]): string => screenOf(stateAfter(...events)).name
  it('opens and closes', () => {
    assert.equal(shown(opened), 'station')
    assert.equal(shown(opened, { type: 'at-station', open: false }), 'ready')
  })
  it('opens before the first start is done, too', () => {
    const state = nextDesk(stateAfter({ type: 'loaded', station: { ...station, ready: false } }), opened)
    assert.equal(screenOf(state).name, 'station')
  })
  it('never stands before a scan', () => {
    assert.equal(shown(opened, scanned('a'), judged('a')), 'admitted')
    assert.equal(shown(opened, scanned('a'), judged('a'), { type: 'closed' }), 'station')
  })
})
