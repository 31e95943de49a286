import type { Database } from '../../../server/storage/database.ts'

/** The same database, with something to be done before it is closed, and after. */
export const thenClean = (
  database: Database,
  after: () => Promise<void>,
  before: () => Promise<void> = async () => {},
): Database => ({
  engine: database.engine,
  all: (statement) => database.all(statement),
  get: (statement) => database.get(statement),
  run: (statement) => database.run(statement),
  remembered: (key, load) => database.remembered(key, load),
  transaction: (work, turn) => database.transaction(work, turn),
  timeBy: (timing) => database.timeBy?.(timing),
  script: (text) => database.script(text),
  async close() {
    await before()
    await database.close()
    await after()
  },
})
