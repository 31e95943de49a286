import sql, { join } from 'sql-template-tag'
import type { FactResult } from '../../../schema/sync.ts'
import type { Queryable } from '../../storage/database.ts'
import { later, longestWait } from './outbox.ts'

/** The first wait, in microseconds; each further one is twice as long. */
const shortestWait = 1_000_000

/** How many names a statement lists at most. */
const perStatement = 500

/**
 * How long a fact waits after so many attempts, in microseconds: twice as long each time, by chance up to half less.
 * Timers know whole milliseconds.
 */
const waitAfter = (attempts: number, chance: number): number => {
  const whole = Math.min(longestWait, shortestWait * 2 ** Math.min(attempts, 20))
  return Math.round((whole * (1 - chance / 2)) / 1000) * 1000
}

const textOf = ({ nonce: _, ...rest }: FactResult): string => JSON.stringify(rest)

/**
 * Notes what was answered to facts: those that are known upstream are done, refused ones are parked, the others wait
 * longer each time. `chance` gives numbers from 0 to 1. What is done stays done.
 */
export async function recordResults(
  tx: Queryable,
  results: readonly FactResult[],
  now: string,
  chance: () => number,
): Promise<void> {
  const byText = new Map<string, FactResult[]>()
  for (const result of results) {
    const text = textOf(result)
    byText.set(text, [...(byText.get(text) ?? []), result])
  }
  for (const [text, alike] of byText) {
    const [first] = alike
    if (!first) continue
    const nonces = alike.map(({ nonce }) => nonce)
    for (let start = 0; start < nonces.length; start += perStatement) {
      const some = nonces.slice(start, start + perStatement)
      const answer: Answer = { status: first.status, reason: first.reason ?? null, text, now }
      if (answer.status === 'retry') await postpone(tx, some, answer, chance)
      else await settle(tx, some, answer)
    }
  }
}

/** What facts were answered, as it is stored, and when. */
interface Answer extends Pick<FactResult, 'status'> {
  readonly reason: string | null
  readonly text: string
  readonly now: string
}

async function settle(
  tx: Queryable,
  nonces: readonly string[],
  { status, reason, text, now }: Answer,
): Promise<void> {
  const [state, doneAt] = status === 'rejected' ? ['parked', null] : ['done', now]
  await tx.run(
    sql`UPDATE outbox SET state = ${state}, done_at = ${doneAt}, reason = ${reason}, result = ${text},
          attempts = attempts + 1, retry_at = NULL
        WHERE state <> 'done' AND nonce IN (${join([...nonces])})`,
  )
}

async function postpone(
  tx: Queryable,
  nonces: readonly string[],
  { reason, text, now }: Answer,
  chance: () => number,
): Promise<void> {
  const rows = await tx.all<{ seq: number; attempts: number }>(
    sql`SELECT seq, attempts FROM outbox WHERE state = 'waiting' AND nonce IN (${join([...nonces])})`,
  )
  for (const { seq, attempts } of rows)
    await tx.run(
      sql`UPDATE outbox SET attempts = attempts + 1, reason = ${reason}, result = ${text},
            retry_at = ${later(now, waitAfter(attempts, chance()))} WHERE seq = ${seq}`,
    )
}
