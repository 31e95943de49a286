import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from './support/servers/servers.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../docs/examples', import.meta.url))

/** What each example prints, in the order in which they are run. */
const printed: Readonly<Record<string, readonly string[]>> = {
  'set-up-event.ts': ['Summer Fest is open.'],
  'sell-through-a-cart.ts': [
    '100 places are left.',
    '98 are left while two are in a cart.',
    'Sold for 46.00, paid.',
    'Ann Bell has a ticket with a code of 32 letters.',
    'Ben Cole has a ticket with a code of 32 letters.',
    '98 are left.',
  ],
  'waiting-list.ts': [
    '2 people wait.',
    'A place is kept for Ann Bell by a voucher, 1 still waits.',
    'It was sold with that voucher for 30.00.',
  ],
  'receive-a-webhook.ts': [
    'A message from somebody else is answered with 400.',
    'ticketsvc.event.order.paid: dora@example.org has paid 23.00.',
    'The webhook is not called any more.',
  ],
  'give-a-refund.ts': [
    'Paid 23.00 by boxoffice; the order is p.',
    'Gave back 5.00, which is done; the order is n.',
    'Gave back 18.00, which is done; the order is c.',
  ],
}

describe('the examples', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer(undefined, null, { webhookNetworks: ['127.0.0.0/8'] })
  })
  after(() => server.close())

  for (const [name, lines] of Object.entries(printed))
    it(`run: ${name}`, async () => {
      const { stdout, stderr } = await run(process.execPath, [`${folder}/${name}`, server.url, server.token])
      assert.deepEqual([stdout.trim().split('\n'), stderr], [lines, ''])
    })

  it('say what is missing, and what the server says', async () => {
    const failed = async (...args: string[]): Promise<string> => {
      try {
        await run(process.execPath, [`${folder}/waiting-list.ts`, ...args])
        return 'nothing'
      } catch (cause) {
        return (cause as { stderr: string }).stderr
      }
    }
    assert.match(await failed(), /Give the address of the server and a token/)
    assert.match(await failed(server.url, 'wrong'), /was answered with 401/)
  })

  it('are all run here', () => {
    const programs = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'api.ts')
    assert.deepEqual(programs.sort(), Object.keys(printed).sort())
  })
})
