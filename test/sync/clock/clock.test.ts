import assert from 'node:assert/strict'
import type { Env } from '../../../server/env.ts'
import { createClock } from '../../../server/sync/clock/clock.ts'
import { makeHandEnv } from '../../support/servers/hand-env.ts'

/** A world whose clock can be set without time passing. */
function settable(): { env: Env; pass(milliseconds: number): void; set(milliseconds: number): void } {
  const hand = makeHandEnv(Date.UTC(2030, 0, 1))
  let set = 0
  return {
    env: { ...hand, now: () => hand.now() + set, elapsed: hand.elapsed, after: hand.after },
    pass: hand.pass,
    set: (milliseconds) => {
      set += milliseconds
    },
  }
}

/** An exchange with a server that is ahead, over a way that takes so long there and back. */
const exchange = (now: number, ahead: number, there: number, back: number) => ({
  sent: now,
  received: now + there + ahead,
  answered: now + there + ahead,
  arrived: now + there + back,
})

describe('the clock of a node', () => {
  it('says that it does not know the time until somebody tells it', () => {
    const { env } = settable()
    const clock = createClock(env, 'b1')
    assert.equal(clock.offset, null)
    assert.equal(clock.stamp().clockOffset, null)
    assert.equal(clock.now(), env.now())
  })

  it('takes the exchange with the shortest way of the last ten', () => {
    const { env } = settable()
    const clock = createClock(env, 'b1')
    clock.observe(exchange(env.now(), 5000, 400, 0))
    assert.equal(clock.offset, 5200)
    clock.observe(exchange(env.now(), 5000, 10, 10))
    assert.deepEqual([clock.offset, clock.uncertainty], [5000, 10])
    for (let times = 0; times < 9; times += 1) clock.observe(exchange(env.now(), 5000, 0, 300))
    assert.equal(clock.offset, 5000)
    clock.observe(exchange(env.now(), 5000, 0, 300))
    assert.deepEqual([clock.offset, clock.uncertainty], [4850, 150])
  })

  it('corrects the time by what it has learned and stamps facts with the machine clock beside it', () => {
    const { env, pass } = settable()
    const clock = createClock(env, 'b1')
    pass(1500)
    clock.observe(exchange(env.now(), -90_000, 5, 5))
    assert.equal(clock.now(), env.now() - 90_000)
    assert.equal(clock.instant(), '2029-12-31T23:58:31.500000Z')
    assert.deepEqual(clock.stamp(), {
      deviceTime: '2030-01-01T00:00:01.500000Z',
      mono: 1500,
      boot: 'b1',
      clockOffset: -90_000,
    })
    assert.equal(clock.skewed, true)
  })

  it('goes on at the right time when its machine is set back, and believes the next exchange', () => {
    const { env, pass, set } = settable()
    const clock = createClock(env, 'b1')
    clock.observe(exchange(env.now(), 0, 5, 5))
    const right = clock.now()
    set(-3_600_000)
    pass(1000)
    assert.equal(clock.stamp().clockOffset, 3_600_000)
    assert.equal(clock.now(), right + 1000)
    assert.equal(clock.jumped(), -3_600_000)
    assert.equal(clock.jumped(), 0)
    clock.observe(exchange(env.now(), 3_600_000, 200, 200))
    assert.equal(clock.offset, 3_600_000)
  })

  it('takes a leap ahead for a sleep of the machine', () => {
    const { env, set } = settable()
    const clock = createClock(env, 'b1')
    clock.observe(exchange(env.now(), 1000, 5, 5))
    set(7_200_000)
    assert.equal(clock.jumped(), 7_200_000)
    assert.equal(clock.now(), env.now() + 1000)
  })

  it('recalls what it knew before only until the time is measured anew', () => {
    const { env } = settable()
    const clock = createClock(env, 'b1')
    clock.recall({ offset: 700, uncertainty: 30 })
    assert.equal(clock.offset, 700)
    clock.observe(exchange(env.now(), 100, 5, 5))
    clock.recall({ offset: 700, uncertainty: 30 })
    assert.equal(clock.offset, 100)
  })

  it('ignores an exchange during which its machine was set', () => {
    const { env } = settable()
    const clock = createClock(env, 'b1')
    clock.observe({ sent: 5000, received: 4000, answered: 4100, arrived: 4000 })
    assert.equal(clock.offset, null)
  })

  it('keeps its offset a whole number when the clock is set back at a fraction of a millisecond', () => {
    const { env, set } = settable()
    let fraction = 0
    const clock = createClock({ ...env, elapsed: () => env.elapsed() + fraction }, 'b1')
    clock.observe(exchange(env.now(), 5000, 5, 5))
    fraction = 0.4
    set(-60_000)
    assert.equal(clock.jumped(), -60_000)
    assert.equal(clock.stamp().clockOffset, 65_000)
  })
})
