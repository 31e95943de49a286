import type { JsonObject } from '../../schema/fields.ts'
import { serverTranslator } from '../../schema/texts/server.ts'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Transactions, Tx } from '../resource/transactions.ts'
import { type ListAt, listsById } from '../services/checkin/checkin-lists.ts'
import { recordFailedScan } from '../services/checkin/failed-checkin.ts'
import { findTicket } from '../services/checkin/find-ticket.ts'
import { outcomeOf, type RedeemInput, type RedeemRequest } from '../services/checkin/redeem-input.ts'
import { findSigned } from '../services/checkin/signed-acceptance.ts'
import { actorOf, chosenLists, type StationSettings } from '../services/devices/station-settings.ts'
import type { LocalDecision, ScanAnswer } from './confirm-entry.ts'
import { type LateAdmission, watchLateAnswers } from './late-answers.ts'
import { viewScan } from './scan-view.ts'
import { type UpstreamAnswer, viewUpstreamAnswer } from './upstream-answer.ts'
import type { ConfirmSettings, UpstreamLink } from './upstream-link.ts'

/** Decides scans on lists where upstream has the last word. */
interface StrictLists {
  /** The lists that upstream is asked for; null for a scan that this station decides by itself. */
  listsOf(settings: StationSettings, input: RedeemInput, confirm: ConfirmSettings): Promise<AskedLists | null>
  /** Asks upstream, with the same nonce; what happens without an answer is up to the settings. */
  redeem(
    settings: StationSettings,
    input: RedeemInput,
    confirm: ConfirmSettings,
    lists: AskedLists,
  ): Promise<ScanAnswer>
}

type AskedLists = RedeemRequest['lists']

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
    listsOf: (settings, input, { strict_lists }) =>
      chosenLists(settings).some((id) => strict_lists.includes(id))
        ? transactions.write((tx) => askedLists(tx, settings, input, strict_lists), { isUrgent: true })
        : Promise.resolve(null),

    async redeem(settings, input, { strict_wait_ms, strict_fallback }, lists) {
      const nonce = String(input.nonce)
      let admitted: LateAdmission | null = null
      const undoLater = (answer: UpstreamAnswer): void => {
        if (answer.status !== 'ok') return
        const [newest] = answer.position?.checkins.toSorted((a, b) => b.id - a.id) ?? []
        admitted = { checkin: newest?.id ?? 0, event: listIn(answer, lists).facts.event }
        late.undo(nonce, admitted)
      }
      const isHopeless = upstream.isOffline && strict_fallback
      let answer: UpstreamAnswer | null = null
      for (const each of isHopeless ? [] : rounds(lists)) {
        answer = await ask(questionOf(each, input), strict_wait_ms, undoLater)
        // It may be on another list of the same event.
        if (answer?.reason !== 'product') break
      }
      if (answer) return answered(transactions, settings, { input, lists, answer })
      if (!strict_fallback) {
        late.expect(nonce, settings)
        return refuse(transactions, settings, input, lists[0])
      }
      const { at, outcome, view } = await decide(settings, input)
      if (outcome.status !== 'ok' && !isHopeless) {
        late.expect(nonce, settings)
        if (admitted !== null) late.undo(nonce, admitted)
      }
      return { ...view, at, offline: true, confirmed: false }
    },
  }
}

/** The list that a ticket is on where that is strict; all of them for a code that does not mean one ticket here. */
async function askedLists(
  tx: Tx,
  settings: StationSettings,
  input: RedeemInput,
  strict: readonly number[],
): Promise<AskedLists | null> {
  const { organizer } = settings
  const [first, ...others] = await listsById(tx, organizer, chosenLists(settings))
  if (!first) throw new Refusal(409, { detail: 'This station is not set up.' })
  const all: AskedLists = [first, ...others]
  const isStrict = ({ facts }: ListAt): boolean => strict.includes(facts.id)
  if (!all.some(isStrict)) return null
  if (others.length === 0) return all
  const found = await findTicket(tx, { actor: actorOf(settings), organizer, lists: all, input })
  if (found.position !== null && found.ambiguous) return all
  const list = found.position ? found.list : (await findSigned(tx, organizer, all, input.code))?.list
  if (!list) return all
  return isStrict(list) ? [list] : null
}

/** Lists in rounds of one of each event: upstream is asked for no more at once. */
function rounds(lists: AskedLists): readonly (readonly ListAt[])[] {
  const byEvent = [...Map.groupBy(lists, ({ facts }) => facts.event).values()]
  const most = Math.max(...byEvent.map(({ length }) => length))
  return Array.from({ length: most }, (_, round) => byEvent.flatMap((own) => own[round] ?? []))
}

/** The list that upstream has decided on. */
const listIn = ({ list }: UpstreamAnswer, lists: AskedLists): ListAt =>
  lists.find(({ facts }) => facts.id === list?.id) ?? lists[0]

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

/** A scan that upstream has answered. */
interface AnsweredScan {
  readonly input: RedeemInput
  readonly lists: AskedLists
  readonly answer: UpstreamAnswer
}

/** What is shown of an answer that came in time. */
const answered = (
  transactions: Transactions,
  settings: StationSettings,
  { input, lists, answer }: AnsweredScan,
): Promise<ScanAnswer> =>
  transactions.write(
    async (tx) => {
      const { organizer } = settings
      const list = listIn(answer, lists)
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
  list: ListAt,
): Promise<ScanAnswer> =>
  transactions.write(
    async (tx) => {
      const { organizer } = settings
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

/** A scan as the redeeming endpoint takes it. */
const questionOf = (lists: readonly ListAt[], input: RedeemInput): JsonObject => ({
  secret: input.code,
  lists: lists.map(({ facts }) => facts.id),
  type: input.type,
  source_type: input.source_type,
  force: input.force,
  ignore_unpaid: input.ignore_unpaid,
  questions_supported: input.questions_supported,
  nonce: input.nonce,
  answers: input.answers,
  ...(input.at === null ? {} : { datetime: input.at }),
})
