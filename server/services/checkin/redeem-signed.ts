import sql from 'sql-template-tag'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { decide, type Reason, type TicketFacts } from '../../domain/checkin/checkin.ts'
import { judgeAnswers } from '../../domain/questions/answers.ts'
import { explainRules } from '../../domain/rules/explanation.ts'
import type { SignedTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { questionFacts, questionsAtDoor } from '../catalogue/questions.ts'
import { type ListAt, timesFor } from './checkin-lists.ts'
import { type RedeemInput, type RedeemOutcome, scanOf } from './redeem-input.ts'
import { labelsFor } from './rule-labels.ts'
import { ledgerOf } from './signed-ledger.ts'
import { recordSigned } from './signed-records.ts'
import { signedProduct } from './signed-shown.ts'
import { findSigned, standingOf } from './signed-standing.ts'

/** A ticket of which nothing is known but what its code says. Nobody can tell whether it was paid. */
const ticketFacts = (event: number, code: string, ticket: SignedTicket, isBlocked: boolean): TicketFacts => ({
  id: 0,
  event,
  positionid: 0,
  secret: code,
  item: ticket.item,
  variation: ticket.variation,
  subevent: ticket.subevent,
  addon_to: null,
  canceled: false,
  blocked: isBlocked ? ['blocked'] : [],
  valid_from: ticket.valid_from,
  valid_until: ticket.valid_until,
  order_status: 'p',
  require_approval: false,
  valid_if_pending: false,
})

/** Reasons that are found before it is asked what the product is. */
const beforeProduct: ReadonlySet<Reason> = new Set(['revoked', 'blocked', 'invalid_time', 'product'])

/**
 * Judges a code that belongs to no position known here by its signature, and records what came of it; undefined when
 * none of the lists' events has signed it. `revoked`: the code is on the list of those. A node that knows every order
 * lets nobody in by a signature.
 */
export async function redeemSigned(
  tx: Tx,
  actor: Actor,
  organizer: number,
  lists: readonly ListAt[],
  input: RedeemInput,
  at: string,
  revoked: boolean,
): Promise<RedeemOutcome | undefined> {
  const found = await findSigned(tx, organizer, lists, input.code)
  if (!found) return undefined
  const { ticket, list } = found
  const place = { organizer, event: list.facts.event }
  const base = { list, position: null, signed: { code: input.code, ticket }, questions: [] }
  const refuse = async (reason: Reason, explanation: string | null): Promise<RedeemOutcome> => {
    const scan = await recordSigned(tx, actor, found, input, at, { reason, explanation })
    return { ...base, status: 'error', reason, explanation, checkin: scan.id, fact: scan.fact }
  }
  const standing = await standingOf(tx, place.event, ticket)
  if (standing === 'unknown') return refuse(revoked ? 'revoked' : 'invalid', null)

  // Two scans of one code wait for each other, as those of a known ticket do at its position.
  if (tx.engine === 'postgres')
    await tx.get(
      sql`SELECT id FROM checkin_list WHERE organizer = ${organizer} AND id = ${list.facts.id}${tx.forUpdate}`,
    )
  const ledger = await ledgerOf(tx, organizer, input.code, list.facts.id)
  const passes = ledger.filter((one) => one.successful === 1)
  const facts = ticketFacts(place.event, input.code, ticket, await isBlocked(tx, organizer, input.code))
  const { timezone, locale: eventLocale } = list.event
  const locale = input.language ?? eventLocale
  const asked = input.type === 'entry' ? await questionsAtDoor(tx, place, ticket.item) : []
  const judged = judgeAnswers(
    asked.map(questionFacts),
    ticket.item,
    new Set(),
    input.answers,
    timezone,
    eventLocale,
  )
  const scan = scanOf(input, actor, at, revoked || standing === 'gone')
  const times = await timesFor(tx, organizer, list, ticket.subevent)
  const missing = judged.missing.length > 0
  const decision = decide({ list: list.facts, ticket: facts, passes, times, scan, missing, locale })

  const isEarly = decision.outcome === 'refuse' && beforeProduct.has(decision.reason)
  if (!isEarly && !input.force && !(await signedProduct(tx, organizer, place.event, ticket)).item)
    return refuse('error', serverTranslator(locale)('rule.unknown-product'))
  switch (decision.outcome) {
    case 'incomplete': {
      const questions = asked.filter((row) => judged.missing.includes(Number(row.id)))
      return {
        ...base,
        status: 'incomplete',
        reason: 'incomplete',
        explanation: null,
        questions,
        checkin: null,
        fact: null,
      }
    }
    case 'refuse': {
      if (decision.reason === 'revoked' && !revoked)
        return refuse('revoked', serverTranslator(locale)('rule.not-on-list'))
      if (decision.reason !== 'rules') return refuse(decision.reason, decision.explanation)
      const known = {
        product: ticket.item,
        variation: ticket.variation,
        gate: scan.gate,
        now: at,
        passes,
        times,
      }
      const labels = await labelsFor(tx, place, locale)
      return refuse('rules', explainRules(list.facts.rules, known, locale, labels))
    }
    case 'admit': {
      const pass = decision.replay ? passes.find((one) => one.nonce === input.nonce) : undefined
      const ordinal = 1 + Math.max(0, ...ledger.map((one) => one.ordinal ?? 0))
      const admitted = { forced: decision.forced, ordinal, answers: judged.valid }
      const recorded = pass
        ? { id: pass.id, fact: null }
        : await recordSigned(tx, actor, found, input, at, admitted)
      const told = { checkin: recorded.id, fact: recorded.fact }
      return { ...base, status: 'ok', reason: null, explanation: null, ...told }
    }
  }
}

const isBlocked = async (tx: Tx, organizer: number, code: string): Promise<boolean> =>
  (await tx.get(
    sql`SELECT id FROM blocked_secret WHERE organizer = ${organizer} AND secret = ${code} AND blocked = 1`,
  )) !== undefined
