import { cleanCode } from '../domain/checkin/scanned-code.ts'
import type { Env } from '../env.ts'
import { impossible, Refusal } from '../errors.ts'
import type { RowData } from '../resource/codec.ts'
import type { Transactions } from '../resource/transactions.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { redeem } from '../services/checkin/redeem.ts'
import type { RedeemInput } from '../services/checkin/redeem-input.ts'
import { actorOf, type StationSettings, stationSettings } from '../services/devices/station-settings.ts'
import type { Alerts } from './alerts.ts'
import { confirmEntry, type Judged } from './confirm-entry.ts'
import { scanShown } from './scan-view.ts'
import { createStrict } from './strict-lists.ts'
import type { Above } from './upstream.ts'

/** One reading of a code at a station. */
export interface StationScan {
  readonly code: string
  readonly source: 'hid' | 'keyboard' | 'camera' | 'hand'
  readonly type: 'entry' | 'exit' | null
  readonly answers: Readonly<Record<string, unknown>> | null
  readonly ignore_unpaid: boolean
  readonly force: boolean
  readonly nonce: string | null
  /** When it was read, in stored form, where it could not be told at once. */
  readonly at: string | null
}

/** Judges what a station's scanners read. */
export interface Intake {
  /** Judges a reading; a code that is read twice in a moment is answered once. Throws 409 before the first start is done. */
  judge(scan: StationScan): Promise<RowData>
  /** Has the code of a scan that was undone judged anew, however soon it is read again. */
  forget(nonce: string): void
}

/** Within this time the same code is one physical scan that was read twice. */
const sameScan = 3000

interface Recent {
  readonly since: number
  /** When it was read, for what could not be told at once. */
  readonly read: number | null
  readonly nonce: string
  readonly result: Promise<RowData>
}

/** Whom an intake asks and tells. */
export interface IntakeParts {
  /** The server above, or null where there is none. */
  readonly above: Above | null
  /** Tells late contradictions, but not those of scans that are being judged. */
  readonly alerts: Alerts | null
}

/** Makes a station's intake. */
export function createIntake(
  transactions: Transactions,
  env: Env,
  { above, alerts }: IntakeParts = { above: null, alerts: null },
): Intake {
  const { database } = transactions
  const recent = new Map<string, Recent>()
  const strict = above && createStrict({ transactions, env, above, decide })

  /** What this station says by itself. */
  function decide(settings: StationSettings, input: RedeemInput): Promise<Judged> {
    return transactions.write(async (tx) => {
      const [list] = await listsById(tx, settings.organizer, [settings.list])
      if (!list) throw notSetUp()
      const outcome = await redeem(tx, {
        actor: actorOf(settings),
        organizer: settings.organizer,
        lists: [list],
        input,
      })
      return { at: input.at ?? tx.now, outcome, shown: await scanShown(tx, settings.organizer, outcome) }
    })
  }

  /** What is shown at the door, once it was confirmed or could not be. */
  async function answer(settings: StationSettings, input: RedeemInput): Promise<RowData> {
    const patience = above && (await above.patience())
    if (strict && patience?.strict_lists.includes(settings.list))
      return strict.judge(settings, input, patience)
    const judged = await decide(settings, input)
    return patience && judged.outcome.status === 'ok'
      ? confirmEntry({ transactions, above, alerts }, settings, input, patience, judged)
      : { ...judged.shown, at: judged.at, offline: above?.isAlone ?? false, confirmed: false }
  }

  async function judge(settings: StationSettings, scan: StationScan, code: string, nonce: string) {
    const input: RedeemInput = {
      code,
      position: null,
      type: scan.type ?? settings.direction,
      at: scan.at,
      force: scan.force,
      ignore_unpaid: scan.ignore_unpaid,
      questions_supported: true,
      canceled_supported: true,
      nonce,
      answers: scan.answers ?? {},
      source_type: 'barcode',
      use_order_locale: false,
      language: settings.locale,
    }
    const judged = await answer(settings, input)
    return {
      id: env.uuid(),
      nonce,
      repeated: false,
      source: scan.source,
      code,
      type: input.type,
      ...judged,
    }
  }

  return {
    async judge(scan) {
      const settings = await stationSettings(database)
      if (!settings) throw notSetUp()
      // Scanners report control characters in some modes; no ticket code holds any.
      const code = cleanCode(scan.code).trim()
      if (code === '') throw impossible('The scanner sent no readable code. Try again.')
      const nonce = scan.nonce ?? env.uuid()
      const isFollowUp = scan.answers !== null || scan.ignore_unpaid || scan.force || scan.source === 'hand'
      if (isFollowUp) return judge(settings, scan, code, nonce)
      const since = env.elapsed()
      for (const [key, one] of recent) if (since - one.since >= sameScan) recent.delete(key)
      const key = `${settings.list}/${scan.type ?? settings.direction}/${code}`
      const read = scan.at === null ? null : Date.parse(scan.at)
      const first = recent.get(key)
      if (first && isSameMoment(first.read, read)) return { ...(await first.result), repeated: true }
      const result = judge(settings, scan, code, nonce)
      recent.set(key, { since, read, nonce, result })
      result.catch(() => recent.get(key)?.result === result && recent.delete(key))
      return result
    },
    forget(nonce) {
      for (const [key, one] of recent) if (one.nonce === nonce) recent.delete(key)
    },
  }
}

const isSameMoment = (a: number | null, b: number | null): boolean =>
  a === null || b === null || Math.abs(a - b) < sameScan

const notSetUp = (): Refusal =>
  new Refusal(409, { detail: 'This station is not set up. Choose its event and check-in list first.' })
