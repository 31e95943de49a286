import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { ApiAnswer } from '../../../renderer/api/requests.ts'
import { openGuestDisplay } from '../../../renderer/box-office/display/guest-display.ts'
import { shownToGuest } from '../../../renderer/box-office/display/shown-to-guest.ts'
import { nextTill } from '../../../renderer/box-office/next-till.ts'
import {
  basketName,
  initialTill,
  type TillEvent,
  type TillState,
} from '../../../renderer/box-office/till-state.ts'
import { translator } from '../../../renderer/text/translate.ts'
import type { CustomerDisplay, DisplaysTold } from '../../../schema/bodies/customer-display.ts'
import { catalogueOf, product } from './samples.ts'

const around = { t: translator('en'), language: 'en', event: 'Gala', isClosed: false }
const stateAfter = (state: TillState, ...events: readonly TillEvent[]) => events.reduce(nextTill, state)

const filled = stateAfter(
  initialTill,
  { type: 'offered', catalogue: catalogueOf(product(1)) },
  { type: 'pressed', product: 1 },
  { type: 'pressed', product: 1 },
)
const [line] = filled.lines
const priced = stateAfter(filled, {
  type: 'priced',
  priced: { of: basketName(filled.lines), total: '20.00', lines: { [line?.key ?? '']: '20.00' } },
})
const paying = stateAfter(priced, { type: 'paying', key: 'key', timeZone: 'UTC' })
const bought = [{ name: 'Product 1', details: [], count: 2, amount: '20.00' }]

/** What is not empty of a display. */
const essence = (state: TillState, more: Partial<typeof around> = {}) =>
  Object.fromEntries(
    Object.entries(shownToGuest(state, { ...around, ...more })).filter(
      ([name, value]) => value !== null && !['locale', 'currency', 'event_name'].includes(name),
    ),
  )

describe('what a guest sees of the till', () => {
  it('is the lines and what they cost, once that is known', () => {
    assert.deepEqual(essence(initialTill), { phase: 'idle', lines: [] })
    assert.deepEqual(essence(filled), { phase: 'basket', lines: [{ ...bought[0], amount: null }] })
    assert.deepEqual(essence(priced), { phase: 'basket', lines: bought, total: '20.00' })
  })

  it('is what was given and goes back, also once it is sold', () => {
    assert.deepEqual(essence(paying), { phase: 'paying', lines: bought, total: '20.00' })
    const short = stateAfter(paying, { type: 'given', given: 1500 })
    assert.deepEqual(essence(short), { phase: 'paying', lines: bought, total: '20.00', given: '15.00' })
    const asked = stateAfter(paying, { type: 'taken', given: 5000 })
    const money = { total: '20.00', given: '50.00', change: '30.00' }
    assert.deepEqual(essence(asked), { phase: 'paying', lines: bought, ...money })
    const sold = stateAfter(asked, { type: 'sold', code: 'ABCDE' })
    assert.deepEqual(essence(sold), { phase: 'sold', lines: [], ...money })
    assert.deepEqual(essence(stateAfter(sold, { type: 'finished' })), { phase: 'idle', lines: [] })
  })

  it('is what is still to be paid after a part', () => {
    const part = { id: 'part', way: 'giftcard', amount: '12.50', info: {} } as const
    const parted = stateAfter(paying, { type: 'part-added', part })
    assert.deepEqual(essence(parted), { phase: 'paying', lines: bought, total: '20.00', due: '7.50' })
  })

  it('is nothing while nobody sells', () => {
    assert.deepEqual(essence(priced, { isClosed: true }), { phase: 'idle', lines: [] })
  })
})

describe('a till with displays', () => {
  const shownWith = (total: string): CustomerDisplay => ({ ...shownToGuest(initialTill, around), total })
  const told = (displays: number) => ({ ok: true, value: { displays } }) as const
  const silent = { ok: false, problem: { kind: 'unreachable', status: 0, detail: '' } } as const

  function openBench() {
    const shown: (string | null)[] = []
    const answers: ((answer: ApiAnswer<DisplaysTold>) => void)[] = []
    const display = openGuestDisplay(
      {
        show: (_, { total }) => {
          shown.push(total)
          return new Promise((answer) => answers.push(answer))
        },
      },
      'this-till',
    )
    const answer = async (one: ApiAnswer<DisplaysTold>) => {
      answers.shift()?.(one)
      await turn()
    }
    return { display, shown, answer }
  }

  it('tells them one thing at a time, and the latest', async () => {
    const { display, shown, answer } = openBench()
    for (const total of ['1.00', '2.00', '3.00', '3.00']) display.tell(shownWith(total))
    assert.deepEqual(shown, ['1.00'])
    await answer(told(1))
    assert.deepEqual(shown, ['1.00', '3.00'])
    await answer(told(1))
    assert.deepEqual(shown, ['1.00', '3.00'])
  })

  it('says nothing more when nobody listens, until a display asks', async () => {
    const { display, shown, answer } = openBench()
    display.tell(shownWith('1.00'))
    await answer(told(0))
    display.tell(shownWith('2.00'))
    display.asked('another-till')
    assert.deepEqual(shown, ['1.00'])
    display.asked('this-till')
    assert.deepEqual(shown, ['1.00', '2.00'])
    // It was opened while the answer was on its way, which does not know of it yet.
    display.asked('this-till')
    await answer(told(0))
    assert.deepEqual(shown, ['1.00', '2.00', '2.00'])
    await answer(told(1))
    display.tell(shownWith('3.00'))
    assert.deepEqual(shown.at(-1), '3.00')
  })

  it('tells the next change where the server was not there', async () => {
    const { display, shown, answer } = openBench()
    display.tell(shownWith('1.00'))
    await answer(silent)
    display.tell(shownWith('2.00'))
    assert.deepEqual(shown, ['1.00', '2.00'])
  })
})
