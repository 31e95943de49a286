import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker, type WorkerParts } from '../../server/jobs/worker.ts'
import { silentLog } from '../../server/log.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'

describe('a worker', () => {
  let env: ReturnType<typeof makeHandEnv>
  /** What is there to be claimed. */
  let due: string[]
  /** What happened, in its order. */
  let done: string[]
  let looks: number
  let logged: unknown[]
  let worker: Worker<string>

  const start = (parts: Partial<WorkerParts<string>> = {}): void => {
    worker = new Worker<string>({
      env,
      log: { ...silentLog, error: (_event, { stack, ...fields } = {}) => void logged.push(fields) },
      ...{ job: 'test', every: 15_000, atOnce: 2 },
      async claim(room) {
        looks += 1
        const items = due.splice(0, room)
        return { items, more: items.length > 0 }
      },
      async work(item) {
        done.push(item)
      },
      describe: (item) => ({ item }),
      ...parts,
    })
  }
  async function rest(): Promise<void> {
    for (let turns = 0; turns < 10; turns += 1) await turn()
  }
  async function pass(milliseconds: number): Promise<void> {
    env.pass(milliseconds)
    await rest()
  }

  beforeEach(() => {
    env = makeHandEnv()
    due = []
    done = []
    looks = 0
    logged = []
  })
  afterEach(() => worker.stop())

  it('claims at the start what is due, once, and goes on until nothing is left', async () => {
    due = ['a', 'b', 'c', 'd', 'e']
    start()
    await rest()
    assert.deepEqual(done, ['a', 'b', 'c', 'd', 'e'])
  })

  it('works on no more items at once than it may', async () => {
    due = ['a', 'b', 'c']
    const gates = new Map(due.map((item) => [item, Promise.withResolvers<void>()]))
    start({
      async work(item) {
        done.push(item)
        await gates.get(item)?.promise
      },
    })
    await rest()
    assert.deepEqual(done, ['a', 'b'])
    gates.get('b')?.resolve()
    await rest()
    assert.deepEqual(done, ['a', 'b', 'c'])
    for (const gate of gates.values()) gate.resolve()
  })

  it('looks again after its time, and sooner where something is due sooner', async () => {
    start()
    await rest()
    await pass(14_999)
    assert.equal(looks, 1)
    await pass(1)
    assert.equal(looks, 2)
    worker.wakeWithin(300)
    await pass(300)
    assert.equal(looks, 3)
    await worker.stop()
    start({
      async claim() {
        looks += 1
        return { items: [], more: false, next: 40 }
      },
    })
    await rest()
    await pass(40)
    assert.equal(looks, 5)
  })

  it('looks at once when it is woken, also while it looks', async () => {
    const gate = Promise.withResolvers<void>()
    start({
      async claim() {
        looks += 1
        await gate.promise
        return { items: [], more: false }
      },
    })
    await rest()
    worker.wake()
    worker.wake()
    await rest()
    assert.equal(looks, 1)
    gate.resolve()
    await rest()
    assert.equal(looks, 2)
    worker.wake()
    await rest()
    assert.equal(looks, 3)
  })

  it('keeps no item from its work because another one fails, and says which one did', async () => {
    start({
      claim: async () => ({ items: due.splice(0), more: false }),
      async work(item) {
        if (item === 'bad') throw new Error('disk on fire')
        done.push(item)
      },
    })
    due = ['a', 'bad', 'b', 'c']
    worker.wake()
    await rest()
    assert.deepEqual(done, ['a', 'b', 'c'])
    assert.deepEqual(logged, [{ job: 'test', item: 'bad' }])
  })

  it('pauses twice as long after each failure, at most its usual time, until it succeeds', async () => {
    let isBroken = true
    start({
      every: 5000,
      async claim() {
        looks += 1
        if (isBroken) throw new Error('no database')
        return { items: [], more: false }
      },
    })
    await rest()
    const waited: number[] = []
    for (let last = looks, since = 0; waited.length < 5; ) {
      await pass(100)
      since += 100
      if (looks === last) continue
      waited.push(since)
      last = looks
      since = 0
    }
    assert.deepEqual(waited, [1000, 2000, 4000, 5000, 5000])
    isBroken = false
    await pass(5000)
    isBroken = true
    worker.wake()
    await rest()
    const before = looks
    await pass(1000)
    assert.equal(looks, before + 1)
  })

  it('does not claim a failing item again and again without a pause', async () => {
    start({
      claim: async () => {
        looks += 1
        return { items: ['bad'], more: true }
      },
      atOnce: 1,
      async work() {
        throw new Error('not today')
      },
    })
    await rest()
    assert.equal(looks, 1)
    await pass(1000)
    assert.equal(looks, 2)
  })

  it('begins what it is handed at once, or when its turn comes', async () => {
    const gate = Promise.withResolvers<void>()
    start({
      atOnce: 1,
      async work(item) {
        done.push(item)
        await gate.promise
      },
    })
    worker.add('a')
    worker.add('b')
    assert.deepEqual([done, worker.waiting], [['a'], 1])
    gate.resolve()
    await rest()
    assert.deepEqual([done, worker.waiting], [['a', 'b'], 0])
  })

  it('renews what is being worked on whenever it looks', async () => {
    const gate = Promise.withResolvers<void>()
    due = ['a']
    const renewed: string[] = []
    start({
      work: () => gate.promise,
      async renew(item) {
        renewed.push(item)
      },
    })
    await rest()
    renewed.length = 0
    await pass(15_000)
    assert.deepEqual(renewed, ['a'])
    gate.resolve()
  })

  it('tries its beginning again until it succeeds, and claims nothing before', async () => {
    let tries = 0
    start({
      async begin() {
        tries += 1
        if (tries < 3) throw new Error('not yet')
      },
    })
    await rest()
    await pass(1000)
    assert.deepEqual([tries, looks], [2, 0])
    await pass(2000)
    await pass(15_000)
    assert.deepEqual([tries, looks], [3, 2])
  })

  it('stops after the work in progress, gives back what it has not begun, and looks for no more', async () => {
    const gate = Promise.withResolvers<void>()
    due = ['a']
    start({
      atOnce: 1,
      async work(item, signal) {
        done.push(signal.aborted ? `${item} given back` : item)
        await gate.promise
      },
    })
    await rest()
    worker.add('b')
    let isStopped = false
    const stopping = worker.stop().then(() => {
      isStopped = true
    })
    await rest()
    assert.deepEqual([isStopped, done], [false, ['a']])
    gate.resolve()
    await stopping
    assert.deepEqual(done, ['a', 'b given back'])
    const before = looks
    worker.wake()
    worker.wakeWithin(1)
    await pass(60_000)
    assert.deepEqual([looks, env.waiting], [before, 0])
  })
})
