import assert from 'node:assert/strict'
import { realEnv } from '../../server/env.ts'
import { readTraceparent } from '../../server/http/monitoring/traces.ts'
import { engines } from '../support/engines/engines.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'
import { keepLog } from '../support/servers/log-lines.ts'
import { startPair, until } from '../support/servers/nodes.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import { startHookServer } from '../support/servers/webhooks.ts'

const id = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${id}-00f067aa0ba902b7-01`

describe('the number of a trace', () => {
  const headers: readonly [given: string, read: string | undefined][] = [
    [traceparent, traceparent],
    [`00-${id}-00f067aa0ba902b7-00`, `00-${id}-00f067aa0ba902b7-00`],
    // Of later versions the part that is known is read.
    [`01-${id}-00f067aa0ba902b7-01-more`, traceparent],
    [`00-${id}-00f067aa0ba902b7-01-more`, undefined],
    [`ff-${id}-00f067aa0ba902b7-01`, undefined],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    [`00-${id}-${'0'.repeat(16)}-01`, undefined],
    [traceparent.toUpperCase(), undefined],
    [`${traceparent} `, undefined],
    ['', undefined],
  ]
  for (const [given, read] of headers)
    it(`is ${read === undefined ? 'not read' : 'read'} from "${given}"`, () => {
      assert.equal(readTraceparent(given), read)
    })
})

for (const { name, open } of engines)
  describe(`a request that comes with the number of a trace, on ${name}`, () => {
    it('has it in every line of the log, and in the messages to webhooks, also when they are sent again', async () => {
      const { log, lines } = keepLog()
      const env = makeHandEnv()
      const server = await startHookServer({ database: await open(), env, log })
      const receiver = await startReceiver()
      receiver.answer = (response, _, before) => response.writeHead(before === 0 ? 500 : 200).end()
      const { id: hook } = await server.hook(receiver.url)
      await server.admit('a', { traceparent })
      await server.admit('b', { traceparent: 'nothing that is one' })
      await server.attempts(hook, 2, env)
      env.pass(3_600_000)
      await server.attempts(hook, 3, env)
      assert.deepEqual(receiver.received.map(({ headers }) => headers.traceparent).toSorted(), [
        traceparent,
        traceparent,
        undefined,
      ])
      assert.deepEqual(
        lines.filter(({ event }) => event === 'scan').map(({ trace }) => trace),
        [id, undefined],
      )
      // Nothing that goes on by itself belongs to whoever came by when it was begun.
      assert.deepEqual(
        lines.filter(({ event, trace }) => event !== 'scan' && trace !== undefined),
        [],
      )
      await server.close()
      await receiver.close()
    })
  })

describe('a message to a webhook that is given up', () => {
  it('is found in the log by the trace that it belongs to', async () => {
    const { log, lines } = keepLog()
    const server = await startHookServer({ log })
    const receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(410).end()
    const { id: hook } = await server.hook(receiver.url)
    await server.admit('a', { traceparent })
    await server.attempts(hook, 1)
    await until('the line', () => lines.some(({ event }) => String(event).startsWith('webhook disabled')))
    const line = lines.find(({ event }) => String(event).startsWith('webhook disabled'))
    assert.equal(line?.trace, id)
    await server.close()
    await receiver.close()
  })
})

describe('a request that a station passes up', () => {
  it('keeps the number of its trace', async () => {
    const sent: (string | null)[] = []
    const fetchNoting: typeof fetch = (input, init) => {
      if (init?.method === 'PATCH') sent.push(new Headers(init.headers).get('traceparent'))
      return realEnv.fetch(input, init)
    }
    const { central, station, venue } = await startPair(['code'], { env: { ...realEnv, fetch: fetchNoting } })
    const path = `/api/v1/organizers/acme/events/gala/checkinlists/${venue.list}/`
    const headers = { Authorization: 'Token all', traceparent }
    const { status } = await station.call('PATCH', path, { name: 'South' }, headers)
    assert.equal(status, 200)
    assert.deepEqual(sent, [traceparent])
    await station.close()
    await central.close()
  })
})
