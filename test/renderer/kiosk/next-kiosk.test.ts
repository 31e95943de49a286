import assert from 'node:assert/strict'
import {
  initialKiosk,
  type KioskEvent,
  type KioskState,
  timerOf,
} from '../../../renderer/kiosk/kiosk-state.ts'
import { nextKiosk } from '../../../renderer/kiosk/next-kiosk.ts'
import type { KioskPrint, KioskResult } from '../../../schema/bodies/kiosk.ts'
import { question } from '../samples.ts'

const stateAfter = (events: readonly KioskEvent[], from: KioskState = initialKiosk) =>
  events.reduce(nextKiosk, from)
const scanned: KioskEvent = { type: 'scanned', guest: { nonce: 'n-1', code: 'ticket', source: 'hid' } }
const result = (more: Partial<KioskResult> = {}): KioskResult => ({
  ...{
    nonce: 'n-1',
    status: 'ok',
    reason: null,
    code: null,
    name: 'Ada',
    ticket: null,
    locale: 'de',
    name_parts: [],
    prints: null,
    questions: [],
  },
  ...more,
})
const judged = (more: Partial<KioskResult> = {}): KioskEvent => ({ type: 'judged', result: result(more) })
const prints = (state: KioskPrint['state']) => ({
  results: [{ document: 'badge', state } as const],
  code: 'K7HQ',
})
const printed = (state: KioskPrint['state'], nonce = 'n-1'): KioskEvent => ({
  ...{ type: 'printed', nonce, prints: prints(state) },
})
const printing = [scanned, judged({ prints: prints('printing') })]
const offer = { item_name: { en: 'Day' }, variation_name: null, number: 'A-1' }
const looking: readonly KioskEvent[] = [
  { type: 'finding', way: 'order' },
  { type: 'typed', field: 'order', text: 'ABCDE' },
  { type: 'typed', field: 'last_name', text: 'Byron' },
  { type: 'sought' },
]
const found = (count: number): KioskEvent => ({
  type: 'found',
  found: { status: 'found', visit: 'v', locale: 'de', offers: Array.from({ length: count }, () => offer) },
})
const asked = judged({
  status: 'incomplete',
  questions: [question({ id: 7, position: 0 }), question({ id: 8, position: 1 })],
})
const answered = (id: number, isGood = true): KioskEvent => ({
  type: 'answered',
  question: id,
  text: 'x',
  isGood,
})
const over = (state: KioskState): KioskState => nextKiosk(state, { type: 'over', turn: state.turn })

describe('a kiosk’s screen', () => {
  const stages: readonly [string, readonly KioskEvent[], string][] = [
    ['waits for a guest', [], 'welcome'],
    ['decides a scan', [scanned], 'deciding'],
    ['greets who is let in', [scanned, judged()], 'done'],
    [
      'sends who is refused to the staff',
      [scanned, judged({ status: 'error', reason: 'unpaid', code: 'T6' })],
      'refused',
    ],
    [
      'sends a guest to the staff where the server does not answer',
      [scanned, { type: 'not-judged' }],
      'refused',
    ],
    ['ignores the answer to another scan', [scanned, judged({ nonce: 'other' })], 'deciding'],
    ['asks what is open', [scanned, asked], 'asking'],
    ['asks the next question', [scanned, asked, answered(7)], 'asking'],
    ['stays at an answer that is none', [scanned, asked, answered(7), answered(8, false)], 'asking'],
    ['sends the answers after the last one', [scanned, asked, answered(7), answered(8)], 'deciding'],
    ['lets nobody in who declines', [scanned, asked, { type: 'declined' }], 'refused'],
    [
      'is not interrupted while somebody answers',
      [scanned, asked, { ...scanned, guest: { nonce: 'n-2', code: 'b', source: 'hid' } }],
      'asking',
    ],
    ['begins anew with a scan while the last guest is greeted', [scanned, judged(), scanned], 'deciding'],
    ['is not interrupted while a badge is printed', [...printing, scanned], 'done'],
    ['begins anew once it is printed', [...printing, printed('printed'), scanned], 'deciding'],
    [
      'goes on once the code for the desk was noted',
      [...printing, printed('failed'), { type: 'read' }],
      'welcome',
    ],
    ['looks for a ticket', looking, 'searching'],
    ['wants both fields', looking.filter(({ type }) => type !== 'typed'), 'find'],
    [
      'says that nothing was found',
      [...looking, { type: 'found', found: { status: 'none', offers: [] } }],
      'find',
    ],
    [
      'closes the search',
      [...looking, { type: 'found', found: { status: 'busy', offers: [], wait: 60 } }],
      'busy',
    ],
    ['offers what was found', [...looking, found(2)], 'offer'],
    ['says that all are in', [...looking, found(0)], 'refused'],
    ['offers the next ticket', [...looking, found(2), { type: 'skipped' }], 'offer'],
    ['is done with the last one', [...looking, found(1), { type: 'skipped' }], 'welcome'],
    ['takes a ticket that is offered', [...looking, found(1), { type: 'taken', nonce: 'n-9' }], 'deciding'],
    ['asks staff for a PIN', [{ type: 'staff-called' }], 'staff'],
  ]
  for (const [what, events, stage] of stages)
    it(what, () => assert.equal(stateAfter(events).stage.name, stage))

  it('forgets all of a guest when it starts over', () => {
    const { turn: _, ...state } = over(stateAfter([...looking, { type: 'spoken', language: 'de' }]))
    const { turn: __, ...fresh } = initialKiosk
    assert.deepEqual(state, fresh)
  })

  it('goes on with the next ticket of the order once one is in, and forgets answers', () => {
    const state = over(
      stateAfter([
        ...looking,
        found(2),
        { type: 'taken', nonce: 'n-1' },
        asked,
        answered(7),
        answered(8),
        judged(),
      ]),
    )
    assert.deepEqual([state.stage.name, state.offers?.at, state.drafts], ['offer', 1, {}])
    assert.equal(over(stateAfter([{ type: 'taken', nonce: 'n-1' }, judged()], state)).stage.name, 'welcome')
  })

  const asksName = [scanned, judged({ name_parts: [{ part: 'full_name', text: 'Ada Lovelase' }] })]
  const typed: KioskEvent = { type: 'name-typed', part: 'full_name', text: 'Ada Lovelace' }
  const ordered: KioskEvent = { type: 'print-ordered', prints: null }

  it('greets a guest by the name that they have corrected', () => {
    const said = stateAfter([...asksName, { type: 'name-opened' }, typed, { type: 'name-said' }])
    assert.deepEqual(said.stage.name === 'named' && said.stage.typed, { full_name: 'Ada Lovelace' })
    const { stage } = nextKiosk(said, ordered)
    assert.equal(stage.name === 'done' && stage.result.name, 'Ada Lovelace')
  })

  it('takes no name that is none', () => {
    const state = stateAfter([...asksName, { ...typed, text: ' ' }, { type: 'name-said' }])
    assert.deepEqual(state.stage.name === 'naming' && state.stage.isTried, true)
  })

  it('prints the badge of who was let in and has gone, with the name as it was', () => {
    const state = stateAfter([...asksName, typed])
    assert.deepEqual(timerOf(state), { type: 'idle', seconds: 30 })
    for (const gone of [
      over(state),
      nextKiosk(state, { type: 'restarted' }),
      stateAfter([{ type: 'name-said' }], stateAfter(asksName)),
    ])
      assert.deepEqual(gone.stage.name === 'named' && gone.stage.typed, null)
    assert.equal(stateAfter([scanned], state).stage.name, 'naming')
  })

  it('waits for the badge, then for the guest to take it, or to note the code for the desk', () => {
    assert.deepEqual(timerOf(stateAfter(printing)), { type: 'over', seconds: 60 })
    const lengths = (['printed', 'failed', 'earlier'] as const).map((state) => [
      timerOf(stateAfter([...printing, printed(state)]))?.seconds,
      timerOf(stateAfter([...printing, printed(state, 'of-another')]))?.seconds,
    ])
    assert.deepEqual(lengths, [
      [3, 60],
      [30, 60],
      [30, 60],
    ])
  })

  it('is not kept by news that are none', () => {
    const state = stateAfter(printing)
    assert.equal(nextKiosk(state, printed('printing')), state)
  })

  it('speaks the language of the order, unless the guest has chosen one', () => {
    assert.equal(stateAfter([scanned, judged()]).language, 'de')
    assert.equal(stateAfter([{ type: 'spoken', language: 'en' }, scanned, judged()]).language, 'en')
    assert.equal(stateAfter([scanned, judged({ locale: 'xx' })]).language, null)
  })

  it('asks whether somebody is there, and starts over where nobody answers', () => {
    const state = stateAfter(looking.slice(0, 3))
    assert.deepEqual(timerOf(state), { type: 'idle', seconds: 30 })
    const idle = nextKiosk(state, { type: 'idle', turn: state.turn })
    assert.deepEqual([idle.isIdle, timerOf(idle)], [true, { type: 'over', seconds: 10 }])
    const back = nextKiosk(idle, { type: 'touched' })
    assert.deepEqual([back.isIdle, back.sought.order], [false, 'ABCDE'])
    assert.equal(over(idle).stage.name, 'welcome')
    assert.equal(nextKiosk(back, { type: 'over', turn: idle.turn }), back)
  })
})
