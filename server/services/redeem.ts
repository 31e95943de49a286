import sql from 'sql-template-tag'
import { judgeAnswers } from '../domain/answers.ts'
import {
  chooseTicket,
  type Decision,
  decide,
  type Pass,
  type Reason,
  type Scan,
  type ScanType,
} from '../domain/checkin.ts'
import { explainRules } from '../domain/rule-explanation.ts'
import type { Actor } from '../resource/actor.ts'
import type { Tx } from '../resource/transactions.ts'
import { type ListAt, timesFor } from './checkin-lists.ts'
import { answersOf, type PositionCells, selectPositions, ticketOf } from './positions.ts'
import { questionFacts, questionsAtDoor } from './questions.ts'
import { findCandidates } from './redeem-candidates.ts'
import type { RedeemInput, RedeemOutcome } from './redeem-input.ts'
import { recordFailure, recordPass, saveAnswers } from './redeem-records.ts'
import { labelsFor } from './rule-labels.ts'

/** Reasons that are found before answers are looked at, so that these are not kept. */
const beforeAnswers: ReadonlySet<Reason> = new Set([
  'canceled',
  'blocked',
  'invalid_time',
  'revoked',
  'ambiguous',
])

interface CheckinCells {
  readonly id: number
  readonly type: ScanType
  readonly datetime: string
  readonly nonce: string | null
  readonly device: number | null
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
  const at = input.at ?? tx.now
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
  const refuse = async (reason: Reason, explanation: string | null = null): Promise<RedeemOutcome> => ({
    status: 'error',
    reason,
    explanation,
    list,
    position: position ?? null,
    questions: [],
    checkin: await recordFailure(tx, actor, place, list, position ?? null, input, at, reason, explanation),
  })
  if (!choice || !position) return refuse(found.revoked ? 'revoked' : 'invalid')
  if (choice.ambiguous) return refuse('ambiguous')

  const history = await historyOf(tx, organizer, list, position)
  const asked = input.type === 'entry' ? await questionsAtDoor(tx, place, choice.ticket.item) : []
  const stored = new Set(answersOf(position).map((answer) => answer.question))
  const { timezone, locale: eventLocale } = list.event
  const judged = judgeAnswers(
    asked.map(questionFacts),
    choice.ticket.item,
    stored,
    input.answers,
    timezone,
    eventLocale,
  )
  const locale = input.language ?? (input.use_order_locale ? position.order_locale : eventLocale)
  const scan: Scan = {
    type: input.type,
    at,
    force: input.force,
    ignore_unpaid: input.ignore_unpaid,
    nonce: input.nonce,
    device: actor.device?.id ?? null,
    gate: actor.device?.gate ?? null,
    questions_supported: input.questions_supported,
    canceled_supported: input.canceled_supported,
    revoked: found.revoked,
  }
  const times = await timesFor(tx, organizer, list, choice.ticket.subevent)
  const passes = history.filter((one) => one.successful === 1) satisfies Pass[]
  const decision = decide({
    list: list.facts,
    ticket: choice.ticket,
    passes,
    times,
    scan,
    missing: judged.missing.length > 0,
    locale,
  })
  if (keepsAnswers(decision)) await saveAnswers(tx, place, position, judged.valid)
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
      const id =
        known?.id ??
        (await recordPass(tx, actor, place, list, position, input, at, decision.forced, nextOrdinal(history)))
      return { status: 'ok', reason: null, explanation: null, list, position, questions: [], checkin: id }
    }
  }
}

const nextOrdinal = (history: readonly CheckinCells[]): number =>
  history.reduce((highest, one) => Math.max(highest, one.ordinal ?? 0), 0) + 1

const keepsAnswers = (decision: Decision): boolean =>
  decision.outcome === 'refuse'
    ? !beforeAnswers.has(decision.reason)
    : !(decision.outcome === 'admit' && decision.replay)

interface KnownScan {
  readonly id: number
  readonly position: number
  readonly list: number
  readonly type: ScanType
  readonly raw_barcode: string | null
  readonly successful: number
  readonly error_reason: string | null
}

/** The same scan, sent again because its answer was lost: it is answered as the first time, also after an undo. */
async function findReplay(
  tx: Tx,
  organizer: number,
  lists: readonly ListAt[],
  input: RedeemInput,
): Promise<RedeemOutcome | undefined> {
  if (input.nonce === null) return undefined
  // Only the nonce chooses in the statement: by the list, SQLite would look through everything that was scanned there.
  const found = await tx.all<KnownScan>(
    sql`SELECT id, "position" AS position, list, "type" AS type, raw_barcode, successful, error_reason FROM checkin
        WHERE organizer = ${organizer} AND nonce = ${input.nonce}`,
  )
  const [known] = found
    .filter((one) => one.raw_barcode === input.code && one.type === input.type)
    .filter((one) => one.successful === 1 || one.error_reason === 'annulled')
    .filter((one) => lists.some((list) => list.facts.id === one.list))
    .toSorted((a, b) => a.id - b.id)
  const list = known && lists.find((one) => one.facts.id === known.list)
  if (!known || !list) return undefined
  const [position] = await selectPositions(
    tx,
    sql`p.organizer = ${organizer} AND p.id = ${known.position}`,
    sql`p.id`,
  )
  return {
    status: 'ok',
    reason: null,
    explanation: null,
    list,
    position: position ?? null,
    questions: [],
    checkin: known.id,
  }
}

const historyOf = (
  tx: Tx,
  organizer: number,
  list: ListAt,
  position: PositionCells,
): Promise<CheckinCells[]> =>
  tx.all<CheckinCells>(
    sql`SELECT id, "type" AS type, datetime, nonce, device, successful, ordinal FROM checkin
        WHERE organizer = ${organizer} AND "position" = ${position.id} AND list = ${list.facts.id}`,
  )
