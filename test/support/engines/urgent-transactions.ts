import type { Database } from '../../../server/storage/database.ts'

/** Counts the transactions of a database that are urgent, from now on. */
export function countUrgent(database: Database): { count: number } {
  const urgent = { count: 0 }
  const transaction: Database['transaction'] = database.transaction.bind(database)
  database.transaction = (work, turn) => {
    if (turn?.isUrgent) urgent.count += 1
    return transaction(work, turn)
  }
  return urgent
}
