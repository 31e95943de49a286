import assert from 'node:assert/strict'
import type { ApiAnswer, ApiClient, Problem } from '../../../renderer/api/requests.ts'
import { admittedFor, type Desk, openDesk, probeEvery } from '../../../renderer/scanning/desk.ts'
import { type Entry, entryOfRead } from '../../../renderer/scanning/entries.ts'
import { screenOf } from '../../../renderer/scanning/screen.ts'
import type { ScanResult } from '../../../schema/bodies/scan-result.ts'
import type { ScanInput } from '../../../schema/bodies/station.ts'
import { read, result, scanned, settings, station } from '../samples.ts'

const good = <T>(value: T): ApiAnswer<T> => ({ ok: true, value })
const bad = (kind: Problem['kind'], detail = ''): ApiAnswer<never> => ({
  ok: false,
  problem: { kind, status: 0, detail },
})

/** A desk whose server and clock do what the test says. */
class Bench {
  readonly sent: ScanInput[] = []
  readonly saved: unknown[] = []
  readonly open: ((answer: ApiAnswer<ScanResult>) => void)[] = []
  readonly timers = new Set<{ readonly milliseconds: number; readonly then: () => void }>()
  shelf: readonly Entry[]
  probes = 0
  answers: () => ApiAnswer<typeof station> = () => good(station)
  undoes: () => ApiAnswer<unknown> = () => good({})
  recent: () => ApiAnswer<{ readonly results: readonly ScanResult[] }> = () => good({ results: [] })
  readonly desk: Desk

  constructor(shelf: readonly Entry[] = []) {
    this.shelf = shelf
    const api: ApiClient = {
      station: async () => {
        this.probes++
        return this.answers()
      },
      choices: async () => bad('broken'),
      demo: async () => bad('broken'),
      makeDemo: async () => bad('broken'),
      save: async (input) => {
        this.saved.push(input)
        const { printers, printing, lists, ...shown } = input
        return good({ ...station, settings: { ...settings, ...shown } })
      },
      scan: (input) => {
        this.sent.push(input)
        return new Promise((resolve) => this.open.push(resolve))
      },
      recentScans: async () => this.recent(),
      undo: async () => this.undoes(),
      search: async () => bad('broken'),
    }
    const after = (milliseconds: number, then: () => void) => {
      const timer = { milliseconds, then }
      this.timers.add(timer)
      return () => void this.timers.delete(timer)
    }
    const write = (entries: readonly Entry[]) => {
      this.shelf = entries
    }
    this.desk = openDesk(api, after, { inherit: (take) => this.shelf.length > 0 && take(this.shelf), write })
  }

  /** Answers the request that has waited longest. */
  async answer(answer: ApiAnswer<ScanResult>): Promise<void> {
    this.open.shift()?.(answer)
    await settle()
  }

  /** Lets a timer of that length run out. */
  async elapse(milliseconds: number): Promise<void> {
    const due = [...this.timers].filter((timer) => timer.milliseconds === milliseconds)
    assert.equal(due.length, 1, `one timer of ${milliseconds} ms`)
    for (const timer of due) {
      this.timers.delete(timer)
      timer.then()
    }
    await settle()
  }

  get screen(): string {
    return screenOf(this.desk.state.value).name
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

async function ready(): Promise<Bench> {
  const bench = new Bench()
  await bench.desk.refresh()
  return bench
}

describe('entrance desk', () => {
  it('sends a scan at once and shows its answer', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    assert.deepEqual(bench.sent, [{ code: 'code-a', source: 'keyboard', type: 'entry', nonce: 'a' }])
    await bench.answer(good(result()))
    assert.equal(bench.screen, 'admitted')
  })

  it('moves on after a success when its time is over', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result()))
    await bench.elapse(admittedFor)
    assert.equal(bench.screen, 'ready')
  })

  it('sets no timer for a refusal', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result({ status: 'error', reason: 'canceled' })))
    assert.equal(bench.timers.size, 0)
  })

  it('sends the next scan while the one before is still waiting', async () => {
    const bench = await ready()
    for (const nonce of ['a', 'b', 'c']) bench.desk.send(scanned(nonce))
    assert.deepEqual(
      bench.sent.map(({ nonce }) => nonce),
      ['a', 'b', 'c'],
    )
  })

  it('sends at most four at once and the rest as answers come', async () => {
    const bench = await ready()
    for (const nonce of 'abcdef') bench.desk.send(scanned(nonce))
    assert.equal(bench.sent.length, 4)
    await bench.answer(good(result({ nonce: 'a', id: '1' })))
    assert.equal(bench.sent.at(-1)?.nonce, 'e')
  })

  it('keeps scans while the server is gone and sends them in order, with the same nonce, when it is back', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(bad('unreachable'))
    assert.equal(bench.screen, 'unreachable')
    bench.desk.send(scanned('b'))
    assert.equal(bench.sent.length, 1)
    assert.deepEqual(
      bench.shelf.map(({ key }) => key),
      ['a', 'b'],
    )
    await bench.elapse(probeEvery)
    assert.deepEqual(
      bench.sent.map(({ nonce }) => nonce),
      ['a', 'a', 'b'],
    )
    assert.deepEqual(
      bench.sent.map(({ datetime }) => datetime),
      [undefined, '2026-07-10T16:00:00Z', '2026-07-10T16:00:00Z'],
    )
    await bench.answer(good(result({ nonce: 'a', id: '1' })))
    await bench.answer(good(result({ nonce: 'b', id: '2' })))
    assert.deepEqual(
      bench.shelf.map(({ ask }) => ask),
      [null, null],
    )
    assert.equal(bench.screen, 'admitted')
    // A station that was shut out keeps no names.
    bench.desk.send({ type: 'loaded', station: { ...station, ready: false } })
    assert.deepEqual(bench.shelf, [])
  })

  it('goes on asking for a server that stays away', async () => {
    const bench = await ready()
    bench.answers = () => bad('unreachable')
    await bench.desk.refresh()
    for (let times = 0; times < 3; times++) await bench.elapse(probeEvery)
    assert.equal(bench.probes, 5)
    assert.equal(bench.screen, 'unreachable')
  })

  it('sends what an earlier page left behind', async () => {
    const bench = new Bench([entryOfRead(read('old'), 'exit')])
    await bench.desk.refresh()
    assert.deepEqual(bench.sent, [
      { code: 'code-old', source: 'keyboard', type: 'exit', nonce: 'old', datetime: '2026-07-10T16:00:00Z' },
    ])
  })

  it('shows a scan that the server could not judge, and tries it again with the same nonce', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(bad('broken', 'Out of order'))
    assert.equal(bench.screen, 'failed')
    assert.equal(bench.desk.state.value.entries[0]?.failure, 'Out of order')
    bench.desk.send({ type: 'asked', key: 'a', ask: {} })
    assert.deepEqual(
      bench.sent.map(({ nonce }) => nonce),
      ['a', 'a'],
    )
  })

  it('asks what the station is set up for when a scan finds it not set up', async () => {
    const bench = await ready()
    bench.answers = () => good({ ...station, ready: false, settings: null })
    bench.desk.send(scanned('a'))
    await bench.answer({ ok: false, problem: { kind: 'refused', status: 409, detail: 'Not set up.' } })
    assert.equal(bench.screen, 'setup')
  })

  it('locks up and keeps the scan when the server does not know the window', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(bad('denied'))
    assert.equal(bench.screen, 'locked')
    assert.equal(bench.shelf.length, 1)
  })

  it('goes back to the question, and is not locked, where nobody who may allows what was asked', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result({ status: 'error', reason: 'unpaid', can_ignore_unpaid: true })))
    assert.equal(bench.screen, 'unpaid')
    bench.desk.send({ type: 'asked', key: 'a', ask: { ignore_unpaid: true } })
    const problem = { kind: 'denied', status: 403, detail: 'No.', reason: 'step_up' } as const
    await bench.answer({ ok: false, problem })
    assert.equal(bench.screen, 'unpaid')
    assert.equal(bench.desk.state.value.notice?.kind, 'withheld')
    assert.equal(bench.desk.state.value.entries[0]?.ask, null)
  })

  it('shows what was scanned before the page was opened, behind what was scanned at it', async () => {
    const earlier = [
      result({ nonce: 'late' }),
      result({ nonce: 'early', status: 'error', reason: 'invalid' }),
    ]
    const bench = new Bench()
    let asked = 0
    bench.recent = () => (asked++ === 0 ? bad('unreachable') : good({ results: earlier }))
    await bench.desk.refresh()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result()))
    await bench.desk.refresh()
    await bench.desk.refresh()
    assert.equal(asked, 2)
    const { entries } = bench.desk.state.value
    assert.deepEqual(
      entries.map(({ result: one, isRecalled }) => [one?.nonce, isRecalled]),
      [
        ['a', false],
        ['late', true],
        ['early', true],
      ],
    )
    assert.equal(bench.screen, 'admitted')
  })

  it('knows a scan that it has stored itself from what the server recalls', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result()))
    bench.desk.send({ type: 'recalled', results: [result(), result({ nonce: 'b' })] })
    assert.deepEqual(
      bench.desk.state.value.entries.map((entry) => entry.result?.nonce),
      ['a', 'b'],
    )
  })

  it('takes what an earlier page has left of a scan for more than what the server recalls of it', async () => {
    const seen = await ready()
    seen.desk.send({ type: 'linked', link: 'lost' })
    seen.desk.send(scanned('a'))
    await seen.desk.refresh()
    await seen.answer(good(result({ status: 'error', reason: 'blocked' })))
    const left = seen.shelf
    assert.equal(left.length, 1)
    const bench = await ready()
    const results = [result({ status: 'error', reason: 'blocked' }), result({ nonce: 'b' })]
    bench.desk.send({ type: 'recalled', results })
    bench.desk.send({ type: 'restored', entries: left })
    assert.deepEqual(
      bench.desk.state.value.entries.map(({ read: { nonce }, unseen }) => [nonce, unseen]),
      [
        ['a', true],
        ['b', false],
      ],
    )
  })

  it('takes an admission back, once', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result()))
    let asked = 0
    bench.undoes = () => good(asked++)
    const [entry] = bench.desk.state.value.entries
    assert.ok(entry)
    await Promise.all([bench.desk.undo(entry), ...bench.desk.state.value.entries.map(bench.desk.undo)])
    assert.equal(asked, 1)
    assert.equal(bench.screen, 'undone')
  })

  it('asks once more whether an admission was taken back when the answer was lost', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result()))
    const answers = [bad('unreachable'), good({})]
    bench.undoes = () => answers.shift() ?? bad('broken')
    for (const entry of bench.desk.state.value.entries) await bench.desk.undo(entry)
    assert.deepEqual([bench.screen, answers.length], ['undone', 0])
  })

  it('says why an admission could not be taken back', async () => {
    const bench = await ready()
    bench.desk.send(scanned('a'))
    await bench.answer(good(result()))
    bench.undoes = () => bad('refused', 'Too late')
    for (const entry of bench.desk.state.value.entries) await bench.desk.undo(entry)
    assert.deepEqual(bench.desk.state.value.notice, { kind: 'undo-failed', text: 'Too late', turn: 1 })
    assert.equal(bench.screen, 'admitted')
  })

  it('changes one setting and leaves the others', async () => {
    const bench = await ready()
    assert.equal(await bench.desk.change({ direction: 'exit' }), true)
    assert.deepEqual(bench.saved, [
      {
        organizer: 'demo',
        event: 'festival',
        list: 12,
        direction: 'exit',
        gate: 3,
        sound: true,
        camera: false,
        locale: 'en',
        name: 'Station',
      },
    ])
    assert.equal(bench.desk.state.value.station?.settings?.direction, 'exit')
  })
})
