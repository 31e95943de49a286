import assert from 'node:assert/strict'
import type { Env } from '../../server/env.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { type HookServer, startHookServer } from '../support/servers/webhooks.ts'

/** Addresses that are refused as they are written; PORT is one where somebody listens. */
const written = [
  'http://127.0.0.1/',
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.0.0.01:PORT/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  'http:///127.0.0.1/',
  'http://example.org@127.0.0.1/',
  'http://example.org:80@127.0.0.1:PORT/',
  'http://user:pass@127.0.0.1/',
  'http://example.org%2F@127.0.0.1/',
  'ht\ntp://127.0.0.1/',
  'http://0.0.0.0/',
  'http://0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.254/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://192.88.99.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[fe80::1]/',
  'http://[fe80::1%25lo]/',
  'http://[fec0::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
  'http://localhost/',
  'http://LOCALHOST:PORT/',
  'http://localhost./',
  'http://hooks.localhost/',
  'http://ｌｏｃａｌｈｏｓｔ/',
  'http://printer/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://example.org:22/',
  'http://example.org:25/',
  'http://example.org:6379/',
  'http://8.8.8.8:53/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/',
  'ftp://example.org/',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  '//127.0.0.1/',
  'example.org',
  'http://',
  'http://[::1',
  'http://127.0.0.1:99999/',
]

/** What a name may be said to mean by those who own it, none of which is connected to. */
const resolved: Readonly<Record<string, readonly string[]>> = {
  'loopback.example.org': ['127.0.0.1'],
  'loopback-six.example.org': ['::1'],
  'any.example.org': ['0.0.0.0'],
  'private.example.org': ['10.1.2.3'],
  'metadata.example.org': ['169.254.169.254'],
  'carrier.example.org': ['100.64.1.1'],
  'mapped.example.org': ['::ffff:127.0.0.1'],
  'mapped-hex.example.org': ['::ffff:7f00:1'],
  'compatible.example.org': ['::127.0.0.1'],
  'nat64.example.org': ['64:ff9b::7f00:1'],
  'sixtofour.example.org': ['2002:7f00:1::'],
  'teredo.example.org': ['2001:0:7f00:1::'],
  'local-six.example.org': ['fe80::1'],
  'zone.example.org': ['fe80::1%lo'],
  'unique-local.example.org': ['fd00::1'],
  'both.example.org': ['93.184.215.14', '127.0.0.1'],
  'both-families.example.org': ['93.184.215.14', '::1'],
  'nothing.example.org': [],
  'nonsense.example.org': ['not an address'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
}

describe('the targets of webhooks', () => {
  let server: HookServer
  let receiver: Receiver
  const asked: string[] = []
  const posted: string[] = []
  let answer = (name: string): readonly string[] => resolved[name] ?? []
  const base = makeHandEnv()
  const env: Env = {
    ...base,
    async resolve(name) {
      asked.push(name)
      return answer(name)
    },
    post(message) {
      posted.push(message.address)
      return Promise.reject(new Error('Nobody is really called.'))
    },
  }

  before(async () => {
    receiver = await startReceiver()
    server = await startHookServer({ env, config: { webhookNetworks: [] } })
  })
  after(async () => {
    await server.close()
    await receiver.close()
  })
  beforeEach(() => {
    asked.length = 0
    posted.length = 0
  })

  const body = (target_url: string) => ({ target_url, all_events: true, action_types: [] })

  for (const text of written)
    it(`are refused: ${JSON.stringify(text)}`, async () => {
      const made = await server.call(
        'POST',
        `${server.org}/webhooks/`,
        body(text.replace('PORT', `${receiver.port}`)),
      )
      assert.equal(made.status, 400, JSON.stringify(made.body))
      assert.deepEqual(Object.keys(made.body as object), ['target_url'])
      assert.deepEqual([asked, posted, receiver.connections], [[], [], 0])
    })

  for (const [name, addresses] of Object.entries(resolved))
    it(`are not called where a name leads to ${addresses.join(' and ') || 'nothing'}: ${name}`, async () => {
      const { id } = await server.hook(`https://${name}/`)
      await server.admit(name)
      const [attempt] = await server.attempts(id, 1)
      assert.equal(attempt?.return_code, 0)
      assert.match(String(attempt?.error), /not public|no address/)
      assert.ok(attempt?.next_attempt)
      assert.deepEqual([asked, posted, receiver.connections], [[name], [], 0])
      await server.call('DELETE', `${server.org}/webhooks/${id}/`)
    })

  it('are asked for once, and what was found is called, also by a name that changes what it says', async () => {
    let count = 0
    answer = () => {
      count += 1
      return count === 1 ? ['93.184.215.14'] : ['127.0.0.1']
    }
    const { id } = await server.hook('https://rebinding.example.org/')
    await server.admit('rebinding')
    await server.attempts(id, 1)
    assert.deepEqual([asked, posted], [['rebinding.example.org'], ['93.184.215.14']])
    base.pass(5000)
    const [, second] = await server.attempts(id, 2, base)
    assert.match(String(second?.error), /not public/)
    assert.deepEqual([asked.length, posted], [2, ['93.184.215.14']])
    await server.call('DELETE', `${server.org}/webhooks/${id}/`)
  })

  it('are tried at the next of their addresses when it is tried again', async () => {
    answer = () => ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']
    const { id } = await server.hook('https://many.example.org/')
    await server.admit('many')
    await server.attempts(id, 1)
    base.pass(5000)
    await server.attempts(id, 2, base)
    assert.deepEqual(posted, answer(''))
    await server.call('DELETE', `${server.org}/webhooks/${id}/`)
  })

  it('are looked at again at every call, so that one which was allowed once may not be now', async () => {
    const { database } = server.running.transactions
    const { id } = await server.hook('https://example.org/')
    const { raw } = await import('sql-template-tag')
    await database.run(
      raw(`UPDATE webhook SET target_url = 'http://127.0.0.1:${receiver.port}/' WHERE id = ${id}`),
    )
    await server.admit('moved')
    const [attempt] = await server.attempts(id, 1)
    assert.match(String(attempt?.error), /not public/)
    assert.deepEqual([asked, posted, receiver.connections], [[], [], 0])
    await server.call('DELETE', `${server.org}/webhooks/${id}/`)
  })
})
