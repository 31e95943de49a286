import Sqlite from 'better-sqlite3'

// Loaded into a station before its program: it is killed at a statement that changes something, begins or
// ends a transaction, counted from where a payment is stored.
let left = Number(process.env.GATEHOUSE_TEST_KILLED_AT ?? 0)
let counts = false

const prepare: (this: Sqlite.Database, text: string) => Sqlite.Statement = Sqlite.prototype.prepare

function seen(text: string): void {
  if (text.includes('INSERT INTO till_payment')) counts = true
  // What is read changes nothing: killed there, it is as if killed at the next change.
  if (!counts || /^\s*SELECT/i.test(text)) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

Object.assign(Sqlite.prototype, {
  prepare(this: Sqlite.Database, text: string) {
    const statement = prepare.call(this, text)
    for (const name of ['run', 'get', 'all'] as const) {
      const act: (...values: readonly unknown[]) => unknown = statement[name].bind(statement)
      Object.assign(statement, {
        [name]: (...values: readonly unknown[]) => {
          seen(text)
          return act(...values)
        },
      })
    }
    return statement
  },
})
