import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ShownSample } from '../../schema/bodies/guests.ts'
import { realEnv } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import { type Running, startServer } from '../../server/serve.ts'

interface Progress {
  readonly state: string
  readonly done: number
  readonly total: number
  readonly message: string | null
}

describe('making the demo on a station', function () {
  this.timeout(180_000)
  let folder: string
  let running: Running

  const start = () =>
    startServer({ database: folder, host: '127.0.0.1', port: 0, stationKey: 'key' }, realEnv, silentLog)

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse station demo '))
    running = await start()
  })

  after(async () => {
    await running.close()
    rmSync(folder, { recursive: true })
  })

  async function call(method: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${running.url}/api/v1/station/demo/`, {
      method,
      headers: { Authorization: 'Station key', ...headers },
    })
    const body: unknown = await answer.json()
    return { status: answer.status, body: body as Progress }
  }

  /** What the station's pages are told of the demo, until it is done or has failed. */
  async function* progress(): AsyncGenerator<Progress> {
    const answer = await fetch(`${running.url}/api/v1/station/live`, {
      headers: { Authorization: 'Station key' },
    })
    const decoder = new TextDecoder()
    let text = ''
    assert.ok(answer.body)
    for await (const part of answer.body) {
      text += decoder.decode(part, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = /^event: demo\ndata: (.*)$/m.exec(event)?.[1]
        if (!data) continue
        const progress: Progress = JSON.parse(data)
        yield progress
        if (progress.state !== 'running') return
      }
    }
  }

  it('is for the screens of the station alone', async () => {
    assert.equal((await call('GET', { Authorization: 'Token key' })).status, 401)
    assert.equal((await call('POST', { Authorization: 'Station of-another' })).status, 401)
    assert.equal((await call('DELETE')).status, 405)
  })

  it('has not begun on an empty data folder', async () => {
    assert.deepEqual(await call('GET'), {
      status: 200,
      body: { state: 'none', done: 0, total: 0, message: null },
    })
  })

  it('goes on in the background and tells its pages how far it is', async () => {
    const events = progress()
    const first = events.next()
    const begun = await call('POST', { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.5' })
    assert.deepEqual([begun.status, begun.body.state, begun.body.total], [202, 'running', 5000])
    assert.equal((await call('POST')).body.state, 'running')
    const all = [(await first).value as Progress]
    for await (const progress of events) all.push(progress)
    const last = all.pop()
    assert.deepEqual([last?.state, last?.done, last?.total], ['done', 5000, 5000])
    assert.ok(last?.message?.includes(join(folder, 'demo')), last?.message ?? '')
    assert.ok(all.length > 20 && all.every(({ state }) => state === 'running'))
    const done = all.map((progress) => progress.done)
    assert.deepEqual(
      done,
      [...done].sort((a, b) => a - b),
    )
    assert.equal(readdirSync(join(folder, 'demo')).length, 14)
    assert.deepEqual((await call('GET')).body, last)
  })

  it('is not made a second time, and says in German where the samples are', async () => {
    const events = progress()
    const first = events.next()
    await call('POST', { 'Accept-Language': 'de-AT' })
    const all = [(await first).value as Progress]
    for await (const progress of events) all.push(progress)
    assert.equal(all.at(-1)?.state, 'done')
    assert.match(all.at(-1)?.message ?? '', /^Beispieltickets .* liegen in /)
    assert.ok(all.length <= 3, `${all.length} events`)
    const choices = await fetch(`${running.url}/api/v1/station/choices/`, {
      headers: { Authorization: 'Station key' },
    })
    const { organizers } = (await choices.json()) as { organizers: { events: { slug: string }[] }[] }
    assert.deepEqual(
      organizers.map(({ events }) => events.map(({ slug }) => slug)),
      [['festival']],
    )
  })

  it('shows its sample tickets at its lists, with what would become of them there', async () => {
    const own = { Authorization: 'Station key', 'Content-Type': 'application/json' }
    const choices = await fetch(`${running.url}/api/v1/station/choices/`, { headers: own })
    const { organizers } = (await choices.json()) as {
      organizers: { events: { lists: { id: number; name: string }[] }[] }[]
    }
    const lists = organizers[0]?.events[0]?.lists ?? []
    const shownAt = async (name: string) => {
      const list = lists.find((one) => one.name === name)?.id
      const place = { organizer: 'demo', event: 'festival', list, gate: null, direction: 'entry' }
      const body = JSON.stringify({ ...place, name: 'Door', locale: 'de' })
      const saved = await fetch(`${running.url}/api/v1/station/settings/`, {
        method: 'PUT',
        headers: own,
        body,
      })
      assert.equal(saved.status, 200)
      const answer = await fetch(`${running.url}/api/v1/station/samples/`, { headers: own })
      return ((await answer.json()) as { results: ShownSample[] }).results
    }
    const outlooks = (samples: readonly ShownSample[]) =>
      samples.map(({ outlook: { status, reason } }) => reason ?? status).join(' ')
    assert.match(
      outlooks(await shownAt('Haupteingang')),
      /^ok ok unpaid canceled incomplete ok unapproved blocked( ok)+$/,
    )
    const lounge = await shownAt('VIP-Lounge')
    assert.equal(lounge.length, 13)
    assert.match(outlooks(lounge), /^ok (rules|product) /)
    const [{ qr, name } = assert.fail('no sample')] = lounge
    assert.ok(name)
    assert.equal(new Set(qr.map((row) => row.length)).size, 1)
    assert.equal(qr.length, qr[0]?.length)
  })

  it('is known to be there after a restart', async () => {
    await running.close()
    running = await start()
    assert.deepEqual((await call('GET')).body, { state: 'done', done: 5000, total: 5000, message: null })
  })
})
