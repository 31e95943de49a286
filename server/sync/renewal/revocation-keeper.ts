import sql, { join, type Sql } from 'sql-template-tag'
import type { Transactions } from '../../resource/transactions.ts'
import { rememberRefusal } from '../../services/checkin/upstream-refusals.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { selectPositions, ticketOf } from '../../services/orders/positions.ts'
import type { Cells, Database, Queryable } from '../../storage/database.ts'

const perStep = 500

/** A code that is refused as revoked; of one whose refusal was kept, the ticket as it was described then. */
interface Revoked {
  readonly rowid_: number
  readonly organizer: number
  readonly event: number
  readonly code: string
  readonly ticket: string | null
}

const sources = [
  sql`SELECT rowid AS rowid_, organizer, event, secret AS code, NULL AS ticket FROM revoked_secret`,
  sql`SELECT rowid AS rowid_, organizer, event, code, ticket FROM kept_refusal WHERE reason = 'revoked'`,
]

/** Revoked codes are refused on all lists. */
const everyList = 0

const codesOf = (rows: readonly Revoked[]): readonly string[] => rows.map(({ code }) => code)

const among = (codes: readonly string[]): Sql => sql`(${join([...codes])})`

/** Codes are those of one event each. */
const keyOf = (event: unknown, code: unknown): string => `${event} ${code}`

/** The tickets that have some of these codes, by event and code. */
async function holders(
  db: Queryable,
  organizer: number,
  codes: readonly string[],
): Promise<ReadonlyMap<string, PositionCells>> {
  if (codes.length === 0) return new Map()
  const found = await selectPositions(
    db,
    sql`p.organizer = ${organizer} AND p.secret IN ${among(codes)}`,
    sql`p.id`,
  )
  return new Map(found.map((cells) => [keyOf(cells.event, cells.secret), cells]))
}

/**
 * Makes what keeps, in a new copy of the data, the refusal of codes that are known as revoked in the one in use while
 * they are the codes of tickets in the new one, which is older then: nobody gives a revoked code back. They are refused
 * until news of their tickets come. Called again, it goes on where it has come to.
 */
export function revocationKeeper(from: Database, to: Transactions): () => Promise<void> {
  const reached = sources.map(() => 0)

  async function keep(organizer: number, rows: readonly Revoked[]): Promise<void> {
    const known = await to.database.all<Cells>(
      sql`SELECT event, secret FROM revoked_secret WHERE organizer = ${organizer} AND secret IN ${among(codesOf(rows))}`,
    )
    const knownKeys = new Set(known.map(({ event, secret }) => keyOf(event, secret)))
    const lacking = rows.filter(({ event, code }) => !knownKeys.has(keyOf(event, code)))
    if (lacking.length === 0) return
    const now = await holders(to.database, organizer, codesOf(lacking))
    const before = await holders(from, organizer, codesOf(lacking.filter(({ ticket }) => ticket !== null)))
    await to.write(async (tx) => {
      for (const { event, code, ticket } of lacking) {
        const key = keyOf(event, code)
        const [old, cells] = [before.get(key), now.get(key)]
        // A refusal that was kept ends with news of its ticket, and is not taken up again then.
        const holds = ticket === null || (old && JSON.stringify(ticketOf(old)) === ticket)
        if (cells && holds)
          await rememberRefusal(tx, cells, {
            ticket: ticketOf(cells),
            list: everyList,
            code,
            reason: 'revoked',
          })
      }
    })
  }

  return async () => {
    for (const [index, source] of sources.entries())
      for (;;) {
        const part = sql`SELECT * FROM (${source}) WHERE rowid_ > ${reached[index] ?? 0} ORDER BY rowid_ LIMIT ${perStep}`
        const rows = await from.all<Revoked>(part)
        const last = rows.at(-1)
        if (!last) break
        for (const [organizer, some] of Map.groupBy(rows, (row) => row.organizer)) await keep(organizer, some)
        reached[index] = last.rowid_
      }
  }
}
