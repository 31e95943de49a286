import sql from 'sql-template-tag'
import {
  chooseTicket,
  type Decision,
  decide,
  type Pass,
  type Reason,
  type ScanType,
} from '../../domain/checkin/checkin.ts'
import { sameScanKey } from '../../domain/checkin/conflicts.ts'
import { scanTime } from '../../domain/checkin/scan-time.ts'
import { judgeAnswers } from '../../domain/questions/answers.ts'
import { explainRules } from '../../domain/rules/explanation.ts'
import { looksSigned } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { questionFacts, questionsAtDoor } from '../catalogue/questions.ts'
import { withUsableFiles } from '../input/uploads.ts'
import { answersOf, type PassCells, passColumns, passTables, ticketOf } from '../orders/positions.ts'
import { type ListAt, timesFor } from './checkin-lists.ts'
import { reconcileConflicts } from './conflicts.ts'
import { keptPasses } from './kept-passes.ts'
import { keptRefusal } from './kept-refusals.ts'
import { findCandidates } from './redeem-candidates.ts'
import { type RedeemInput, type RedeemOutcome, scanOf } from './redeem-input.ts'
import { recordFailure, recordPass, saveAnswers } from './redeem-records.ts'
import { findReplay } from './redeem-replay.ts'
import { redeemSigned } from './redeem-signed.ts'
import { labelsFor } from './rule-labels.ts'
import { ledgerOf } from './signed-ledger.ts'

/** Reasons that are found before answers are looked at, so that these are not kept. */
const beforeAnswers: ReadonlySet<Reason> = new Set([
  'canceled',
  'blocked',
  'invalid_time',
  'revoked',
  'ambiguous',
])

interface CheckinCells extends PassCells {
  readonly type: ScanType
  readonly nonce: string | null
  readonly successful: number
  readonly ordinal: number | null
}

/**
 * Judges a scan on some lists of different events and records what came of it, in the transaction given: a check-in, a
 * failed one, or nothing while questions are open. Lists must not be empty.
 */
export async function redeem(
  tx: Tx,
  actor: Actor,
  organizer: number,
  lists: readonly [ListAt, ...ListAt[]],
  input: RedeemInput,
): Promise<RedeemOutcome> {
  const replayed = await findReplay(tx, organizer, lists, input)
  if (replayed) return replayed
  const at = scanTime(input.at, tx.now)
  const found = await findCandidates(tx, organizer, lists, input)
  const byId = new Map(found.positions.map((cells) => [cells.id, cells]))
  const choice = chooseTicket(
    found.positions.map(ticketOf),
    lists.map((list) => list.facts),
    found.code,
    at,
  )
  const position = choice && byId.get(choice.ticket.id)
  const list = lists.find((one) => one.facts.id === choice?.list.id) ?? lists[0]
  const place = { organizer, event: list.facts.event }
  const refuse = async (reason: Reason, explanation: string | null = null): Promise<RedeemOutcome> => {
    const cells = position ?? null
    const scan = await recordFailure(tx, actor, place, list, cells, input, at, reason, explanation)
    const told = { checkin: scan.id, fact: scan.fact }
    return { status: 'error', reason, explanation, list, position: cells, questions: [], ...told }
  }
  if (!choice || !position) {
    const signed = await redeemSigned(tx, actor, organizer, lists, input, at, found.revoked)
    return signed ?? refuse(found.revoked ? 'revoked' : 'invalid')
  }
  if (choice.ambiguous) return refuse('ambiguous')

  const own = await tx.all<CheckinCells>(historyOf(organizer, position.id, list.facts.id))
  const { secret } = choice.ticket
  const told = looksSigned(secret) ? [...own, ...(await ledgerOf(tx, organizer, secret, list.facts.id))] : own
  const history = [...told, ...(await keptPasses(tx, organizer, position.id, list.facts.id, told))]
  const asked = input.type === 'entry' ? await questionsAtDoor(tx, place, choice.ticket.item) : []
  const stored = new Set(answersOf(position).map((answer) => answer.question))
  const { timezone, locale: eventLocale } = list.event
  const judged = judgeAnswers(
    asked.map(questionFacts),
    choice.ticket.item,
    stored,
    await withUsableFiles(tx, actor, organizer, input.answers, position.id),
    timezone,
    eventLocale,
  )
  const locale = input.language ?? (input.use_order_locale ? position.order_locale : eventLocale)
  const scan = scanOf(input, actor, at, found.revoked)
  const times = await timesFor(tx, organizer, list, choice.ticket.subevent)
  const recorded = history.filter((one) => one.successful === 1)
  const passes = onceEach(recorded) satisfies readonly Pass[]
  const decision = decide({
    list: list.facts,
    ticket: choice.ticket,
    passes,
    times,
    scan,
    missing: judged.missing.length > 0,
    locale,
  })
  if (decision.outcome !== 'refuse' && !input.force && !isReplayed(decision)) {
    const reason = await keptRefusal(tx, organizer, choice.ticket, list.facts.id, input.code)
    if (reason) return refuse(reason)
  }
  if (keepsAnswers(decision)) await saveAnswers(tx, actor, place, position, judged.valid)
  switch (decision.outcome) {
    case 'incomplete':
      return {
        status: 'incomplete',
        reason: 'incomplete',
        explanation: null,
        list,
        position,
        questions: asked.filter((row) => judged.missing.includes(Number(row.id))),
        checkin: null,
        fact: null,
      }
    case 'refuse': {
      const explanation =
        decision.reason === 'rules'
          ? explainRules(
              list.facts.rules,
              {
                product: choice.ticket.item,
                variation: choice.ticket.variation,
                gate: scan.gate,
                now: at,
                passes,
                times,
              },
              locale,
              await labelsFor(tx, place, locale),
            )
          : decision.explanation
      return refuse(decision.reason, explanation)
    }
    case 'admit': {
      const known = decision.replay ? passes.find((pass) => pass.nonce === input.nonce) : undefined
      const scan = known
        ? { id: known.id, fact: null }
        : await recordPass(tx, actor, place, list, position, input, at, decision.forced, nextOrdinal(history))
      // Nobody else looks at what is forced here: it may contradict what was known.
      if (!known && decision.forced) await reconcileConflicts(tx, place, list.facts.id, position.id)
      const fresh = {
        id: scan.id,
        position: position.id,
        list: list.facts.id,
        datetime: at,
        type: input.type,
      }
      const told = {
        checkin: scan.id,
        fact: scan.fact,
        passes: known ? recorded : [...recorded, { ...fresh, ...(await sentBy(tx, organizer, actor)) }],
      }
      return { status: 'ok', reason: null, explanation: null, list, position, questions: [], ...told }
    }
  }
}

/** What is shown of the device that sent a scan. */
async function sentBy(tx: Tx, organizer: number, { device }: Actor) {
  const number =
    device &&
    (await tx.remembered(`device number ${organizer} ${device.id}`, () =>
      tx.get<{ device_id: number }>(
        sql`SELECT device_id FROM device WHERE organizer = ${organizer} AND id = ${device.id}`,
      ),
    ))
  return {
    gate: device?.gate ?? null,
    device: device?.id ?? null,
    auto_checked_in: 0,
    device_id: number?.device_id ?? null,
  }
}

const nextOrdinal = (history: readonly CheckinCells[]): number =>
  history.reduce((highest, one) => Math.max(highest, one.ordinal ?? 0), 0) + 1

/** A scan that is known here by itself and from the server above is one. */
function onceEach(passes: readonly CheckinCells[]): readonly CheckinCells[] {
  if (passes.length < 2) return passes
  return [...new Map(passes.toReversed().map((pass) => [sameScanKey(pass), pass])).values()]
}

const isReplayed = (decision: Decision): boolean => decision.outcome === 'admit' && decision.replay

const keepsAnswers = (decision: Decision): boolean =>
  decision.outcome === 'refuse' ? !beforeAnswers.has(decision.reason) : !isReplayed(decision)

const historyOf = shaped(
  (organizer: number, position: number, list: number) =>
    sql`SELECT ${passColumns}, c.nonce, c.successful, c.ordinal FROM ${passTables}
        WHERE c.organizer = ${organizer} AND c."position" = ${position} AND c.list = ${list}`,
)
