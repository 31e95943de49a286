import Sqlite from 'better-sqlite3'
import { folded } from '../../server/storage/search.ts'
import type { Times } from './decision.ts'
import { median, percentile } from './figures.ts'
import { startClients, startOurs } from './programs.ts'
import type { Venue } from './venue.ts'

const rounds = 5
const searchesPerRound = 200
/** A search counts when its look-up alone takes less than this many milliseconds. */
const quickLookUp = 2

/** What a search over HTTP costs, and its look-up in the full-text index alone. */
interface SearchTimes {
  readonly ours: Times
  readonly raw: Times
}

const timesOf = (measured: readonly (readonly number[])[]): Times => ({
  p50: median(measured.map((round) => percentile(round, 0.5))),
  p99: median(measured.map((round) => percentile(round, 0.99))),
})

/** What people type at a desk: names in whole and in part, e-mail addresses, order codes, beginnings of ticket codes. */
function wordsOf(database: Sqlite.Database): string[] {
  const rows = database
    .prepare(
      `SELECT p.attendee_name AS name, p.attendee_email AS email, p.secret, o.code FROM order_position p
       JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id ORDER BY p.secret LIMIT ?`,
    )
    .all((rounds + 1) * searchesPerRound) as { name: string; email: string; secret: string; code: string }[]
  return rows.map(({ name, email, secret, code }, index) => {
    const family = name.split(' ').at(-1) ?? name
    const kinds = [family, name, family.slice(0, 5), email.slice(0, 9), code, secret.slice(0, 8)]
    return kinds[index % kinds.length] ?? name
  })
}

const pathFor = (list: number, word: string): string =>
  `/api/v1/organizers/acme/checkinrpc/search/?list=${list}&search=${encodeURIComponent(word)}`

const requestFor = (list: number, word: string): string =>
  [`GET ${pathFor(list, word)} HTTP/1.1`, 'Host: 127.0.0.1', 'Authorization: Token all', '', ''].join('\r\n')

/** Makes sure that what is measured does find somebody. */
async function findSomebody(port: number, list: number, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const address = `http://127.0.0.1:${port}${pathFor(list, word)}`
    const answer = await fetch(address, { headers: { Authorization: 'Token all' } })
    const { count } = (await answer.json()) as { count: number }
    if (!(count > 0)) throw new Error(`The search for ${word} found nobody.`)
  }
}

/** Measures searches of one client over HTTP, in turns with the look-ups that they begin with. */
export async function measureSearch(venue: Venue): Promise<SearchTimes> {
  const server = await startOurs(venue.folder)
  const clients = startClients()
  const database = new Sqlite(venue.file, { readonly: true })
  const lookUp = database.prepare(
    'SELECT rowid FROM position_search WHERE position_search MATCH ? LIMIT 1000',
  )
  const timeOf = (word: string): number => {
    const start = performance.now()
    lookUp.all(`"${folded(word).replaceAll('"', '""')}"`)
    return performance.now() - start
  }
  const words = wordsOf(database).filter((word) => Math.min(timeOf(word), timeOf(word)) < quickLookUp)
  await findSomebody(server.port, venue.list, words.slice(0, 12))
  const ours: number[][] = []
  const raw: number[][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const asked = words.slice(round * searchesPerRound, (round + 1) * searchesPerRound)
    const requests = asked.map((word) => requestFor(venue.list, word))
    const { latencies } = await clients.ask({
      port: server.port,
      connections: 1,
      requests,
      expected: 'HTTP/1.1 200',
    })
    // The first round only warms up.
    if (round === 0 || asked.length === 0) continue
    ours.push([...latencies])
    raw.push(asked.map(timeOf))
  }
  database.close()
  await clients.stop()
  await server.stop()
  return { ours: timesOf(ours), raw: timesOf(raw) }
}
