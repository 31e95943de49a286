import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { type Database, StorageError, type StorageProblem } from '../../server/storage/database.ts'
import { makeWorld, type World } from '../fixtures/world.ts'
import { quickest } from '../support/engines/engines.ts'
import { amount } from '../support/mocha/amount.ts'
import { seed } from '../support/mocha/chance.ts'
import { addToken, type TestServer } from '../support/servers/servers.ts'
import { addDevice } from '../support/ticketing/tickets.ts'
import { pick, seeded } from './invent.ts'
import { Recollection } from './memory.ts'
import { busy, draft, type Request, targets } from './requests.ts'
import { stock } from './stock.ts'

// Some for each operation: what is behind an order or a drawer needs others first.
const requests = amount(50_000, 5 * targets.length, 500)

/** So many failures tell enough. */
const mostWrong = 5

/** A request that is not answered within this is not answered at all; milliseconds. */
const patience = 30_000

async function answered<T>(request: Request, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not answered: ${shown(request)}`)), patience)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

const shown = ({ method, path, body, headers }: Request): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 3000) ?? ''}`

describe(`${requests} requests that the description of the interface makes up`, function () {
  this.timeout(180_000 + requests * 60)
  let world: World
  let server: TestServer
  let memory: Recollection
  let trouble: StorageProblem | null = null

  /** The database, which sometimes cannot write for a moment. */
  const failing = (database: Database): Database => ({
    engine: database.engine,
    all: (statement) => database.all(statement),
    get: (statement) => database.get(statement),
    run: (statement) => database.run(statement),
    remembered: (key, load) => database.remembered(key, load),
    transaction(work, turn) {
      if (trouble) throw new StorageError(trouble, new Error('made up'))
      return database.transaction(work, turn)
    },
    script: (text) => database.script(text),
    close: () => database.close(),
  })

  before(async () => {
    world = await makeWorld({ ...quickest, open: async () => failing(await quickest.open()) })
    server = world.server
    const { database } = server.running.transactions
    const team = await database.get<{ id: number }>(sql`SELECT id FROM team WHERE name = 'all'`)
    const token = await database.get<{ id: number }>(sql`SELECT id FROM team_token WHERE name = 'all'`)
    memory = new Recollection(
      new Set([
        `team ${team?.id}`,
        `team_token ${token?.id}`,
        'device 91',
        'device 92',
        `quota ${world.quotas[0]}`,
        `item ${world.items[0]}`,
      ]),
    )
    await server.running.transactions.write(async (tx) => {
      const { organizer } = server
      await addToken(tx, organizer, 'looker', { all_events: true, can_view_orders: true })
      await addDevice(tx, organizer, 91, 'till', { all_events: true })
      await addDevice(tx, organizer, 92, 'gate', { all_events: true, security_profile: 'gate' })
    })
    await stock(world, memory, send)
  })
  after(() => server.close())

  /** Sends a request; the server's helper compares the answer with the description. */
  async function send(request: Request): Promise<number> {
    const { method, path, body, headers } = request
    const { status, body: answer } = await answered(request, server.call(method, path, body, headers)).catch(
      (cause: unknown) => {
        throw new Error(shown(request), { cause })
      },
    )
    assert.ok(
      status < 500 || (status === 507 && trouble === 'full'),
      `${shown(request)} -> ${status} ${JSON.stringify(answer)}`,
    )
    memory.learn(request, status, answer)
    return status
  }

  it('are answered as it says, none of them with a failure', async () => {
    const reached = new Map<string, Set<number>>()
    const wrong: string[] = []
    for (let index = 0; index < requests; index += 1) {
      const draw = seeded(seed + index)
      // Every operation has its turn, some come more often.
      const target = targets[index % 2 === 0 ? (index / 2) % targets.length : -1] ?? pick(draw, busy)
      const request = draft(draw, target, memory)
      trouble = draw() < 0.95 ? null : pick(draw, ['busy', 'busy', 'busy', 'full'])
      const status = await send(request).catch((cause: Error) => {
        wrong.push(`${index}: ${cause.message} <- ${(cause.cause as Error | undefined)?.message ?? ''}`)
        return 0
      })
      trouble = null
      if (wrong.length >= mostWrong) break
      const seen = reached.get(target.operation.operationId) ?? new Set()
      reached.set(target.operation.operationId, seen.add(status))
    }
    assert.ok(wrong.length === 0, wrong.join('\n\n'))
    assert.equal(await send({ method: 'GET', path: `${world.ev}/`, body: undefined, headers: {} }), 200)
    const fine = [...reached.values()].filter((seen) => [...seen].some((status) => status < 300)).length
    const refused = [...reached.values()].filter((seen) => seen.has(400) || seen.has(404)).length
    // What is only ever refused says little about what is behind it.
    const least = amount(0.6, 0.5, 0.25)
    const text = `of ${targets.length} operations ${fine} succeeded and ${refused} refused`
    assert.ok(fine >= targets.length * least && refused >= targets.length * least, text)
  })
})
