import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Direction, ScanSource } from '../../schema/bodies/station.ts'
import type { JsonObject } from '../../schema/fields.ts'
import { cleanCode } from '../domain/text/storable.ts'
import type { Env } from '../env.ts'
import { impossible, Refusal } from '../errors.ts'
import type { Transactions } from '../resource/transactions.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { redeem } from '../services/checkin/redeem.ts'
import type { RedeemInput } from '../services/checkin/redeem-input.ts'
import {
  actorOf,
  chosenLists,
  maySell,
  type StationSettings,
  stationSettings,
} from '../services/devices/station-settings.ts'
import type { Alerts } from './alerts.ts'
import { confirmEntry, type LocalDecision, type ScanAnswer } from './confirm-entry.ts'
import { viewScan } from './scan-view.ts'
import { createStrictLists } from './strict-lists.ts'
import type { UpstreamLink } from './upstream-link.ts'

/** One reading of a code at a station. */
export interface StationScan {
  readonly code: string
  readonly source: ScanSource
  readonly type: Direction | null
  readonly answers: JsonObject | null
  readonly ignore_unpaid: boolean
  readonly force: boolean
  readonly nonce: string | null
  /** The position that is meant where somebody has chosen it by name: its code may not be the only one of its kind. */
  readonly position: number | null
  /** When it was read, in stored form, where it could not be sent at once. */
  readonly at: string | null
}

/** Redeems what a station's scanners read. */
export interface Intake {
  /** Redeems a reading; a code that is read twice in a moment is answered once. Throws 409 before the first start is done. */
  redeem(scan: StationScan): Promise<ScanResult>
  /** Has the code of a scan that was undone redeemed anew, however soon it is read again. */
  forget(nonce: string): void
}

/** Whom an intake asks, and what it keeps quiet. */
interface IntakeParts {
  /** The server upstream, or null where there is none. */
  readonly upstream: UpstreamLink | null
  /** Announces late contradictions, but not those of scans that are being decided. */
  readonly alerts: Alerts | null
}

/** Makes a station's intake. */
export function createIntake(
  transactions: Transactions,
  env: Env,
  { upstream, alerts }: IntakeParts = { upstream: null, alerts: null },
): Intake {
  const repeated = createRepeatedReads(env)
  const decide = decideHere(transactions)
  const strict = upstream && createStrictLists({ transactions, env, upstream, decide })

  /** What is shown at the door, once it was confirmed or could not be. */
  async function answer(settings: StationSettings, input: RedeemInput): Promise<ScanAnswer> {
    const confirm = upstream && (await upstream.settings())
    const asked = strict && confirm && (await strict.listsOf(settings, input, confirm))
    if (strict && asked) return strict.redeem(settings, input, confirm, asked)
    const decided = await decide(settings, input)
    return confirm && decided.outcome.status === 'ok'
      ? confirmEntry({ transactions, upstream, alerts, settings }, input, confirm.confirm_ms, decided)
      : { ...decided.view, at: decided.at, offline: upstream?.isOffline ?? false, confirmed: false }
  }

  return {
    async redeem(scan) {
      const settings = await stationSettings(transactions.database)
      if (!settings) throw notSetUp()
      // Scanners report control characters in some modes; no ticket code holds any.
      const code = cleanCode(scan.code).trim()
      if (code === '') throw impossible('The scanner sent no readable code. Try again.')
      const nonce = scan.nonce ?? env.uuid()
      const input = inputOf(settings, { ...scan, code, nonce })
      const redeemed = async (): Promise<ScanResult> => {
        const result = await answer(settings, input)
        const { source } = scan
        const owed = maySell(settings) ? result.owed : null
        return { id: env.uuid(), nonce, repeated: false, source, code, type: input.type, ...result, owed }
      }
      const isFollowUp = scan.answers !== null || scan.ignore_unpaid || scan.force || scan.source === 'hand'
      if (isFollowUp) return redeemed()
      const read = scan.at === null ? null : Date.parse(scan.at)
      return repeated.once(
        { key: `${chosenLists(settings).join()}/${input.type}/${code}`, nonce, read },
        redeemed,
      )
    },
    forget: (nonce) => repeated.forget(nonce),
  }
}

/** What a station decides by itself, without asking anybody. */
const decideHere =
  (transactions: Transactions) =>
  (settings: StationSettings, input: RedeemInput): Promise<LocalDecision> =>
    transactions.write(
      async (tx) => {
        const { organizer } = settings
        const [list, ...others] = await listsById(tx, organizer, chosenLists(settings))
        if (!list) throw notSetUp()
        const lists = [list, ...others] as const
        const outcome = await redeem(tx, { actor: actorOf(settings), organizer, lists, input })
        return { at: input.at ?? tx.now, outcome, view: await viewScan(tx, organizer, outcome) }
      },
      { isUrgent: true },
    )

const inputOf = (settings: StationSettings, scan: StationScan & { readonly nonce: string }): RedeemInput => ({
  code: scan.code,
  position: scan.position,
  type: scan.type ?? settings.direction,
  at: scan.at,
  force: scan.force,
  ignore_unpaid: scan.ignore_unpaid,
  questions_supported: true,
  canceled_supported: true,
  nonce: scan.nonce,
  answers: scan.answers ?? {},
  source_type: 'barcode',
  use_order_locale: false,
  language: settings.locale,
})

/** A reading of a code that could be the same one as a moment ago. */
interface Reading {
  readonly key: string
  readonly nonce: string
  /** When it was read, for what could not be sent at once. */
  readonly read: number | null
}

interface Recent extends Reading {
  readonly since: number
  readonly result: Promise<ScanResult>
}

/** Within this time the same code is one physical scan that was read twice. */
const sameScan = 3000

/** Answers a code that is read twice in a moment with the first answer. */
function createRepeatedReads(env: Env) {
  const recent = new Map<string, Recent>()
  return {
    async once(reading: Reading, redeemed: () => Promise<ScanResult>): Promise<ScanResult> {
      const since = env.elapsed()
      for (const [key, one] of recent) if (since - one.since >= sameScan) recent.delete(key)
      const { key } = reading
      const first = recent.get(key)
      if (first && isSameMoment(first.read, reading.read)) {
        const said = await first.result
        // The screen asks again with what it asked before, once the money was taken.
        if (said.reason !== 'unpaid' || first.nonce !== reading.nonce) return { ...said, repeated: true }
      }
      const result = redeemed()
      recent.set(key, { ...reading, since, result })
      result.catch(() => recent.get(key)?.result === result && recent.delete(key))
      return result
    },
    forget(nonce: string): void {
      for (const [key, one] of recent) if (one.nonce === nonce) recent.delete(key)
    },
  }
}

const isSameMoment = (a: number | null, b: number | null): boolean =>
  a === null || b === null || Math.abs(a - b) < sameScan

const notSetUp = (): Refusal =>
  new Refusal(409, { detail: 'This station is not set up. Choose its event and check-in list first.' })
