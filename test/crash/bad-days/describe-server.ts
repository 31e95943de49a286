import sql from 'sql-template-tag'
import type { Database } from '../../../server/storage/database.ts'
import type { Served } from '../../support/servers/cli.ts'

/** How ready a server says it is, or why it does not. */
export async function readiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })
    return `${answer.status} ${await answer.text()}`
  } catch (cause) {
    return String(cause)
  }
}

/** Collects what the programs of a test log, and gives the end of it. */
export function lastWords(): { readonly of: (served: Served) => Served; readonly end: () => string } {
  let log = ''
  return {
    of(served) {
      served.child.stderr?.on('data', (part: string) => {
        log = (log + part).slice(-4000)
      })
      return served
    },
    end: () => log,
  }
}

/** What the connections to a PostgreSQL database do and wait for. */
export async function activity(database: Database): Promise<string> {
  try {
    const rows = await database.all(sql`
      SELECT state, wait_event_type, wait_event, CAST(now() - state_change AS text) AS since, left(query, 200) AS query
      FROM pg_stat_activity WHERE datname = current_database()`)
    return rows.map((row) => JSON.stringify(row)).join('\n')
  } catch (cause) {
    return String(cause)
  }
}
