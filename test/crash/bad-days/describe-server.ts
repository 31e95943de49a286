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

interface LastWords {
  /** Listens to a program. */
  readonly of: (served: Served) => Served
  /** The end of what all of them have logged. */
  readonly end: () => string
  /** The first errors that they have logged. */
  readonly errors: () => string
}

/** Collects what the programs of a test log. */
export function lastWords(): LastWords {
  let log = ''
  let errors = ''
  return {
    of(served) {
      served.child.stderr?.on('data', (part: string) => {
        log = (log + part).slice(-4000)
        for (const line of part.split('\n')) if (line.startsWith('{"level":50,')) errors += `${line}\n`
      })
      return served
    },
    end: () => log,
    errors: () => errors.slice(0, 4000),
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
