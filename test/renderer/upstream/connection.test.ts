import assert from 'node:assert/strict'
import type { LinkApi } from '../../../renderer/api/link-api.ts'
import type { ApiAnswer } from '../../../renderer/api/requests.ts'
import { openIntake } from '../../../renderer/scanning/intake.ts'
import { openConnection } from '../../../renderer/upstream/connection.ts'
import type { UpdateStatus } from '../../../schema/updates/update-status.ts'
import { alert, byItself, fact, link } from '../station/station-samples.ts'

const good = <T>(value: T): ApiAnswer<T> => ({ ok: true, value })
const bad = (status: number, detail: string): ApiAnswer<never> => ({
  ok: false,
  problem: { kind: 'refused', status, detail },
})

/** A server that answers as told, and what it was asked. */
const noUpdate: UpdateStatus = {
  ...{ version: '0.1.0', enabled: true, channel: 'stable', offered: null, phase: 'none', progress: null },
  ...{ why: null, missing: 0, may_now: false, until: null, trouble: null, failed: null },
}

function fakeApi(answers: Partial<LinkApi> = {}) {
  const asked: unknown[][] = []
  const answering = <A extends unknown[], T>(
    name: string,
    answer: (...given: A) => Promise<ApiAnswer<T>>,
  ) => {
    return (...given: A) => {
      asked.push([name, ...given])
      return answer(...given)
    }
  }
  const api: LinkApi = {
    link: answering('link', answers.link ?? (async () => good(link()))),
    join: answering('join', answers.join ?? (async () => good(link({ data_age: null })))),
    leave: answering('leave', answers.leave ?? (async () => good(link(byItself)))),
    update: answering('update', answers.update ?? (async () => good(noUpdate))),
    decideUpdate: answering('decideUpdate', answers.decideUpdate ?? (async () => good(noUpdate))),
    queue: answering('queue', answers.queue ?? (async () => good({ count: 1, results: [fact()] }))),
    retry: answering('retry', answers.retry ?? (async () => good({ count: 1 }))),
    conflicts: answering('conflicts', answers.conflicts ?? (async () => good({ count: 0, results: [] }))),
    resolve: answering('resolve', answers.resolve ?? (async () => good({}))),
  }
  return { api, asked }
}

function fakeMemory() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const opened = (answers: Partial<LinkApi> = {}, memory = fakeMemory()) => {
  const { api, asked } = fakeApi(answers)
  return { connection: openConnection(api, { now: () => 1000, memory }), asked, memory }
}

describe('the news of updates', () => {
  const failed = { version: '0.2.0', reason: 'ended', at: '2030-06-01T17:30:00.000Z' } as const

  it('say once that there is another version, and not at the first start', () => {
    const { connection, memory } = opened()
    connection.heardUpdate(noUpdate)
    assert.equal(connection.updateNews.value, null)
    const after = opened({}, memory).connection
    after.heardUpdate({ ...noUpdate, version: '0.2.0' })
    assert.deepEqual(after.updateNews.value, { kind: 'updated', version: '0.2.0' })
    after.tookNote()
    after.heardUpdate({ ...noUpdate, version: '0.2.0' })
    assert.equal(after.updateNews.value, null)
  })

  it('say that one did not work until somebody has taken note, over reloads of the page', () => {
    const { connection, memory } = opened()
    connection.heardUpdate({ ...noUpdate, failed })
    assert.deepEqual(connection.updateNews.value, { kind: 'failed', version: '0.2.0' })
    const reloaded = opened({}, memory).connection
    reloaded.heardUpdate({ ...noUpdate, failed })
    assert.equal(reloaded.updateNews.value?.kind, 'failed')
    reloaded.tookNote()
    const again = opened({}, memory).connection
    again.heardUpdate({ ...noUpdate, failed })
    assert.ok(!again.updateNews.value)
    again.heardUpdate({
      ...noUpdate,
      failed: { ...failed, reason: 'no room', at: '2030-06-02T00:00:00.000Z' },
    })
    assert.deepEqual(again.updateNews.value, { kind: 'no room', version: '0.2.0' })
  })
})

describe('the dealings with the upstream server', () => {
  it('send a code as it was read, without what is around it', async () => {
    const { connection, asked } = opened()
    await connection.join('  {"token":"x"}\n')
    assert.deepEqual(asked, [['join', '{"token":"x"}', '']])
    assert.equal(connection.state.value.link?.data_age, null)
  })

  it('say that something else was scanned, and ask nobody', () => {
    const { connection, asked } = opened()
    connection.send({ type: 'pairing', open: true })
    connection.mistook()
    assert.equal(connection.state.value.pairing.problem?.kind, 'no_code')
    assert.equal(connection.state.value.pairing.open, true)
    assert.deepEqual(asked, [])
  })

  it('ask once while an answer is awaited, however often a code is held up', async () => {
    const { promise, resolve } = Promise.withResolvers<ApiAnswer<ReturnType<typeof link>>>()
    const { connection, asked } = opened({ join: () => promise })
    const first = connection.join('code')
    await connection.join('code')
    resolve(bad(409, 'No.'))
    await first
    assert.equal(asked.length, 1)
    assert.equal(connection.state.value.pairing.problem?.kind, 'belongs')
  })

  it('leave only with the word that what waits was saved', async () => {
    const { connection, asked } = opened({
      leave: async (exported) => (exported ? good(link(byItself)) : bad(409, '3 wait.')),
    })
    await connection.leave()
    assert.equal(connection.state.value.leaving.detail, '3 wait.')
    connection.send({ type: 'exported' })
    await connection.leave()
    assert.deepEqual(asked, [
      ['leave', false],
      ['leave', true],
    ])
    assert.equal(connection.state.value.link?.upstream, null)
  })

  it('look at the lists again after something was sent again', async () => {
    const { connection, asked } = opened()
    await connection.retry(['a'])
    assert.deepEqual(
      asked.map(([name]) => name),
      ['retry', 'queue', 'conflicts', 'link'],
    )
    assert.equal(connection.state.value.queue?.count, 1)
  })

  it('resolve a contradiction at the organizer of the server, and say what is against it', async () => {
    const { connection, asked } = opened({
      resolve: async () => bad(403, 'The profile does not allow this.'),
    })
    connection.heard(link())
    await connection.resolve(7, 'twins')
    assert.deepEqual(asked[0], ['resolve', 'acme', 7, 'twins'])
    assert.equal(connection.state.value.objection, 'The profile does not allow this.')
  })

  it('keep alerts over a reload of the page until they are acknowledged', () => {
    const memory = fakeMemory()
    const { connection } = opened({}, memory)
    connection.alerted(alert(1))
    const again = opened({}, memory).connection
    assert.deepEqual(
      again.state.value.alerts.map(({ id }) => id),
      [1],
    )
    again.send({ type: 'acknowledged', id: 1 })
    assert.equal(opened({}, memory).connection.state.value.alerts.length, 0)
  })

  it('are not spoiled by what another program left in the memory', () => {
    const memory = fakeMemory()
    memory.setItem('gatehouse.alerts', '{"half')
    assert.deepEqual(opened({}, memory).connection.state.value.alerts, [])
  })
})

describe('a pairing code at the keyboard scanner', () => {
  const code = '{"handshake_version":1,"token":"x"}'
  const scan = { characters: code, positions: code, garbled: false }
  for (const [what, takes, read] of [
    ['connects where somebody waits for it', true, []],
    ['is a ticket like any other where nobody does', false, [code]],
  ] as const)
    it(what, () => {
      const codes: string[] = []
      const intake = openIntake(
        (text) => codes.push(text),
        fakeMemory(),
        () => takes,
      )
      intake.fromKeys(scan)
      assert.deepEqual(codes, read)
    })
})
