import type { CheckinQuestion } from '../../../schema/bodies/scan-result.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Circumstances } from '../../domain/checkin/checkin.ts'
import { judgeAnswers } from '../../domain/questions/answers.ts'
import type { ParsedAnswer } from '../../domain/questions/questions.ts'
import type { Scan } from '../../domain/rules/facts.ts'
import type { Tx } from '../../resource/transactions.ts'
import { questionFacts, questionsAtDoor } from '../catalogue/questions.ts'
import { withUsableFiles } from '../input/uploads.ts'
import { answersOf } from '../orders/positions.ts'
import { timesFor } from './checkin-lists.ts'
import type { TicketScan } from './find-ticket.ts'
import type { ListedScan } from './redeem-input.ts'
import { positionHistory, priorCheckins, type ScanCells } from './scan-history.ts'

/** What a scan is decided by, and what recording it needs beside that. */
export interface GatheredScan {
  readonly circumstances: Circumstances
  /** All scans of the ticket on the list so far. */
  readonly history: readonly ScanCells[]
  /** The valid answers among those given. */
  readonly answers: ReadonlyMap<number, ParsedAnswer | null>
  /** The questions still open, in the JSON form of the API. */
  readonly openQuestions: readonly CheckinQuestion[]
}

/** Reads all that a scan of a known ticket is decided by. */
export async function gather(tx: Tx, found: TicketScan): Promise<TicketScan & GatheredScan> {
  const { actor, place, list, input, position, ticket, revoked } = found
  const history = await positionHistory(tx, place.organizer, ticket, list.facts.id)
  const { answers, openQuestions } = await gatherAnswers(tx, found, ticket.item, {
    stored: new Set(answersOf(position).map((answer) => answer.question)),
    given: await withUsableFiles(tx, actor, input.answers, {
      organizer: place.organizer,
      position: position.id,
    }),
  })
  const circumstances: Circumstances = {
    list: list.facts,
    ticket,
    priorCheckins: priorCheckins(history),
    times: await timesFor(tx, place.organizer, list, ticket.subevent),
    scan: scanFacts(found, revoked),
    missing: openQuestions.length > 0,
    locale: input.language ?? (input.use_order_locale ? position.order_locale : list.event.locale),
  }
  return { ...found, circumstances, history, answers, openQuestions }
}

/** Looks at the questions that somebody who comes in with a product is asked, and at what was answered. */
export async function gatherAnswers(
  tx: Tx,
  { place, list, input }: ListedScan,
  item: number,
  { stored, given }: { readonly stored: ReadonlySet<number>; readonly given: JsonObject },
): Promise<Pick<GatheredScan, 'answers' | 'openQuestions'>> {
  const asked = input.type === 'entry' ? await questionsAtDoor(tx, place, item) : []
  const { timezone, locale } = list.event
  const { valid, missing } = judgeAnswers(
    asked.map(questionFacts),
    { item, stored, given },
    { timezone, locale },
  )
  return { answers: valid, openQuestions: asked.filter((row) => missing.includes(row.id)) }
}

/** A scan as the decision looks at it. */
export const scanFacts = ({ input, actor, at }: ListedScan, revoked: boolean): Scan => ({
  type: input.type,
  at,
  force: input.force,
  ignore_unpaid: input.ignore_unpaid,
  nonce: input.nonce,
  device: actor.device?.id ?? null,
  gate: actor.device?.gate ?? null,
  questions_supported: input.questions_supported,
  canceled_supported: input.canceled_supported,
  revoked,
})
