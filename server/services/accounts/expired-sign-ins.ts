import sql, { type Sql } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { revokeGrantsOf } from './oauth-grants.ts'
import { sessionLimits } from './sessions.ts'

const oneDay = 86_400

/** Deletes what nobody can sign in or get in with any more: logins, links, codes, tokens and counted attempts; how much. */
export async function forgetOldSignIns(transactions: Transactions, now: string): Promise<number> {
  const before = (seconds: number): string => instantAt(microsecondsOf(now) - seconds * 1e6)
  const { database, site } = transactions
  if (site !== 0) return 0
  const ended: readonly Sql[] = [
    sql`DELETE FROM user_session WHERE created <= ${before(sessionLimits.absolute)} OR seen <= ${before(sessionLimits.idle)}`,
    sql`DELETE FROM password_reset WHERE expires <= ${now}`,
    sql`DELETE FROM sign_in_attempt WHERE resets <= ${now}`,
    sql`DELETE FROM oauth_token WHERE kind = 'access' AND expires <= ${now}`,
    // Codes are known for a day, so that one that is shown again is noticed.
    sql`DELETE FROM oauth_code WHERE expires <= ${before(oneDay)}`,
  ]
  let count = 0
  for (const statement of ended) count += await database.run(statement)
  const idle = sql`created <= ${before(oneDay)} AND id NOT IN (SELECT grant_id FROM oauth_token)
    AND id NOT IN (SELECT grant_id FROM oauth_code)`
  return count + (await transactions.write((tx) => revokeGrantsOf(tx, idle)))
}
