import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { detailOf, openApi } from '../../../renderer/api/requests.ts'
import { type FakeStation, startFakeStation } from '../../support/servers/fake-station.ts'

describe('requests of the screens', () => {
  let station: FakeStation
  before(async () => {
    station = await startFakeStation()
  })
  after(() => station.close())

  it('bring the state of the station', async () => {
    const answer = await openApi(station.url).station()
    assert.ok(answer.ok)
    assert.equal(answer.value.settings?.event, 'festival')
  })
  it('bring the result of a scan', async () => {
    const answer = await openApi(station.url).scan({
      code: 'OK-1',
      source: 'hand',
      type: 'entry',
      nonce: 'n',
    })
    assert.ok(answer.ok)
    assert.equal(answer.value.position?.attendee_name, 'Amélie Novák')
  })
  it('find guests', async () => {
    const answer = await openApi(station.url).search({
      organizer: 'demo',
      lists: [{ id: 12 }],
      text: 'weber',
      page: 1,
    })
    assert.ok(answer.ok)
    assert.equal(answer.value.count, 3)
  })
  it('say why something is refused', async () => {
    const answer = await openApi(station.url).undo('unknown')
    assert.deepEqual(answer, {
      ok: false,
      problem: { kind: 'refused', status: 404, detail: 'No such check-in.' },
    })
  })

  it('say that they are to be asked again later', async () => {
    const server = createServer((_, response) => response.writeHead(409, { 'retry-after': '5' }).end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const answer = await openApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).station()
    server.close()
    assert.ok(!answer.ok && answer.problem.later)
  })

  const answers: readonly [string, (response: ServerResponse) => void, string][] = [
    ['a window it does not know', (response) => response.writeHead(403).end('{"detail":"No."}'), 'denied'],
    ['a broken server', (response) => response.writeHead(500).end('<h1>Sorry</h1>'), 'broken'],
    ['an answer that is no JSON', (response) => response.writeHead(200).end('<h1>Hello</h1>'), 'broken'],
    ['a line that is cut', (response) => response.destroy(), 'unreachable'],
    [
      'an answer that is cut in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '99' }).write('{')
        response.destroy()
      },
      'unreachable',
    ],
  ]
  for (const [what, behave, kind] of answers)
    it(`never throw for ${what}`, async () => {
      const server = createServer((_, response) => behave(response))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const answer = await openApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).station()
      server.close()
      assert.equal(answer.ok ? 'fine' : answer.problem.kind, kind)
    })

  const details: readonly [string, string][] = [
    ['{"detail":"No."}', 'No.'],
    ['{"list":["Unknown list.","x"]}', 'Unknown list.'],
    ['{"a":{"b":["Deep."]}}', 'Deep.'],
    ['["Bare."]', 'Bare.'],
    ['{}', ''],
    ['<html>', ''],
  ]
  for (const [body, detail] of details)
    it(`find “${detail}” in ${body}`, () => assert.equal(detailOf(body), detail))
})
