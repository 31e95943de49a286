import { mostPositions } from '../../schema/bodies/order-create.ts'
import { textLanguages } from '../../schema/multilingual.ts'
import { crowdSecret } from '../support/ticketing/ticket-crowd.ts'
import { percentile } from './figures.ts'
import { startClients, startOurs } from './programs.ts'
import { redeemRequest } from './redeem-http.ts'
import { buildVenue } from './venue.ts'

const doors = 4
const warmUp = 3000
const scansEach = 300

const base = '/api/v1/organizers/acme/events/gala'

/** What somebody with every right may ask for, and what it costs the server most. */
interface HeavyRequest {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  /** How many ask at a time, each again once it is answered. */
  readonly atOnce: number
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** As many conditions as a list may have, all of which are looked at by every scan. */
const heavyRules = {
  and: times(60, { isAfter: [{ var: 'now' }, { buildTime: ['custom', '2000-01-01T10:00:00Z'] }, 0] }),
}

const heavyRequests = (item: number): readonly HeavyRequest[] => [
  {
    name: 'texts in every language',
    method: 'POST',
    path: '/categories/',
    body: { name: Object.fromEntries(textLanguages.map((language) => [language, 'x'.repeat(2000)])) },
    atOnce: 4,
  },
  {
    name: 'lists with the heaviest rules',
    method: 'POST',
    path: '/checkinlists/',
    body: { name: 'Heavy', rules: heavyRules },
    atOnce: 4,
  },
  { name: 'twenty lists of orders with prints', method: 'GET', path: '/orders/?pdf_data=true', atOnce: 20 },
  // Last: lists of many such orders would be no evening's.
  {
    name: `orders of ${mostPositions} positions`,
    method: 'POST',
    path: '/orders/',
    body: { positions: times(mostPositions, { item }), force: true },
    atOnce: 2,
  },
]

/** The 99th percentile of the times of scans, alone and beside something heavy, and how it was answered meanwhile. */
export interface BesideHeavy {
  readonly heavy: string
  readonly quiet: number
  readonly beside: number
  readonly answers: Readonly<Record<string, number>>
}

/** What is asked of one server while it is measured. */
class Asking {
  readonly #url: string
  readonly answers: Record<string, number> = {}
  #isOver = false

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}${base}`
  }

  async once({ method, path, body }: Omit<HeavyRequest, 'name' | 'atOnce'>): Promise<unknown> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.answers[answer.status] = (this.answers[answer.status] ?? 0) + 1
    return answer.json()
  }

  /** Asks again and again until something is done. */
  async beside<T>(heavy: HeavyRequest, work: () => Promise<T>): Promise<T> {
    const again = async (): Promise<void> => {
      while (!this.#isOver) await this.once(heavy)
    }
    const asking = Array.from({ length: heavy.atOnce }, again)
    const result = await work()
    this.#isOver = true
    await Promise.all(asking)
    return result
  }
}

/** Measures scans at a few doors, in turns alone and beside the heaviest requests that are taken. */
export async function measureBesideHeavyRequests(): Promise<readonly BesideHeavy[]> {
  const kinds = heavyRequests(0).length + 1
  const venue = await buildVenue(warmUp + 2 * kinds * scansEach + 1)
  const { port, stop } = await startOurs(venue.folder)
  const clients = startClients()
  let next = 0
  const scan = async (count: number, list = venue.list): Promise<number> => {
    const requests = Array.from({ length: count }, () => {
      next += 1
      return redeemRequest(list, crowdSecret(venue.prefix, next))
    })
    const { latencies } = await clients.ask({ port, connections: doors, requests, expected: 'HTTP/1.1 201' })
    return percentile(latencies, 0.99)
  }
  const first = new Asking(port)
  const items = (await first.once({ method: 'GET', path: '/items/' })) as { results: { id: number }[] }
  const ruled = { name: 'Ruled', rules: heavyRules }
  const list = (await first.once({ method: 'POST', path: '/checkinlists/', body: ruled })) as { id: number }
  await scan(warmUp)
  const measured: BesideHeavy[] = [
    {
      heavy: 'at a list with the heaviest rules',
      quiet: await scan(scansEach),
      beside: await scan(scansEach, list.id),
      answers: {},
    },
  ]
  for (const heavy of heavyRequests(items.results[0]?.id ?? 0)) {
    const quiet = await scan(scansEach)
    const asking = new Asking(port)
    const beside = await asking.beside(heavy, () => scan(scansEach))
    measured.push({ heavy: heavy.name, quiet, beside, answers: asking.answers })
  }
  await clients.stop()
  await stop()
  await venue.clean()
  return measured
}
