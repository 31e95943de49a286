import sql from 'sql-template-tag'
import type { Database } from '../../storage/database.ts'

/** How often was asked, by whom it counts for. */
export type Uses = ReadonlyMap<string, number>

/** Milliseconds for which the others can take what was used here. */
const keptFor = 120_000

/** One of the servers of a database. */
interface RateServer {
  /** What no other is named. */
  readonly self: string
  /** The moment so many milliseconds ago. */
  readonly before: (milliseconds: number) => string
}

interface UseRow {
  readonly server: string
  readonly number: number
  readonly uses: string
}

/**
 * Has a server of a database exchange with the others how often they were asked: the result gives them what was used here,
 * and what was used there since the last time.
 */
export function exchangeRates(
  database: Pick<Database, 'transaction' | 'all'>,
  { self, before }: RateServer,
): (uses: Uses) => Promise<Uses> {
  let sent = 0
  /** The newest of each other server that was taken. */
  const taken = new Map<string, number>()

  async function send(uses: Uses, since: string): Promise<void> {
    const text = JSON.stringify(Object.fromEntries(uses))
    // Given to nothing else, also where nobody knows whether this was stored.
    sent += 1
    await database.transaction(async (tx) => {
      await tx.run(sql`DELETE FROM rate_use WHERE "at" <= ${since}`)
      await tx.run(
        sql`INSERT INTO rate_use ("server", "number", "at", "uses")
            VALUES (${self}, ${sent}, ${before(0)}, ${text})`,
      )
    })
  }

  return async (uses) => {
    const since = before(keptFor)
    if (uses.size > 0) await send(uses, since)
    const rows = await database.all<UseRow>(
      sql`SELECT "server", "number", "uses" FROM rate_use
          WHERE "at" > ${since} AND "server" <> ${self} ORDER BY "server", "number"`,
    )
    const others = new Map<string, number>()
    for (const { server, number, uses: text } of rows) {
      if (number <= (taken.get(server) ?? 0)) continue
      taken.set(server, number)
      for (const [key, count] of Object.entries<number>(JSON.parse(text)))
        others.set(key, (others.get(key) ?? 0) + count)
    }
    return others
  }
}
