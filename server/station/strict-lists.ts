import sql, { join } from 'sql-template-tag'
import { serverTranslator } from '../../schema/texts/server.ts'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { RowData } from '../resource/codec.ts'
import type { Transactions } from '../resource/transactions.ts'
import { annul } from '../services/checkin/annul.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { recordFailedScan } from '../services/checkin/failed-checkin.ts'
import type { RedeemInput } from '../services/checkin/redeem-input.ts'
import { actorOf, type StationSettings } from '../services/devices/station-settings.ts'
import type { Judged } from './confirm-entry.ts'
import { scanShown } from './scan-view.ts'
import type { Above, Patience } from './upstream.ts'
import { type Ruling, rulingShown } from './upstream-ruling.ts'

/** Decides scans on lists where the server above is asked first. */
export interface Strict {
  /** Asks above, with the same nonce; what happens without an answer is up to the settings. */
  judge(settings: StationSettings, input: RedeemInput, patience: Patience): Promise<RowData>
}

interface Parts {
  readonly transactions: Transactions
  readonly env: Env
  readonly above: Above
  /** How the station decides by itself. */
  readonly decide: (settings: StationSettings, input: RedeemInput) => Promise<Judged>
}

/** A scan that was refused here while the server above had been asked: whatever it says later, nobody went in. */
interface Unanswered {
  readonly settings: StationSettings
  readonly since: number
}

/** After this time nothing comes any more. */
const forgetAfter = 15 * 60_000

const late = 'the answer came too late: nobody was let in'

/** Makes the judge of strict lists. */
export function createStrict({ transactions, env, above, decide }: Parts): Strict {
  const unanswered = new Map<string, Unanswered>()

  /** The answer from above, or null when there is none in time; `afterwards` gets one that comes later. */
  function ask(
    settings: StationSettings,
    input: RedeemInput,
    milliseconds: number,
    afterwards: (ruling: Ruling) => void,
  ): Promise<Ruling | null> {
    return new Promise((resolve) => {
      let isOver = false
      const end = (ruling: Ruling | null): void => {
        if (isOver && ruling) afterwards(ruling)
        if (isOver) return
        isOver = true
        stop()
        resolve(ruling)
      }
      const stop = env.after(milliseconds, () => end(null))
      above.redeem(questionOf(settings, input)).then(end, () => end(null))
    })
  }

  /** Undoes above what was admitted there and not here. */
  async function undo(nonce: string, checkin: number): Promise<void> {
    const one = unanswered.get(nonce)
    if (!one || !unanswered.delete(nonce)) return
    const { settings } = one
    await transactions.write(async (tx) => {
      const lists = await listsById(tx, settings.organizer, [settings.list])
      try {
        await annul(tx, {
          actor: actorOf(settings),
          organizer: settings.organizer,
          lists,
          nonce,
          at: null,
          explanation: late,
        })
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause
        // It has not come here, so only the server above can undo it.
        const place = { organizer: settings.organizer, event: settings.event }
        const payload = { checkin, nonce, at: tx.now, explanation: late }
        tx.fact(place, settings.device, { kind: 'annulment', payload })
      }
    })
  }

  const undoSoon = (nonce: string, checkin: number): void => {
    void undo(nonce, checkin).catch(() => undefined)
  }

  function remember(nonce: string, settings: StationSettings): void {
    const since = env.elapsed()
    for (const [key, one] of unanswered) if (since - one.since >= forgetAfter) unanswered.delete(key)
    unanswered.set(nonce, { settings, since })
  }

  /** The answer was lost on its way, and what it said comes with the changes. */
  async function look(): Promise<void> {
    const nonces = [...unanswered.keys()]
    const found = await transactions.database.all<{ id: number; nonce: string }>(
      sql`SELECT id, nonce FROM checkin WHERE nonce IN (${join(nonces)}) AND successful = 1`,
    )
    for (const { id, nonce } of found) await undo(nonce, id)
  }

  transactions.onCommit((changes) => {
    if (unanswered.size > 0 && changes.some(({ resource }) => resource === 'checkin'))
      // The next change looks again.
      void look().catch(() => undefined)
  })

  async function refuse(settings: StationSettings, input: RedeemInput): Promise<RowData> {
    return transactions.write(async (tx) => {
      const [list] = await listsById(tx, settings.organizer, [settings.list])
      if (!list) throw new Refusal(409, { detail: 'This station is not set up.' })
      const explanation = serverTranslator(settings.locale)('station.no-answer')
      const place = { organizer: settings.organizer, event: list.facts.event }
      await recordFailedScan(tx, actorOf(settings), place, {
        list: list.facts.id,
        reason: 'error',
        explanation,
        barcode: input.code,
        at: input.at,
        type: input.type,
        position: null,
        raw_item: null,
        raw_variation: null,
        raw_subevent: null,
        nonce: input.nonce,
      })
      const shown = await scanShown(tx, settings.organizer, {
        status: 'error',
        reason: 'error',
        explanation,
        list,
        position: null,
        questions: [],
        checkin: null,
        fact: null,
      })
      return { ...shown, at: input.at ?? tx.now, offline: true, confirmed: false }
    })
  }

  return {
    async judge(settings, input, { strict_wait_ms, strict_fallback }) {
      const nonce = String(input.nonce)
      let admittedAs: number | null = null
      const undoLater = (ruling: Ruling): void => {
        if (ruling.status !== 'ok') return
        const [newest] = ruling.position?.checkins.toSorted((a, b) => b.id - a.id) ?? []
        admittedAs = newest?.id ?? 0
        undoSoon(nonce, admittedAs)
      }
      const isHopeless = above.isAlone && strict_fallback
      const ruling = isHopeless ? null : await ask(settings, input, strict_wait_ms, undoLater)
      if (ruling)
        return transactions.write(async (tx) => {
          const [list] = await listsById(tx, settings.organizer, [settings.list])
          if (!list) throw new Refusal(409, { detail: 'This station is not set up.' })
          const shown = await rulingShown(tx, actorOf(settings), settings.organizer, list, input, ruling)
          return { ...shown, at: input.at ?? tx.now, offline: false, confirmed: true }
        })
      if (!strict_fallback) {
        remember(nonce, settings)
        return refuse(settings, input)
      }
      const { at, outcome, shown } = await decide(settings, input)
      if (outcome.status !== 'ok' && !isHopeless) {
        remember(nonce, settings)
        if (admittedAs !== null) undoSoon(nonce, admittedAs)
      }
      return { ...shown, at, offline: true, confirmed: false }
    },
  }
}

/** A scan as the redeeming endpoint takes it. */
const questionOf = (settings: StationSettings, input: RedeemInput): RowData => ({
  secret: input.code,
  lists: [settings.list],
  type: input.type,
  source_type: input.source_type,
  force: input.force,
  ignore_unpaid: input.ignore_unpaid,
  questions_supported: input.questions_supported,
  nonce: input.nonce,
  answers: input.answers,
  ...(input.at === null ? {} : { datetime: input.at }),
})
