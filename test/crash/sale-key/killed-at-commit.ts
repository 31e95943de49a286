import Sqlite from 'better-sqlite3'
import pg from 'pg'

// Loaded into a server before its program: it is killed as it commits the first transaction that sells something.
const isAfter = process.env.GATEHOUSE_TEST_KILLED === 'after'
const isSale = /^\s*INSERT INTO "?orders"?[ (]/
let sells = false

const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const prepare: (this: Sqlite.Database, text: string) => Sqlite.Statement = Sqlite.prototype.prepare
Object.assign(Sqlite.prototype, {
  prepare(this: Sqlite.Database, text: string) {
    const statement = prepare.call(this, text)
    const run: (...values: readonly unknown[]) => Sqlite.RunResult = statement.run.bind(statement)
    if (text === 'COMMIT')
      statement.run = () => {
        if (sells && !isAfter) die()
        const done = run()
        if (sells) die()
        return done
      }
    if (isSale.test(text))
      statement.run = (...values: readonly unknown[]) => {
        sells = true
        return run(...values)
      }
    return statement
  },
})

/** The connections whose transaction sells: others commit meanwhile, such as what says that this server is at it. */
const selling = new WeakSet<pg.Client>()

const query: (this: pg.Client, statement: { text: string }) => Promise<unknown> = pg.Client.prototype.query
Object.assign(pg.Client.prototype, {
  async query(this: pg.Client, statement: { text: string }) {
    if (isSale.test(statement.text)) selling.add(this)
    const commits = selling.has(this) && statement.text === 'COMMIT'
    if (commits && !isAfter) die()
    const done = await query.call(this, statement)
    if (commits) die()
    return done
  },
})
