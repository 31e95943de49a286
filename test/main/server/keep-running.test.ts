import assert from 'node:assert/strict'
import {
  backoff,
  type Child,
  type Exit,
  type KeepOptions,
  keepRunning,
} from '../../../main/server/keep-running.ts'
import { makeHandClock } from '../common/hand-clock.ts'

interface FakeChild extends Child {
  readonly asked: string[]
  end(exit: Exit): void
}

const CRASH: Exit = { code: 1, signal: null }

function makeChild(): FakeChild {
  let onExit = (_exit: Exit) => {}
  const asked: string[] = []
  return {
    pid: 1,
    asked,
    onExit(act) {
      onExit = act
    },
    terminate: () => void asked.push('terminate'),
    kill() {
      asked.push('kill')
      onExit({ code: null, signal: 'SIGKILL' })
    },
    end: (exit) => onExit(exit),
  }
}

function startKeeping(more: Partial<KeepOptions<FakeChild>> = {}) {
  const clock = makeHandClock()
  const children: FakeChild[] = []
  const logged: string[] = []
  const kept = keepRunning({
    name: 'It',
    start() {
      const child = makeChild()
      children.push(child)
      return child
    },
    clock,
    log: (message) => void logged.push(message),
    ...more,
  })
  const last = () => children.at(-1) ?? assert.fail('nothing was started')
  return { clock, children, logged, kept, last }
}

describe('a child that is kept running', () => {
  it('waits longer with each failure, up to half a minute', () => {
    assert.deepEqual([1, 2, 3, 4, 7, 8, 100].map(backoff), [500, 1000, 2000, 4000, 30_000, 30_000, 30_000])
  })

  it('is started at once, and again after each end', () => {
    const { clock, children, last } = startKeeping()
    assert.equal(children.length, 1)
    last().end(CRASH)
    clock.advance(499)
    assert.equal(children.length, 1)
    clock.advance(1)
    assert.equal(children.length, 2)
    last().end(CRASH)
    assert.deepEqual(clock.planned(), [1000])
  })

  it('starts counting anew after a stable run', () => {
    const { clock, last } = startKeeping({ stableAfter: 10_000 })
    last().end(CRASH)
    clock.advance(500)
    last().end(CRASH)
    clock.advance(1000)
    clock.advance(10_000)
    last().end(CRASH)
    assert.deepEqual(clock.planned(), [500])
  })

  it('says how it ended', () => {
    const { clock, logged, last } = startKeeping()
    last().end({ code: 7, signal: null })
    clock.advance(500)
    last().end({ code: null, signal: 'SIGSEGV' })
    assert.deepEqual(logged, [
      'It ended with code 7; it is started again in 0.5 s',
      'It was ended by SIGSEGV; it is started again in 1 s',
    ])
  })

  it('is not started again when told so', () => {
    const asked: [Exit, number][] = []
    const { clock, last } = startKeeping({
      again(exit, failures) {
        asked.push([exit, failures])
        return failures < 2
      },
    })
    last().end(CRASH)
    clock.advance(500)
    last().end(CRASH)
    assert.deepEqual(clock.planned(), [])
    assert.deepEqual(asked, [
      [CRASH, 1],
      [CRASH, 2],
    ])
  })

  it('counts a start that fails like an end', () => {
    const clock = makeHandClock()
    let starts = 0
    const logged: string[] = []
    keepRunning({
      name: 'It',
      start() {
        starts++
        throw new Error('no such file')
      },
      clock,
      log: (message) => void logged.push(message),
    })
    clock.advance(1500)
    assert.equal(starts, 3)
    assert.equal(logged[0], 'It could not be started: no such file')
  })

  it('stops in order', async () => {
    const { clock, kept, last } = startKeeping()
    const stopped = kept.stop()
    assert.deepEqual(last().asked, ['terminate'])
    last().end({ code: 0, signal: null })
    await stopped
    assert.deepEqual(clock.planned(), [])
  })

  it('is killed when it does not stop in time', async () => {
    const { clock, kept, last } = startKeeping({ stopWithin: 3000 })
    const stopped = kept.stop()
    clock.advance(3000)
    await stopped
    assert.deepEqual(last().asked, ['terminate', 'kill'])
  })

  it('is not started any more after a stop between two runs', async () => {
    const { clock, children, kept, last } = startKeeping()
    last().end(CRASH)
    await kept.stop()
    clock.advance(60_000)
    assert.equal(children.length, 1)
  })

  it('may be stopped twice', async () => {
    const { kept, last } = startKeeping()
    const both = Promise.all([kept.stop(), kept.stop()])
    last().end({ code: 0, signal: null })
    await both
    assert.deepEqual(last().asked, ['terminate'])
  })
})
