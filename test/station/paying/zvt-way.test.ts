import assert from 'node:assert/strict'
import { type Env, realEnv } from '../../../server/env.ts'
import type { StartedPayment } from '../../../server/station/paying/payment-way.ts'
import { zvtWay } from '../../../server/station/paying/zvt-way.ts'
import { type Misbehaviour, startTerminal, type TerminalSimulator } from './terminal-simulator.ts'

describe('a card terminal reached by ZVT', () => {
  let terminal: TerminalSimulator
  let timers: Map<() => void, number>
  let known: number[]
  beforeEach(async () => {
    terminal = await startTerminal()
    timers = new Map()
    known = []
  })
  afterEach(() => terminal.close())

  /** Nothing is waited for: timers are due when the test says so. */
  const env: Env = {
    ...realEnv,
    after(milliseconds, callback) {
      timers.set(callback, milliseconds)
      return () => timers.delete(callback)
    },
  }
  const ring = (): void => {
    for (const callback of [...timers.keys()]) callback()
  }
  const open = (port = terminal.port) =>
    zvtWay({
      env,
      place: async () => ({ host: '127.0.0.1', port, password: '000000' }),
      isAnothers: async (_, { receipt }) => known.includes(receipt ?? 0),
    })
  const payment = (more: Partial<StartedPayment> = {}): StartedPayment => ({
    ...{ id: 'one', amount: 1250, currency: 'EUR', created: '2020-01-01T10:00:00Z', details: {} },
    ...more,
  })
  const start = (more?: Partial<StartedPayment>, way = open()) => way.start(payment(more), () => undefined)

  for (const [behaviour, state, reason] of [
    ['charges', 'paid', null],
    ['splits', 'paid', null],
    ['answers-twice', 'paid', null],
    ['declines', 'declined', 'declined'],
    ['refuses', 'declined', 'declined'],
    ['closes', 'unknown', 'closed'],
    ['charges-and-closes', 'unknown', 'closed'],
    ['talks-garbage', 'unknown', 'garbled'],
    ['contradicts', 'unknown', 'garbled'],
  ] as const satisfies readonly (readonly [Misbehaviour, string, string | null])[])
    it(`that ${behaviour} leaves a payment ${state}`, async () => {
      terminal.behaviour = behaviour
      const answer = await start()
      assert.deepEqual([answer.state, answer.reason], [state, reason])
      assert.equal(terminal.asked, 1)
    })

  it('says by which numbers a payment is found there, and of which card it is', async () => {
    const { reference, details } = await start()
    assert.equal(reference, '12345678-1-101')
    assert.deepEqual(details, { receipt: 1, trace: 101, terminal: 12345678, card: 'girocard' })
  })

  it('that says nothing any more leaves it unknown, and is not waited for without end', async () => {
    terminal.behaviour = 'stalls'
    const answer = start()
    await terminal.untilAsked(1)
    while (![...timers.values()].includes(90_000)) await new Promise((resolve) => setImmediate(resolve))
    ring()
    assert.deepEqual(await answer, { state: 'unknown', reason: 'stalled' })
  })

  it('that is not there was asked for nothing: the payment is declined', async () => {
    const { port } = terminal
    await terminal.close()
    assert.deepEqual(await start({}, open(port)), { state: 'declined', reason: 'unreachable' })
    terminal = await startTerminal()
    assert.deepEqual(await open(port).ask(payment()), { state: 'unknown', reason: 'unreachable' })
  })

  for (const [behaviour, state] of [
    ['obeys-cancel', 'declined'],
    ['charges-after-cancel', 'paid'],
  ] as const)
    it(`that ${behaviour} leaves a payment ${state}`, async () => {
      terminal.behaviour = behaviour
      const way = open()
      const answer = start({}, way)
      await terminal.untilAsked(1)
      await way.cancel(payment())
      assert.equal((await answer).state, state)
    })

  it('is asked about what is unknown by what it did last', async () => {
    terminal.behaviour = 'charges-and-closes'
    await start()
    assert.equal((await open().ask(payment())).state, 'paid')
    assert.equal(terminal.held, 1250)
    assert.equal(terminal.asked, 1)
  })

  it('has not charged anything where it did last what another payment is known by', async () => {
    await start()
    known = [1]
    terminal.behaviour = 'closes'
    await start({ id: 'two' })
    assert.equal((await open().ask(payment({ id: 'two' }))).state, 'declined')
    // It may still be at what was begun a moment ago.
    const created = new Date(env.now() - 1000).toISOString()
    assert.equal((await open().ask(payment({ id: 'two', created }))).state, 'unknown')
  })

  it('proves nothing by another amount that was typed in by hand, or by having done nothing at all', async () => {
    assert.equal((await open().ask(payment())).state, 'unknown')
    terminal.chargeByHand(999)
    assert.equal((await open().ask(payment())).state, 'unknown')
  })

  it('takes a payment back once, and refuses to where it does not', async () => {
    const { details = {} } = await start()
    terminal.keepsMoney = true
    assert.equal((await open().refund(payment({ details }))).state, 'refused')
    terminal.keepsMoney = false
    assert.equal((await open().refund(payment({ details }))).state, 'done')
    assert.equal(terminal.held, 0)
    assert.equal((await open().refund(payment({ details }))).state, 'refused')
  })
})
