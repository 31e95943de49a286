import Sqlite from 'better-sqlite3'
import { folded } from '../../server/storage/search.ts'
import type { Times } from './decision.ts'
import { median, percentile } from './figures.ts'
import { startOurs } from './programs.ts'
import type { Venue } from './venue.ts'

const rounds = 5
const searchesPerRound = 200

/** What a search over HTTP costs, and its look-up in the full-text index alone. */
export interface SearchTimes {
  readonly ours: Times
  readonly raw: Times
}

const timesOf = (measured: readonly (readonly number[])[]): Times => ({
  p50: median(measured.map((round) => percentile(round, 0.5))),
  p99: median(measured.map((round) => percentile(round, 0.99))),
})

/** Words as people type them at a desk: family names, whole names, order codes and beginnings of ticket codes. */
function wordsOf(database: Sqlite.Database): string[] {
  const rows = database
    .prepare(
      `SELECT p.attendee_name AS name, p.secret AS secret, o.code AS code FROM order_position p
       JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id ORDER BY p.secret LIMIT ?`,
    )
    .all(rounds * searchesPerRound + searchesPerRound) as { name: string; secret: string; code: string }[]
  return rows.map(({ name, secret, code }, index) => {
    const kinds = [name.split(' ').at(-1) ?? name, name, code, secret.slice(0, 8)]
    return kinds[index % kinds.length] ?? name
  })
}

/** Measures searches one after the other over HTTP, in turns with the look-ups that they begin with. */
export async function measureSearch(venue: Venue): Promise<SearchTimes> {
  const server = await startOurs(venue.folder)
  const database = new Sqlite(venue.file, { readonly: true })
  const lookUp = database.prepare('SELECT rowid FROM position_search WHERE position_search MATCH ? LIMIT 50')
  const words = wordsOf(database)
  const ours: number[][] = []
  const raw: number[][] = []
  const base = `http://127.0.0.1:${server.port}/api/v1/organizers/acme/checkinrpc/search/?list=${venue.list}&search=`
  for (let round = 0; round <= rounds; round += 1) {
    const asked = words.slice(round * searchesPerRound, (round + 1) * searchesPerRound)
    const times: number[] = []
    const bare: number[] = []
    for (const word of asked) {
      const start = performance.now()
      const answer = await fetch(base + encodeURIComponent(word), { headers: { Authorization: 'Token all' } })
      const { count } = (await answer.json()) as { count: number }
      times.push(performance.now() - start)
      if (count === 0) throw new Error(`The search for ${word} found nobody.`)
    }
    for (const word of asked) {
      const start = performance.now()
      lookUp.all(`"${folded(word)}"`)
      bare.push(performance.now() - start)
    }
    // The first round only warms up.
    if (round > 0) {
      ours.push(times)
      raw.push(bare)
    }
  }
  database.close()
  await server.stop()
  return { ours: timesOf(ours), raw: timesOf(raw) }
}
