import type { JsonObject } from '../../schema/fields.ts'
import { serverTranslator } from '../../schema/texts/server.ts'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Transactions, Tx } from '../resource/transactions.ts'
import { type ListAt, listsById } from '../services/checkin/checkin-lists.ts'
import { recordFailedScan } from '../services/checkin/failed-checkin.ts'
import { outcomeOf, type RedeemInput } from '../services/checkin/redeem-input.ts'
import { actorOf, type StationSettings } from '../services/devices/station-settings.ts'
import type { LocalDecision, ScanAnswer } from './confirm-entry.ts'
import { watchLateAnswers } from './late-answers.ts'
import { viewScan } from './scan-view.ts'
import { type UpstreamAnswer, viewUpstreamAnswer } from './upstream-answer.ts'
import type { ConfirmSettings, UpstreamLink } from './upstream-link.ts'

/** Decides scans on lists where upstream has the last word. */
interface StrictLists {
  /** Asks upstream, with the same nonce; what happens without an answer is up to the settings. */
  redeem(settings: StationSettings, input: RedeemInput, confirm: ConfirmSettings): Promise<ScanAnswer>
}

interface Parts {
  readonly transactions: Transactions
  readonly env: Env
  readonly upstream: UpstreamLink
  /** How the station decides by itself. */
  readonly decide: (settings: StationSettings, input: RedeemInput) => Promise<LocalDecision>
}

/** Makes what decides on strict lists. */
export function createStrictLists({ transactions, env, upstream, decide }: Parts): StrictLists {
  const late = watchLateAnswers(transactions, env)
  const ask = askWithin(env, upstream)

  return {
    async redeem(settings, input, { strict_wait_ms, strict_fallback }) {
      const nonce = String(input.nonce)
      let admittedAs: number | null = null
      const undoLater = (answer: UpstreamAnswer): void => {
        if (answer.status !== 'ok') return
        const [newest] = answer.position?.checkins.toSorted((a, b) => b.id - a.id) ?? []
        admittedAs = newest?.id ?? 0
        late.undo(nonce, admittedAs)
      }
      const isHopeless = upstream.isOffline && strict_fallback
      const question = questionOf(settings, input)
      const answer = isHopeless ? null : await ask(question, strict_wait_ms, undoLater)
      if (answer) return answered(transactions, settings, input, answer)
      if (!strict_fallback) {
        late.expect(nonce, settings)
        return refuse(transactions, settings, input)
      }
      const { at, outcome, view } = await decide(settings, input)
      if (outcome.status !== 'ok' && !isHopeless) {
        late.expect(nonce, settings)
        if (admittedAs !== null) late.undo(nonce, admittedAs)
      }
      return { ...view, at, offline: true, confirmed: false }
    },
  }
}

/** Asks upstream: its answer, or null when there is none in time; `afterwards` gets one that comes later. */
const askWithin =
  (env: Env, upstream: UpstreamLink) =>
  (
    question: JsonObject,
    milliseconds: number,
    afterwards: (answer: UpstreamAnswer) => void,
  ): Promise<UpstreamAnswer | null> =>
    new Promise((resolve) => {
      let isOver = false
      const end = (answer: UpstreamAnswer | null): void => {
        if (isOver && answer) afterwards(answer)
        if (isOver) return
        isOver = true
        stop()
        resolve(answer)
      }
      const stop = env.after(milliseconds, () => end(null))
      upstream.redeem(question).then(end, () => end(null))
    })

/** What is shown of an answer that came in time. */
const answered = (
  transactions: Transactions,
  settings: StationSettings,
  input: RedeemInput,
  answer: UpstreamAnswer,
): Promise<ScanAnswer> =>
  transactions.write(
    async (tx) => {
      const { organizer } = settings
      const list = await listOf(tx, settings)
      const scan = { actor: actorOf(settings), place: { organizer, event: list.facts.event }, list, input }
      const view = await viewUpstreamAnswer(tx, scan, answer)
      return { ...view, at: input.at ?? tx.now, offline: false, confirmed: true }
    },
    { isUrgent: true },
  )

/** Refuses a scan because upstream has not answered. */
const refuse = (
  transactions: Transactions,
  settings: StationSettings,
  input: RedeemInput,
): Promise<ScanAnswer> =>
  transactions.write(
    async (tx) => {
      const { organizer } = settings
      const list = await listOf(tx, settings)
      const explanation = serverTranslator(settings.locale)('station.no-answer')
      await recordFailedScan(
        tx,
        actorOf(settings),
        { organizer, event: list.facts.event },
        {
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
        },
      )
      const view = await viewScan(
        tx,
        organizer,
        outcomeOf({ status: 'error', reason: 'error', explanation, list }),
      )
      return { ...view, at: input.at ?? tx.now, offline: true, confirmed: false }
    },
    { isUrgent: true },
  )

async function listOf(tx: Tx, { organizer, list: id }: StationSettings): Promise<ListAt> {
  const [list] = await listsById(tx, organizer, [id])
  if (!list) throw new Refusal(409, { detail: 'This station is not set up.' })
  return list
}

/** A scan as the redeeming endpoint takes it. */
const questionOf = (settings: StationSettings, input: RedeemInput): JsonObject => ({
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
