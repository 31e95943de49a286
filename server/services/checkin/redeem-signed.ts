import sql from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { type Decision, decide } from '../../domain/checkin/checkin.ts'
import type { ParsedAnswer } from '../../domain/questions/questions.ts'
import type { Reason, TicketFacts } from '../../domain/rules/facts.ts'
import type { SignedTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import { insertRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { timesFor } from './checkin-lists.ts'
import { recordWrongClock } from './conflict-rows.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { UnknownScan } from './find-ticket.ts'
import { refusedAsFull } from './list-status.ts'
import { type GatheredScan, gatherAnswers, scanFacts } from './redeem-gather.ts'
import { type ListedScan, outcomeOf, type RedeemOutcome, type RedeemRequest } from './redeem-input.ts'
import {
  answersGiven,
  type RecordedScan,
  type ScanAdmission,
  type ScanRefusal,
  sameFailure,
  scanRow,
} from './redeem-records.ts'
import { codeHistory, nextOrdinal, priorCheckins } from './scan-history.ts'
import { acceptanceOf, findSigned } from './signed-acceptance.ts'
import { signedProduct } from './signed-present.ts'

/** A scan of a ticket of which nothing is known but what its code says. */
interface SignedTicketScan extends UnknownScan {
  readonly ticket: SignedTicket
}

/**
 * Decides a scan of a code that belongs to no position known here by its signature, and records what came of it;
 * undefined when none of the lists' events has signed it. A node that knows every order admits nobody by a signature.
 */
export async function redeemSigned(
  tx: Tx,
  { organizer, lists, input }: RedeemRequest,
  unknown: UnknownScan,
): Promise<RedeemOutcome | undefined> {
  const found = await findSigned(tx, organizer, lists, input.code)
  if (!found) return undefined
  const { ticket, list } = found
  const signed = { ...unknown, ticket, list, place: { organizer, event: list.facts.event } }
  const acceptance = await acceptanceOf(tx, signed.place.event, ticket)
  if (acceptance === 'unknown')
    return refuse(tx, signed, { reason: signed.revoked ? 'revoked' : 'invalid', explanation: null })
  const scan = await gatherSigned(tx, signed, acceptance === 'gone')
  return record(tx, scan, await review(tx, scan, decide(scan.circumstances)))
}

/** Reads all that a scan of a signed ticket is decided by. `isGone`: it should be among the orders that are held. */
async function gatherSigned(
  tx: Tx,
  signed: SignedTicketScan,
  isGone: boolean,
): Promise<SignedTicketScan & GatheredScan> {
  const { place, list, input, ticket, revoked } = signed
  const { organizer, event } = place
  // Two scans of one code wait for each other, as those of a known ticket do at its position.
  if (tx.engine === 'postgres')
    await tx.get(
      sql`SELECT id FROM checkin_list WHERE organizer = ${organizer} AND id = ${list.facts.id}${tx.forUpdate}`,
    )
  const history = await codeHistory(tx, organizer, input.code, list.facts.id)
  const blocked = await isBlocked(tx, organizer, input.code)
  const given = { stored: new Set<number>(), given: input.answers }
  const { answers, openQuestions } = await gatherAnswers(tx, signed, ticket.item, given)
  const circumstances = {
    list: list.facts,
    ticket: { ...ticketFacts(event, input.code, ticket), blocked: blocked ? ['blocked'] : [] },
    priorCheckins: priorCheckins(history),
    times: await timesFor(tx, organizer, list, ticket.subevent),
    scan: scanFacts(signed, revoked || isGone),
    missing: openQuestions.length > 0,
    locale: input.language ?? list.event.locale,
  }
  return { ...signed, circumstances, history, answers, openQuestions }
}

const isBlocked = async (tx: Tx, organizer: number, code: string): Promise<boolean> =>
  (await tx.get(
    sql`SELECT id FROM blocked_secret WHERE organizer = ${organizer} AND secret = ${code} AND blocked = 1`,
  )) !== undefined

/** A ticket of which nothing is known but what its code says. Nobody can tell whether it was paid. */
const ticketFacts = (event: number, code: string, ticket: SignedTicket): TicketFacts => ({
  id: 0,
  event,
  positionid: 0,
  secret: code,
  item: ticket.item,
  variation: ticket.variation,
  subevent: ticket.subevent,
  addon_to: null,
  canceled: false,
  blocked: [],
  valid_from: ticket.valid_from,
  valid_until: ticket.valid_until,
  order_status: 'p',
  require_approval: false,
  valid_if_pending: false,
})

/** Reasons that are found before it is asked what the product is. */
const beforeProduct: ReadonlySet<Reason> = new Set(['revoked', 'blocked', 'invalid_time', 'product'])

/** The decision with a refusal explained; a product that is not known here admits nobody. */
async function review(tx: Tx, scan: SignedTicketScan & GatheredScan, decision: Decision): Promise<Decision> {
  const { place, input, ticket, circumstances, revoked } = scan
  const isEarly = decision.outcome === 'refuse' && beforeProduct.has(decision.reason)
  const t = serverTranslator(circumstances.locale)
  if (!isEarly && !input.force && !(await signedProduct(tx, place.organizer, place.event, ticket)).item)
    return { outcome: 'refuse', reason: 'error', explanation: t('rule.unknown-product') }
  if (decision.outcome !== 'refuse') return refusedAsFull(tx, scan, circumstances, decision)
  if (decision.reason === 'revoked' && !revoked) return { ...decision, explanation: t('rule.not-on-list') }
  return { outcome: 'refuse', ...(await explainRefusal(tx, place, circumstances, decision)) }
}

async function record(
  tx: Tx,
  scan: SignedTicketScan & GatheredScan,
  decision: Decision,
): Promise<RedeemOutcome> {
  const { list, ticket, input, circumstances, history, answers, openQuestions: questions } = scan
  const signed = { code: input.code, ticket }
  switch (decision.outcome) {
    case 'refuse':
      return refuse(tx, scan, decision)
    case 'incomplete':
      return outcomeOf({ status: 'incomplete', list, signed, questions })
    case 'admit': {
      const { replay, forced } = decision
      const known = replay ? circumstances.priorCheckins.find((one) => one.nonce === input.nonce) : undefined
      if (known) return outcomeOf({ status: 'ok', list, signed, checkin: known.id })
      const admitted = { forced, ordinal: nextOrdinal(history), answers }
      const { id, fact } = await recordSigned(tx, scan, ticket, admitted)
      return outcomeOf({ status: 'ok', list, signed, checkin: id, fact })
    }
  }
}

async function refuse(tx: Tx, scan: SignedTicketScan, refusal: ScanRefusal): Promise<RedeemOutcome> {
  const { list, ticket, input } = scan
  const { reason, explanation } = refusal
  const { id, fact } = await recordSigned(tx, scan, ticket, refusal)
  const signed = { code: input.code, ticket }
  return outcomeOf({ status: 'error', reason, explanation, list, signed, checkin: id, fact })
}

/** A ticket was admitted. There is no position yet to keep the answers at, so they travel with the scan. */
interface SignedAdmission extends ScanAdmission {
  readonly answers: ReadonlyMap<number, ParsedAnswer | null>
}

const isRefusal = (result: SignedAdmission | ScanRefusal): result is ScanRefusal => 'reason' in result

/** Writes a scan that was decided by a signature, and reports it upstream; a refusal once for each nonce. */
async function recordSigned(
  tx: Tx,
  scan: ListedScan,
  ticket: SignedTicket,
  result: SignedAdmission | ScanRefusal,
): Promise<RecordedScan> {
  const { actor, place, list, input } = scan
  const same = isRefusal(result) ? await sameFailure(tx, scan, result.reason) : undefined
  if (same) return same
  const row = {
    ...scanRow(tx, scan),
    raw_item: ticket.item,
    raw_variation: ticket.variation,
    raw_subevent: ticket.subevent,
    ...(isRefusal(result)
      ? { successful: false, error_reason: result.reason, error_explanation: result.explanation }
      : { forced: result.forced, ordinal: result.ordinal }),
  }
  await insertRow(tx, checkin, place, row)
  await recordWrongClock(tx, place, row)
  const answers = isRefusal(result) ? [] : answersGiven(result.answers)
  const payload = { row, secret: input.code, by_signature: true, ...(answers.length > 0 ? { answers } : {}) }
  const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  tx.audit(place, actor, {
    action: isRefusal(result) ? 'ticketsvc.event.checkin.denied' : 'ticketsvc.event.checkin',
    resource: 'checkin_list',
    row: list.facts.id,
    data: {
      by_signature: true,
      item: ticket.item,
      list: list.facts.id,
      type: input.type,
      datetime: row.datetime,
      ...(isRefusal(result) ? { reason: result.reason } : { first_checkin: result.ordinal === 1 }),
    },
  })
  return { id: row.id, fact }
}
