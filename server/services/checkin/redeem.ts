import sql from 'sql-template-tag'
import { siteOf } from '../../../schema/sites.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { type Decision, decide, isCanceled } from '../../domain/checkin/checkin.ts'
import type { Reason, ScanType } from '../../domain/rules/facts.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { saleRefusal } from '../codes/refused-tickets.ts'
import { selectPositions } from '../orders/positions.ts'
import { reconcileConflicts } from './conflicts.ts'
import { explainRefusal } from './explain-refusal.ts'
import { findTicket, type TicketScan, type UnknownScan } from './find-ticket.ts'
import { refusedAsFull } from './list-status.ts'
import { type GatheredScan, gather } from './redeem-gather.ts'
import { outcomeOf, type RedeemOutcome, type RedeemRequest } from './redeem-input.ts'
import { recordCheckin, recordFailure, type ScanRefusal, saveAnswers } from './redeem-records.ts'
import { redeemSigned } from './redeem-signed.ts'
import { nextOrdinal } from './scan-history.ts'
import { findSigned } from './signed-acceptance.ts'
import { upstreamRefusal } from './upstream-refusals.ts'

/**
 * Decides a scan on the one of some lists that its ticket is on and records what came of it, in the transaction given: a check-in, a
 * failed one, or nothing while questions are open.
 */
export async function redeem(tx: Tx, request: RedeemRequest): Promise<RedeemOutcome> {
  const replay = await findReplay(tx, request)
  if (replay) return replay
  const found = await findTicket(tx, request)
  const refused = mayBeRefused(tx, found) ? await ofRefusedSale(tx, request, found) : undefined
  if (refused && !request.input.force) return refuse(tx, found, refused)
  if (found.position === null) {
    const signed = await redeemSigned(tx, request, found)
    const unknown: ScanRefusal = {
      reason: found.revoked ? 'revoked' : 'invalid',
      explanation: found.isElsewhere ? wordsFor(request, found)('rule.medium-elsewhere') : null,
    }
    return signed ?? refuse(tx, found, refused ?? unknown)
  }
  if (found.ambiguous) return refuse(tx, found, { reason: 'ambiguous', explanation: null })
  const scan = await gather(tx, found)
  const decision = decide(scan.circumstances)
  const final = await review(tx, scan, decision)
  if (keepsAnswers(scan, decision, final)) await saveAnswers(tx, scan, scan.position, scan.answers)
  return record(tx, scan, final)
}

/** What would be decided about a scan; nothing is recorded. */
export async function foresee(tx: Tx, request: RedeemRequest): Promise<Decision> {
  const found = await findTicket(tx, request)
  const refused = mayBeRefused(tx, found) ? await ofRefusedSale(tx, request, found) : undefined
  if (refused) return { outcome: 'refuse', ...refused }
  if (found.position === null) return { outcome: 'refuse', reason: 'invalid', explanation: null }
  if (found.ambiguous) return { outcome: 'refuse', reason: 'ambiguous', explanation: null }
  const scan = await gather(tx, found)
  return review(tx, scan, decide(scan.circumstances))
}

/** The translator for who reads why a scan was refused. */
const wordsFor = ({ input }: Pick<RedeemRequest, 'input'>, { list }: Pick<UnknownScan, 'list'>) =>
  serverTranslator(input.language ?? list.event.locale)

/** Whether a ticket can be of a sale that was not taken in: it is unknown, or a node below another one has sold it. */
const mayBeRefused = (tx: Tx, { position }: TicketScan | UnknownScan): boolean =>
  position === null || (tx.site !== 0 && siteOf(position.id) === tx.site)

/** What is said at the door of a sale that was not taken in, by why it was not. */
const saleRefusals: Readonly<Record<string, 'rule.may-not-sell' | 'rule.seller-revoked'>> = {
  may_not_sell: 'rule.may-not-sell',
  revoked: 'rule.seller-revoked',
}

/** Why a ticket is refused that is of a sale which was not taken in. */
async function ofRefusedSale(
  tx: Tx,
  { organizer, lists, input }: RedeemRequest,
  { list, position }: TicketScan | UnknownScan,
): Promise<ScanRefusal | undefined> {
  const events = lists.map((one) => one.facts.event)
  const reason = await saleRefusal(tx, organizer, events, position?.secret ?? input.code)
  if (reason === undefined) return undefined
  return {
    reason: 'blocked',
    explanation: wordsFor({ input }, { list })(saleRefusals[reason] ?? 'rule.sale-refused'),
  }
}

/** The decision with a refusal explained, or what the server upstream is known to have against admitting. */
async function review(tx: Tx, scan: TicketScan & GatheredScan, decision: Decision): Promise<Decision> {
  const { place, list, input, circumstances } = scan
  if (decision.outcome === 'refuse')
    return { outcome: 'refuse', ...(await explainRefusal(tx, place, circumstances, decision)) }
  if (input.force || isReplay(decision)) return decision
  const reason = await upstreamRefusal(tx, place.organizer, scan.ticket, {
    list: list.facts.id,
    code: input.code,
  })
  if (reason) return { outcome: 'refuse', reason, explanation: null }
  return refusedAsFull(tx, scan, circumstances, decision)
}

const isReplay = (decision: Decision): boolean => decision.outcome === 'admit' && decision.replay

/** Reasons that are found before answers are looked at, so that these are not kept. */
const beforeAnswers: ReadonlySet<Reason> = new Set(['canceled', 'blocked', 'invalid_time', 'revoked'])

/** Whether the answers that came with a scan are stored: they are also where the ticket is refused here after them. */
function keepsAnswers({ circumstances }: GatheredScan, decision: Decision, final: Decision): boolean {
  // Who does not know canceled tickets is told that they are unpaid.
  if (decision.outcome === 'refuse')
    return !beforeAnswers.has(decision.reason) && !isCanceled(circumstances.ticket)
  return final.outcome !== 'refuse' && !isReplay(decision)
}

async function record(tx: Tx, scan: TicketScan & GatheredScan, decision: Decision): Promise<RedeemOutcome> {
  switch (decision.outcome) {
    case 'refuse':
      return refuse(tx, scan, decision)
    case 'incomplete': {
      const { list, position, openQuestions: questions } = scan
      return outcomeOf({ status: 'incomplete', list, position, questions })
    }
    case 'admit':
      return admit(tx, scan, decision)
  }
}

async function refuse(tx: Tx, scan: TicketScan | UnknownScan, refusal: ScanRefusal): Promise<RedeemOutcome> {
  const { list, position } = scan
  const { reason, explanation } = refusal
  const { id, fact } = await recordFailure(tx, scan, position, refusal)
  return outcomeOf({ status: 'error', reason, explanation, list, position, checkin: id, fact })
}

async function admit(
  tx: Tx,
  scan: TicketScan & GatheredScan,
  { replay, forced }: { readonly replay: boolean; readonly forced: boolean },
): Promise<RedeemOutcome> {
  const { actor, place, list, input, position, circumstances, history } = scan
  const earlier = history.filter((one) => one.successful === 1)
  const known = replay ? circumstances.priorCheckins.find((one) => one.nonce === input.nonce) : undefined
  if (known) return outcomeOf({ status: 'ok', list, position, checkin: known.id, checkins: earlier })
  const { id, fact } = await recordCheckin(tx, scan, position, { forced, ordinal: nextOrdinal(history) })
  // Nobody else looks at what is forced here: it may contradict what was known.
  if (forced) await reconcileConflicts(tx, place, list.facts.id, position.id)
  const fresh = {
    id,
    position: position.id,
    list: list.facts.id,
    datetime: input.at ?? tx.now,
    type: input.type,
  }
  const checkins = [...earlier, { ...fresh, ...(await sentBy(tx, place.organizer, actor)) }]
  return outcomeOf({ status: 'ok', list, position, checkin: id, fact, checkins })
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

interface KnownScan {
  readonly id: number
  /** Null where a signature was all that was known. */
  readonly position: number | null
  readonly list: number
  readonly type: ScanType
  readonly raw_barcode: string | null
  readonly successful: number
  readonly error_reason: string | null
}

const scansWith = shaped(
  (organizer: number, nonce: string) =>
    sql`SELECT id, "position" AS position, list, "type" AS type, raw_barcode, successful, error_reason FROM checkin
        WHERE organizer = ${organizer} AND nonce = ${nonce}`,
)

/** The same scan, sent again because its answer was lost: it is answered as the first time, also after an undo. */
async function findReplay(
  tx: Tx,
  { organizer, lists, input }: RedeemRequest,
): Promise<RedeemOutcome | undefined> {
  if (input.nonce === null) return undefined
  // Only the nonce chooses in the statement: by the list, SQLite would look through everything that was scanned there.
  const found = await tx.all<KnownScan>(scansWith(organizer, input.nonce))
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
  const signed = position ? undefined : await findSigned(tx, organizer, [list], input.code)
  return outcomeOf({
    status: 'ok',
    list,
    position: position ?? null,
    signed: signed && { code: input.code, ticket: signed.ticket },
    checkin: known.id,
  })
}
