import sql from 'sql-template-tag'
import type { FactResult } from '../../schema/sync.ts'
import type { Live } from '../../server/http/live.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { saveStation } from '../../server/services/devices/station-settings.ts'
import { type Alerts, watchContradictions } from '../../server/station/alerts.ts'
import { createIntake, type Intake, type StationScan } from '../../server/station/intake.ts'
import type { UpstreamAnswer } from '../../server/station/upstream-answer.ts'
import type { ConfirmSettings, UpstreamLink } from '../../server/station/upstream-link.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'
import { type UpstreamNode as Data, openUpstreamNode } from '../sync/receive/upstream-node.ts'

/** What was asked of the upstream server, and what it answers. */
interface FakeUpstream {
  isOffline: boolean
  settings: ConfirmSettings
  /** Nonces of facts that were waited for, and for how long. */
  readonly awaited: { nonce: string; milliseconds: number }[]
  readonly asked: RowData[]
  /** What becomes of the next facts. */
  result: (nonce: string) => Promise<Omit<FactResult, 'nonce'> | null>
  answer: (body: RowData) => Promise<UpstreamAnswer | null>
}

/** A station below a server that is played by a test. */
export interface LinkedStation {
  readonly data: Data
  readonly device: number
  readonly upstream: FakeUpstream
  readonly alerts: Alerts
  readonly intake: Intake
  readonly published: { event: string; data: RowData }[]
  scan(code: string, more?: Partial<StationScan>): Promise<RowData>
  /** The kinds of facts that wait to be reported. */
  facts(): Promise<{ kind: string; nonce: string; payload: RowData }[]>
  close(): Promise<void>
}

/** Sets such a station up; its clock stands still. */
export async function openLinkedStation(locale = 'en'): Promise<LinkedStation> {
  const data = await openUpstreamNode(await openMemory(), 100)
  const { transactions, database, env, place, list, gate } = data
  const { device } = await transactions.write((tx) =>
    saveStation(tx, {
      organizer: place.organizer,
      event: place.event,
      list,
      direction: 'entry',
      gate,
      name: 'East',
      locale,
      sound: true,
      camera: false,
    }),
  )
  const upstream: FakeUpstream = {
    isOffline: false,
    settings: { confirm_ms: 400, strict_lists: [], strict_wait_ms: 2000, strict_fallback: true },
    awaited: [],
    asked: [],
    result: async () => ({ status: 'applied' }),
    answer: async () => null,
  }
  const link: UpstreamLink = {
    get isOffline() {
      return upstream.isOffline
    },
    settings: async () => upstream.settings,
    confirm(nonce, milliseconds) {
      upstream.awaited.push({ nonce, milliseconds })
      return upstream.result(nonce)
    },
    redeem(body) {
      upstream.asked.push(body)
      return upstream.answer(body)
    },
  }
  const published: { event: string; data: RowData }[] = []
  const live = {
    listeners: 1,
    publish: (event: string, about: unknown) => void published.push({ event, data: about as RowData }),
    open: () => undefined,
    onClose: () => () => undefined,
    close: () => undefined,
  } as unknown as Live
  const alerts = watchContradictions(transactions, live)
  const intake = createIntake(transactions, env, { upstream: link, alerts })
  return {
    data,
    device,
    upstream,
    alerts,
    intake,
    published,
    scan: (code, more = {}) =>
      intake.redeem({
        code,
        source: 'hand',
        type: null,
        answers: null,
        ignore_unpaid: false,
        force: false,
        position: null,
        nonce: null,
        at: null,
        ...more,
      }),
    async facts() {
      const rows = await database.all<{ kind: string; nonce: string; payload: string }>(
        sql`SELECT kind, nonce, payload FROM outbox ORDER BY seq`,
      )
      return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) }))
    },
    close: () => data.close(),
  }
}

/** Lets everything that is under way and needs no clock come to its end. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
