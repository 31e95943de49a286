// A process of its own on a database file: takes ids in transactions, and prints those that were committed.

import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'

const [file = '', count = '', ending] = process.argv.slice(2)
const database = openSqlite(file)
const transactions = await openData(database, realEnv)
const taken: number[] = []
for (let index = 0; index < Number(count); index += 1) {
  const ids = await transactions.write(async (tx) => {
    const own = [tx.nextId(), tx.nextId(), tx.nextId()]
    for (const id of own) tx.changed({ organizer: 1, event: 1 }, 'thing', id, 'put')
    return own
  })
  taken.push(...ids)
}
if (ending === 'orderly') await transactions.release()
process.stdout.write(JSON.stringify(taken))
// Without an orderly end, what was left of the ids is never given out.
process.exit(0)
