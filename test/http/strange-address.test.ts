import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'

describe('a request whose target is no address', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  async function raw(target: string): Promise<string> {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
    return text(socket)
  }

  for (const target of ['http://[bad', 'http://[bad/api/v1/organizers/'])
    it(`is refused with the headers of every answer: ${target}`, async () => {
      const answer = await raw(target)
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.match(answer, /X-Content-Type-Options: nosniff/i)
      assert.match(answer, /\{"detail":"The address of the request is not valid\."\}/)
    })

  it('is answered where it is an address in full', async () => {
    assert.match(await raw(`${server.url}/api/v1/organizers/`), /^HTTP\/1\.1 401 /)
  })
})
