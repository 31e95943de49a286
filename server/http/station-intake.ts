import { cleanCode } from '../domain/scanned-code.ts'
import type { Env } from '../env.ts'
import { impossible, Refusal } from '../errors.ts'
import type { RowData } from '../resource/codec.ts'
import type { Transactions } from '../resource/transactions.ts'
import { listsById } from '../services/checkin-lists.ts'
import { redeem } from '../services/redeem.ts'
import type { RedeemInput } from '../services/redeem-input.ts'
import { stationActor, stationSettings } from '../services/station.ts'
import { scanShown } from '../services/station-view.ts'

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

/** Within this time the same code is one physical scan that was read twice. */
const sameScan = 3000

interface Recent {
  readonly since: number
  readonly result: Promise<RowData>
}

/** Judges what a station's scanners read; a code that is read twice in a moment is answered once. */
export function createIntake(transactions: Transactions, env: Env): (scan: StationScan) => Promise<RowData> {
  const recent = new Map<string, Recent>()

  async function judge(scan: StationScan): Promise<RowData> {
    const { database } = transactions
    const settings = await stationSettings(database)
    const actor = await stationActor(database)
    const [list] = settings ? await listsById(database, settings.organizer, [settings.list]) : []
    if (!settings || !actor || !list)
      throw new Refusal(409, {
        detail: 'This station is not set up. Choose its event and check-in list first.',
      })
    const input: RedeemInput = {
      // Scanners report control characters in some modes; no ticket code holds any.
      code: cleanCode(scan.code).trim(),
      position: null,
      type: scan.type ?? settings.direction,
      at: scan.at,
      force: scan.force,
      ignore_unpaid: scan.ignore_unpaid,
      questions_supported: true,
      canceled_supported: true,
      nonce: scan.nonce ?? env.uuid(),
      answers: scan.answers ?? {},
      source_type: 'barcode',
      use_order_locale: false,
    }
    if (input.code === '') throw impossible('The scanner sent no readable code. Try again.')
    const judged = await transactions.write(async (tx) => ({
      at: input.at ?? tx.now,
      outcome: await redeem(tx, actor, settings.organizer, [list], input),
    }))
    return {
      id: env.uuid(),
      nonce: input.nonce,
      repeated: false,
      source: scan.source,
      code: input.code,
      at: judged.at,
      type: input.type,
      ...(await scanShown(database, settings.organizer, judged.outcome)),
    }
  }

  return async (scan) => {
    const isFollowUp = scan.answers !== null || scan.ignore_unpaid || scan.force || scan.source === 'hand'
    if (isFollowUp) return judge(scan)
    const now = env.elapsed()
    for (const [code, { since }] of recent) if (now - since >= sameScan) recent.delete(code)
    const key = `${scan.type ?? ''}/${cleanCode(scan.code).trim()}`
    const first = recent.get(key)
    if (first) return { ...(await first.result), repeated: true }
    const result = judge(scan)
    recent.set(key, { since: now, result })
    result.catch(() => recent.delete(key))
    return result
  }
}
