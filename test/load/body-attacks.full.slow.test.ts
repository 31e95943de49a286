import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { kibibyte } from '../../schema/body-limits.ts'
import { item as product } from '../../schema/resources/catalogue/item.ts'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import type { AttackOrder, AttackReport, BodyAttack } from '../support/servers/body-attacks.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addItem, addList, addOrder } from '../support/ticketing/tickets.ts'

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))
const attacker = new URL('../support/servers/body-attacks.ts', import.meta.url)

const scansEach = 100
const rounds = 8

/** A scanner gives up after so many milliseconds. */
const patience = 5000

interface Scanning {
  readonly statuses: Readonly<Record<string, number>>
  /** The slowest scan's share of the time that all took together. */
  readonly slowestShare: number
}

describe('scanning while a stranger sends bodies', function () {
  this.timeout(300_000)
  let folder: string
  let list: number
  let server: ChildProcess
  let port: number
  let next = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-attacked-'))
    const database = await openDatabase(folder)
    const transactions = await openData(database, realEnv)
    await transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'acme')
      await addToken(tx, organizer, 'all', allRights)
      await addToken(tx, organizer, 'flood', allRights)
      const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
      const item = await addItem(tx, place, 'Ticket')
      list = await addList(tx, place, 'Main')
      const positions = Array.from({ length: rounds * scansEach }, (_, index) => ({
        item,
        secret: `attacked-${index}`,
      }))
      await addOrder(tx, place, positions)
      const description = { en: 'x'.repeat(240 * kibibyte) }
      for (let count = 0; count < 50; count += 1)
        await addRow(tx, product, place, { name: { en: 'T' }, default_price: '1.00', description })
    })
    await transactions.release()
    await database.close()
    server = spawn(process.execPath, [cli, 'serve', '--data', folder, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(server.stdout ?? server, 'data')
    port = Number(new URL(JSON.parse(String(line)).url).port)
    await scan()
  })
  after(async () => {
    agent.destroy()
    if (server.exitCode === null) {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true })
  })

  const memory = (): number =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' }))

  /** Redeems the next ticket; what came of it. */
  const redeemNext = (): Promise<string> =>
    new Promise((resolve) => {
      const secret = `attacked-${next}`
      next += 1
      const asking = request(
        `http://127.0.0.1:${port}/api/v1/organizers/acme/checkinrpc/redeem/`,
        {
          method: 'POST',
          agent,
          headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
          signal: AbortSignal.timeout(patience),
        },
        (answer) => {
          answer.resume()
          answer.once('end', () => resolve(String(answer.statusCode)))
        },
      )
      asking.once('error', () => resolve('failed'))
      asking.end(JSON.stringify({ secret, lists: [list], nonce: secret }))
    })

  /** Scans one ticket after another. */
  async function scan(): Promise<Scanning> {
    const statuses: Record<string, number> = {}
    const times: number[] = []
    for (let count = 0; count < scansEach && (statuses.failed ?? 0) < 3; count += 1) {
      const began = performance.now()
      const status = await redeemNext()
      times.push(performance.now() - began)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return { statuses, slowestShare: Math.max(...times) / times.reduce((sum, time) => sum + time, 0) }
  }

  /** Scans beside an attack; also the most memory that the server had meanwhile. */
  async function scanBeside(
    attack: BodyAttack,
    credential = '',
  ): Promise<Scanning & { readonly answers: AttackReport; readonly most: number }> {
    const order: AttackOrder = { port, attack, credential }
    const thread = new Worker(attacker, { workerData: order })
    await once(thread, 'online')
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, memory())
    }, 100)
    const scanning = await scan()
    clearInterval(watching)
    thread.postMessage('end')
    const [answers] = await once(thread, 'message')
    await thread.terminate()
    return { ...scanning, answers, most: Math.max(most, memory()) }
  }

  const refusedOnly = (answers: AttackReport): void => {
    assert.ok(Object.keys(answers).length > 0, 'nothing was attacked')
    for (const status of Object.keys(answers))
      assert.match(status, /^(0|4\d\d)$/, `${JSON.stringify(answers)}`)
  }

  for (const attack of ['escaped', 'nested', 'stalled'] as const)
    it(`goes on beside ${attack} bodies from nobody, and memory stays`, async () => {
      const quiet = memory()
      const { statuses, slowestShare, answers, most } = await scanBeside(attack)
      assert.deepEqual(statuses, { 201: scansEach })
      refusedOnly(answers)
      assert.ok(slowestShare < 0.2, `one scan took ${slowestShare.toFixed(2)} of the time of ${scansEach}`)
      assert.ok(most < quiet * 2, `${most} KiB at most, ${quiet} before`)
    })

  it('goes on beside bodies that somebody known leaves unfinished, and memory is bounded', async () => {
    const quiet = memory()
    const { statuses, answers, most } = await scanBeside('stalled', 'Token all')
    assert.deepEqual(statuses, { 201: scansEach })
    refusedOnly(answers)
    assert.ok(most < quiet * 2, `${most} KiB at most, ${quiet} before`)
  })

  it('goes on beside large bodies that somebody known sends all the time, few of which are taken', async () => {
    const { statuses, answers } = await scanBeside('uploads', 'Token flood')
    assert.deepEqual(statuses, { 201: scansEach })
    assert.ok((answers[201] ?? 0) <= 4, `${answers[201]} files of 10 MB beside ${scansEach} scans`)
  })

  it('goes on beside long lists that somebody known asks for and does not read, and memory is bounded', async () => {
    const quiet = memory()
    const { statuses, answers, most } = await scanBeside('unread', 'Token all')
    assert.deepEqual(statuses, { 201: scansEach })
    assert.ok((answers[429] ?? 0) > 0, JSON.stringify(answers))
    assert.ok(most < quiet * 2, `${most} KiB at most, ${quiet} before`)
  })

  it('has its memory back afterwards', async () => {
    const quiet = memory()
    assert.deepEqual((await scan()).statuses, { 201: scansEach })
    assert.ok(memory() < quiet * 1.2)
  })
})
