import sql from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import type { Tx } from '../../server/resource/transactions.ts'
import type { Database } from '../../server/storage/database.ts'
import { create, fillWorld } from '../fixtures/world.ts'
import {
  addEvent,
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../support/servers/servers.ts'
import { addDevice } from '../support/ticketing/tickets.ts'
import { marked, type Owner } from './canaries.ts'
import { Recollection } from './memory.ts'
import type { Request } from './requests.ts'
import { stock } from './stock.ts'
import type { Other } from './strangers.ts'

/** Above every number that bodies count with. */
export const leastId = 700_000_000

const chosen = { all_events: false, limit_events: ['gala', 'tour'] }

/** Who asks: a team and two devices of `acme` that may enter two of its events. */
export const callers = [
  ...Array.from({ length: 12 }, () => 'Token mine'),
  ...['Device till', 'Device till', 'Device gate'],
]

/** A server with two organizers, and with an event of the first that the callers may not enter. */
export interface TwoOrganizers {
  readonly server: TestServer
  readonly own: Recollection
  readonly others: readonly [Other, Other]
  /** Whose rows are not for the callers: the other organizer's, and those of the one event. */
  readonly owners: readonly [Owner, Owner]
  /** What filled the first organizer, without the one event. */
  readonly written: readonly Request[]
}

/** Fills an empty database with two organizers; all that people read of the other one, or in the one event, is marked. */
export async function makeTwoOrganizers(database: Database): Promise<TwoOrganizers> {
  await database.run(sql`INSERT INTO node (id, site, next_id, epoch) VALUES (1, 0, ${leastId}, 'made-up')`)
  const server = await startTestServer(database)
  const { organizer } = server
  const world = await fillWorld(server)
  const { zenith, gala, veiled } = await server.running.transactions.write((tx) => addOthers(tx, organizer))
  const kept = await keptOf(database)

  const own = new Recollection(kept)
  const written: Request[] = []
  await stock(world, own, filling(server, own, written))

  const org = '/api/v1/organizers/zenith'
  const theirs = markedBy(
    { ...server, organizer: zenith, event: gala, org, ev: `${org}/events/gala` },
    'theirs',
  )
  const their = new Recollection(kept, 'zenith')
  await stock(await fillWorld(theirs), their, filling(theirs, their), 29_000)

  const hidden = new Recollection(kept)
  const ev = `${server.org}/events/veiled`
  await fillVeiled(markedBy({ ...server, event: veiled, ev }, 'all'), hidden)
  return {
    server,
    own,
    others: [
      { memory: their, only: null },
      { memory: hidden, only: 'veiled' },
    ],
    owners: [{ organizer: zenith }, { organizer, event: veiled }],
    written,
  }
}

async function addOthers(tx: Tx, organizer: number) {
  await addToken(tx, organizer, 'mine', { ...allRights, ...chosen })
  await addDevice(tx, organizer, 91, 'till', chosen)
  await addDevice(tx, organizer, 92, 'gate', { ...chosen, security_profile: 'gate' })
  const zenith = await addOrganizer(tx, 'zenith')
  await addToken(tx, zenith, 'theirs', allRights)
  await addDevice(tx, zenith, 93, 'theirs-till', { all_events: true })
  return {
    zenith,
    gala: await addEvent(tx, zenith, 'gala', { name: { en: 'qzx999999 gala' } }),
    veiled: await addEvent(tx, organizer, 'veiled', { name: { en: 'qzx999998 veiled' } }),
  }
}

/** What no request may end, or nobody could ask any more. */
async function keptOf(database: Database): Promise<Set<string>> {
  const teams = await database.all<RowData>(sql`SELECT id FROM team`)
  const tokens = await database.all<RowData>(sql`SELECT id FROM team_token`)
  return new Set([
    ...teams.map(({ id }) => `team ${id}`),
    ...tokens.map(({ id }) => `team_token ${id}`),
    ...['device 91', 'device 92'],
  ])
}

/** The same server as somebody asks it who marks all that people read, and the codes of orders that they choose. */
function markedBy(server: TestServer, token: string): TestServer {
  const recoded = (text: string) => text.replaceAll('AAAAA', 'QZXAA').replaceAll('CCCCC', 'QZXCC')
  let last = 100_000
  const next = () => {
    last += 1
    return last
  }
  return {
    ...server,
    call: (method, path, body, headers = {}) => {
      const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
      // Properties are referred to by their names.
      const text = /meta_properties\//.test(path) ? value : marked(value, next)
      return server.call(method, recoded(path), text === undefined ? text : recoded(JSON.stringify(text)), {
        Authorization: `Token ${token}`,
        ...headers,
      })
    },
  }
}

/** Sends what fills a world, remembers what is there by it, and notes what was taken. */
const filling =
  (through: TestServer, memory: Recollection, written: Request[] = []) =>
  async (request: Request): Promise<number> => {
    const { status, body } = await through.call(request.method, request.path, request.body, request.headers)
    memory.learn(request, status, body)
    if (status < 300 && request.body) written.push(request)
    return status
  }

async function fillVeiled(server: TestServer, memory: Recollection): Promise<void> {
  const send = filling(server, memory)
  const { ev } = server
  const look = (path: string) => send({ method: 'GET', path: `${ev}/${path}/`, body: undefined, headers: {} })
  const add = async (path: string, body: RowData): Promise<number> => {
    const { id } = await create(server, `${ev}/${path}/`, body)
    await look(path)
    return Number(id)
  }
  const category = await add('categories', { name: 'Seats' })
  const tax_rule = await add('taxrules', { name: 'VAT', rate: '7' })
  const item = await add('items', { name: 'Ticket', default_price: '9.00', category, tax_rule })
  await add('quotas', { name: 'All', size: 50, items: [item] })
  await add('questions', { question: 'Hat size?', type: 'S', items: [item] })
  const list = await add('checkinlists', { name: 'Back door' })
  await add('vouchers', { code: 'QZXVOUCHER', item })
  await add('cartpositions', { item, price: '9.00' })
  const sold = { email: 'eve@example.org', payment_provider: 'manual', positions: [{ item }] }
  for (const status of ['p', 'n']) await create(server, `${ev}/orders/`, { ...sold, status })
  await look('orders')
  memory.enter('veiled')
  const [secret] = memory.of('secret')
  await server.call('POST', `${server.org}/checkinrpc/redeem/`, { secret, lists: [list] })
}
