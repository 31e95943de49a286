import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stationDemoCreate, stationDemoRetrieve } from '../../schema/actions/station.ts'
import type { DemoProgress } from '../../schema/bodies/station-state.ts'
import { serverTranslator } from '../../schema/texts/server.ts'
import { type Language, languageOf, languages } from '../../schema/texts/translate.ts'
import { demoOrders } from '../domain/demo/demo-plan.ts'
import type { Env } from '../env.ts'
import type { Live } from '../http/live.ts'
import { serveRaw, serveRead } from '../resource/endpoints.ts'
import type { Transactions } from '../resource/transactions.ts'
import { findDemo, makeDemo } from '../services/import/demo.ts'
import type { StationRouter } from './station-router.ts'

/** What making the demo on a station needs. */
interface DemoParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly live: Live
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
}

const nothing: DemoProgress = { state: 'none', done: 0, total: 0, message: null }
const complete: DemoProgress = { state: 'done', done: demoOrders, total: demoOrders, message: null }

/** Serves making the demo event from a station's first start, with its progress. */
export function serveStationDemo(router: StationRouter, parts: DemoParts): void {
  const { transactions, env, live } = parts
  let current = nothing

  const set = (next: DemoProgress): void => {
    current = next
    live.publish('demo', current)
  }

  /** Numbers from 0 up to 1 out of the environment's chance. */
  const chance = (): number => {
    const [a = 0, b = 0, c = 0, d = 0] = env.randomBytes(4)
    return (a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24) / 2 ** 32
  }

  async function make(language: Language): Promise<void> {
    const t = serverTranslator(language)
    try {
      // What draws the tickets is large and needed this once only.
      const { writeDemoSheet } = await import('../exporters/tickets/demo-sheet.ts')
      const { samples } = await makeDemo(
        transactions,
        chance,
        (done, total) => set({ state: 'running', done, total, message: null }),
        language,
      )
      const { folder } = await writeDemoSheet(
        join(parts.folder ?? tmpdir(), 'demo'),
        samples[language] ?? samples.en,
        language,
      )
      set({ ...complete, message: t('demo.samples', { folder }) })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      set({ ...current, state: 'failed', message: t('demo.not-made', { why }) })
    }
  }

  serveRaw(router, stationDemoCreate, (_, ctx) => {
    if (current.state !== 'running') {
      set({ ...nothing, state: 'running', total: demoOrders })
      void make(languageOf(ctx.acceptsLanguages(Object.keys(languages)) || null))
    }
    return current
  })

  serveRead(router, stationDemoRetrieve, async () => {
    const isThere = current.state === 'none' && (await findDemo(transactions)) !== undefined
    return isThere ? complete : current
  })
}
