import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import { startJobs } from '../../server/jobs/runner.ts'
import { silentLog } from '../../server/log.ts'
import type { Transactions } from '../../server/resource/transactions.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'

/** Transactions that only say when somebody looks for automatic exits; for other work there is none. */
function countingLooks(look: () => Promise<unknown[]>): Transactions {
  const all = async ({ sql }: Sql) => (sql.includes('exit_all_at') ? look() : [])
  return idle(all)
}

/** Transactions in whose database nothing is found and nothing to be changed, except by some reads. */
function idle(all: (statement: Sql) => Promise<unknown[]>): Transactions {
  const none = async (): Promise<number> => 0
  return {
    site: 0,
    write: none,
    database: { all, get: async () => undefined, run: none },
  } as unknown as Transactions
}

describe('the runner of jobs', () => {
  it('looks for work at the start and every fifteen seconds', async () => {
    const env = makeHandEnv()
    let looks = 0
    const stop = startJobs({
      transactions: countingLooks(async () => {
        looks += 1
        return []
      }),
      env,
      log: silentLog,
    })
    const counts: number[] = []
    for (const milliseconds of [0, 14_999, 1, 15_000, 15_000]) {
      env.pass(milliseconds)
      await turn()
      counts.push(looks)
    }
    await stop()
    assert.deepEqual(counts, [1, 1, 2, 3, 4])
  })

  it('goes on after a failure, which it writes into the log', async () => {
    const env = makeHandEnv()
    const logged: string[] = []
    let looks = 0
    const stop = startJobs({
      transactions: countingLooks(async () => {
        looks += 1
        throw new Error('disk on fire')
      }),
      env,
      log: { ...silentLog, error: (event, fields) => void logged.push(`${event}: ${fields?.stack}`) },
    })
    await turn()
    env.pass(15_000)
    await turn()
    await stop()
    assert.equal(looks, 2)
    assert.equal(logged.length, 2)
    assert.match(String(logged[0]), /job failed: .*disk on fire/)
  })

  it('looks at the start and every hour for deletions that can be forgotten', async () => {
    const env = makeHandEnv()
    let looks = 0
    const all = async ({ sql }: Sql) => {
      if (/mark_at <=/.test(sql)) looks += 1
      return []
    }
    const stop = startJobs({ transactions: idle(all), env, log: silentLog })
    for (let quarter = 0; quarter < 4 * 60 * 2; quarter += 1) {
      await turn()
      env.pass(15_000)
    }
    await turn()
    await stop()
    assert.equal(looks, 3)
  })

  it('stops after the work in progress, and looks for no more', async () => {
    const env = makeHandEnv()
    const { promise, resolve } = Promise.withResolvers<unknown[]>()
    let looks = 0
    const stop = startJobs({
      transactions: countingLooks(() => {
        looks += 1
        return promise
      }),
      env,
      log: silentLog,
    })
    await turn()
    let stopped = false
    const stopping = stop().then(() => {
      stopped = true
    })
    await turn()
    assert.equal(stopped, false)
    resolve([])
    await stopping
    env.pass(60_000)
    await turn()
    assert.deepEqual([looks, env.waiting], [1, 0])
  })
})
