import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { type FactResult, type Push, syncHeader } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { instantOf } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import type { QueuedFact } from '../../../server/sync/outbox/outbox.ts'
import { type PushLoop, startPush } from '../../../server/sync/outbox/push.ts'
import type { AskUpstream } from '../../../server/sync/outbox/push-request.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { type HandEnv, makeHandEnv } from '../../support/servers/hand-env.ts'

/** What an upstream server does with a push. */
export type AnswerPush = (push: Push, signal: AbortSignal) => Response | Promise<Response>

/** A station that tells a server what has happened at it; time passes by hand. */
export interface ReportingStation {
  readonly transactions: Transactions
  readonly env: HandEnv
  /** Every push so far. */
  readonly pushes: Push[]
  readonly reported: FactResult[]
  readonly heard: string[]
  /** How often the station was to be loaded anew. */
  readonly rejoins: () => number
  /** Lets things happen at the station; the nonces of the facts. */
  happen(count: number, payload?: (index: number) => object): Promise<string[]>
  start(clockOffset?: number): PushLoop
  /** Waits, without letting time pass, until something is so. */
  until(what: () => boolean | Promise<boolean>): Promise<void>
  /** Waits, without letting time pass, until nothing moves any more. */
  quiet(): Promise<void>
  rows(): Promise<QueuedFact[]>
  /** How many facts are in each state. */
  states(): Promise<Record<string, number>>
  close(): Promise<void>
}

/** An answer of a server of ours. */
export const answer = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { [syncHeader]: '1', ...headers },
  })

/** Says the same of every fact, unless told otherwise. */
export const resultsOf = (push: Push, of: (nonce: string) => Partial<FactResult> = () => ({})): Response =>
  answer({
    protocol: 1,
    results: push.facts.map(({ nonce }) => ({ nonce, status: 'applied', ...of(nonce) })),
  })

/** What a body says, packed or not. */
const pushIn = (headers: Readonly<Record<string, string>>, body: string | Uint8Array): Push =>
  JSON.parse(headers['Content-Encoding'] === 'gzip' ? gunzipSync(body).toString() : String(body))

/** Makes a station below a server that does what is said. */
export async function openReportingStation(upstream: AnswerPush): Promise<ReportingStation> {
  const env = makeHandEnv()
  const database = await openMemory()
  const first = await openData(database, env)
  await first.database.run(sql`UPDATE node SET site = 7 WHERE id = 1`)
  const transactions = await openData(database, env)
  const pushes: Push[] = []
  const reported: FactResult[] = []
  const heard: string[] = []
  let rejoins = 0
  let loop: PushLoop | undefined
  const ask: AskUpstream = async (path, { headers, body, signal }) => {
    assert.equal(path, 'sync/push/')
    const push = pushIn(headers, body)
    pushes.push(push)
    return upstream(push, signal)
  }
  const rows = () => database.all<QueuedFact>(sql`SELECT * FROM outbox ORDER BY seq`)
  return {
    transactions,
    env,
    pushes,
    reported,
    heard,
    rejoins: () => rejoins,
    rows,
    async happen(count, payload = (index) => ({ index })) {
      const nonces: string[] = []
      for (let first = 0; first < count; first += 500)
        await transactions.write(async (tx) => {
          for (let index = first; index < Math.min(count, first + 500); index += 1) {
            const fact = { kind: 'checkin', payload: payload(index) }
            nonces.push(tx.fact({ organizer: 1, event: 2 }, null, fact) ?? '')
          }
          tx.changed({ organizer: 1, event: 2 }, 'checkin', 1, 'put')
        })
      return nonces
    },
    start(clockOffset = 0) {
      loop = startPush({
        transactions,
        env,
        log: silentLog,
        ask,
        stamp: () => ({ deviceTime: instantOf(env.now()), mono: env.elapsed(), boot: 'b', clockOffset }),
        heard: (outcome) => heard.push(outcome),
        reported: (results) => reported.push(...results),
        rejoin() {
          rejoins += 1
        },
      })
      return loop
    },
    async until(what) {
      for (let turns = 0; turns < 50_000; turns += 1) {
        if (await what()) return
        await turn()
      }
      assert.fail(`It never came about: ${what}`)
    },
    async quiet() {
      for (let still = 0, seen = ''; still < 30; ) {
        const now = `${env.waiting} ${pushes.length} ${heard.length}`
        still = now === seen ? still + 1 : 0
        seen = now
        await turn()
      }
    },
    async states() {
      const counts: Record<string, number> = {}
      for (const { state } of await rows()) counts[state] = (counts[state] ?? 0) + 1
      return counts
    },
    async close() {
      await loop?.stop()
      await database.close()
    },
  }
}
