import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { amount } from '../support/mocha/amount.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'
import { seeded } from '../support/ticketing/messy-guest-list.ts'
import { addItem, addList, addOrder } from '../support/ticketing/tickets.ts'

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))
const kills = amount(50, 3)
const clients = 16
/** More than can be used up before a kill. */
const tickets = 20_000

interface Served {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts the real server on a folder; resolves once it says where it answers. */
function serve(folder: string): Promise<Served> {
  const child = spawn(process.execPath, [cli, 'serve', '--data', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve({ child, url: JSON.parse(text).url })
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
  })
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

describe('a server that is killed in the middle of its work', function () {
  this.timeout(120_000 + kills * 15_000)
  let folder: string
  let list: number
  let running: ChildProcess | undefined

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-kill-'))
    const database = await openDatabase(folder)
    const transactions = await openData(database, realEnv)
    await transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'acme')
      await addToken(tx, organizer, 'all', allRights)
      const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
      const item = await addItem(tx, place, 'Ticket')
      list = await addList(tx, place, 'Main')
      const positions = Array.from({ length: tickets }, (_, index) => ({ item, secret: `kill-${index}` }))
      await addOrder(tx, place, positions)
    })
    await transactions.release()
    await database.close()
  })
  after(async () => {
    running?.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })

  /** Redeems a code under a nonce that is its own; whether it was admitted, or nothing where no answer came. */
  const redeem = (url: string, agent: Agent, index: number): Promise<boolean | undefined> =>
    new Promise((resolve) => {
      const asking = request(
        `${url}/api/v1/organizers/acme/checkinrpc/redeem/`,
        {
          method: 'POST',
          agent,
          headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
        },
        (answer) => {
          answer.resume()
          answer.on('end', () => resolve(answer.complete ? answer.statusCode === 201 : undefined))
          answer.on('error', () => resolve(undefined))
        },
      )
      asking.on('error', () => resolve(undefined))
      asking.end(JSON.stringify({ secret: `kill-${index}`, lists: [list], nonce: `nonce-${index}` }))
    })

  /** The passes that are stored, by their codes; throws where a code has two or the file is damaged. */
  function storedPasses(): Set<string> {
    const file = new Sqlite(join(folder, 'gatehouse.sqlite'), { readonly: true })
    try {
      assert.deepEqual(file.pragma('integrity_check', { simple: true }), 'ok')
      assert.deepEqual(file.pragma('foreign_key_check'), [])
      const codes = file
        .prepare('SELECT raw_barcode FROM checkin WHERE successful = 1')
        .pluck()
        .all() as string[]
      const unique = new Set(codes)
      assert.equal(unique.size, codes.length, 'a ticket was admitted twice')
      const changes = file.prepare("SELECT count(*) FROM change WHERE resource = 'checkin'").pluck().get()
      assert.equal(changes, codes.length, 'a check-in is missing from the change feed')
      const orphans = file
        .prepare("SELECT count(*) FROM audit WHERE action = 'ticketsvc.event.checkin'")
        .pluck()
      assert.equal(orphans.get(), codes.length, 'a check-in is missing from the audit trail')
      return unique
    } finally {
      file.close()
    }
  }

  it(`loses no acknowledged check-in and doubles none, killed ${kills} times`, async () => {
    const draw = seeded(9)
    const acknowledged = new Set<string>()
    let unanswered: number[] = []
    let next = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, url } = await serve(folder)
      running = child
      const agent = new Agent({ keepAlive: true, maxSockets: clients })
      // Whoever got no answer asks again, as a station does.
      for (const index of unanswered) {
        assert.equal(await redeem(url, agent, index), true)
        acknowledged.add(`kill-${index}`)
      }
      const due = 10 + Math.floor(draw() * 150)
      let answered = 0
      let alive = true
      const lost: number[] = []
      const client = async (): Promise<void> => {
        while (alive) {
          const index = next
          next += 1
          const admitted = await redeem(url, agent, index)
          if (admitted === undefined) {
            lost.push(index)
            return
          }
          assert.equal(admitted, true)
          acknowledged.add(`kill-${index}`)
          answered += 1
          if (answered === due) {
            alive = false
            child.kill('SIGKILL')
          }
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      await ended(child)
      agent.destroy()
      unanswered = lost
      const stored = storedPasses()
      for (const code of acknowledged) assert.ok(stored.has(code), `${code} was acknowledged and is gone`)
      assert.ok(stored.size <= acknowledged.size + unanswered.length)
    }
    assert.ok(acknowledged.size > kills * 10)
    assert.ok(next < tickets)
  })
})
