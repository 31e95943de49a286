import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { webhook } from '../../schema/resources/notifications/webhook.ts'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { serveCli, temporaryFolders } from '../support/servers/cli.ts'
import { type Received, type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'
import { seeded } from '../support/ticketing/messy-guest-list.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addItem, addList, addOrder } from '../support/ticketing/tickets.ts'

const kills = 9
const clients = 8
const tickets = 4000

/** How a receiver may be in the middle of a message when the server is killed. */
const moments = ['before its answer', 'after its answer', 'whenever'] as const

describe('a server that is killed while it tells webhooks', function () {
  this.timeout(600_000)
  const newFolder = temporaryFolders('gatehouse-kill-webhooks')
  let folder: string
  let list: number
  let receiver: Receiver
  let running: ChildProcess | undefined

  before(async () => {
    folder = newFolder()
    receiver = await startReceiver()
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
      for (const path of ['one', 'two'])
        await addRow(
          tx,
          webhook,
          { organizer, event: 0 },
          {
            target_url: receiver.url + path,
            all_events: true,
            action_types: ['ticketsvc.event.checkin'],
            signing_secret: 'whsec_AAAA',
          },
        )
    })
    await transactions.release()
    await database.close()
  })
  after(async () => {
    running?.kill('SIGKILL')
    await receiver.close()
  })

  const redeem = (url: string, agent: Agent, index: number): Promise<boolean> =>
    new Promise((resolve) => {
      const headers = { Authorization: 'Token all', 'Content-Type': 'application/json' }
      const asking = request(
        `${url}/api/v1/organizers/acme/checkinrpc/redeem/`,
        { method: 'POST', agent, headers },
        (answer) => {
          answer.resume()
          answer.on('end', () => resolve(answer.complete && answer.statusCode === 201))
          answer.on('error', () => resolve(false))
        },
      )
      asking.on('error', () => resolve(false))
      asking.end(JSON.stringify({ secret: `kill-${index}`, lists: [list], nonce: `nonce-${index}` }))
    })

  /** The numbers of what happened, by the file. */
  function stored(): string[] {
    const file = new Sqlite(join(folder, 'gatehouse.sqlite'), { readonly: true })
    try {
      const ids = file.prepare("SELECT id FROM audit WHERE action = 'ticketsvc.event.checkin' ORDER BY id")
      return (ids.pluck().all() as number[]).map((id) => `msg_${id}`)
    } finally {
      file.close()
    }
  }

  it(`tells each of everything at least once, killed ${kills} times`, async () => {
    const draw = seeded(7)
    const serve = async () => {
      const served = await serveCli(['--data', folder, '--webhook-network', '127.0.0.0/8'])
      running = served.child
      return served
    }
    const answered: Received[] = []
    let acknowledged = 0
    let next = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, url } = await serve()
      const exited = once(child, 'exit')
      const due = receiver.received.length + 5 + Math.floor(draw() * 40)
      const moment = moments[kill % moments.length]
      let held = 0
      receiver.answer = (response, message, before) => {
        const isDue = before >= due
        if (isDue && moment === 'before its answer') {
          // What was not answered was not taken.
          held += 1
          if (held === 3) child.kill('SIGKILL')
          return
        }
        answered.push(message)
        response.end()
        if (isDue && moment === 'after its answer') child.kill('SIGKILL')
        if (isDue && moment === 'whenever') setImmediate(() => child.kill('SIGKILL'))
      }
      const agent = new Agent({ keepAlive: true, maxSockets: clients })
      const client = async (): Promise<void> => {
        while (child.exitCode === null && child.signalCode === null) {
          const index = next
          next += 1
          if (!(await redeem(url, agent, index))) return
          acknowledged += 1
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      await exited
      agent.destroy()
    }
    receiver.answer = (response, message) => {
      answered.push(message)
      response.end()
    }
    const happened = stored()
    assert.ok(happened.length >= acknowledged)
    const missing = (): string[] =>
      ['/one', '/two'].flatMap((path) => {
        const delivered = new Set(
          answered.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id']),
        )
        return happened.filter((id) => !delivered.has(id))
      })
    const before = missing().length
    const { stop } = await serve()
    for (let left = missing().length; left > 0; left = missing().length)
      await receiver.until(receiver.received.length + 1)
    await stop()
    const bodies = new Map<string, string>()
    for (const { headers, body } of receiver.received) {
      const id = String(headers['webhook-id'])
      assert.equal(bodies.get(id) ?? body, body, 'the same message says two things')
      assert.equal(`msg_${JSON.parse(body).notification_id}`, id)
      bodies.set(id, body)
    }
    assert.deepEqual(
      [...bodies.keys()].sort(),
      [...happened].sort(),
      'something was sent that did not happen',
    )
    assert.ok(acknowledged > kills * 3, `only ${acknowledged} check-ins were acknowledged`)
    assert.ok(before > 0, 'nothing was left to be reported after the last kill')
  })
})
