import type { JsonObject } from '../../../schema/fields.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import type { Queryable } from '../../storage/database.ts'
import { checkinTexts, needsAttention, presentPositions } from '../orders/positions.ts'
import type { DownloadSite } from '../orders/ticket-downloads.ts'
import { presentList } from './checkin-lists.ts'
import type { RedeemOutcome } from './redeem-input.ts'
import { presentSigned, signedAttention, signedProduct, signedTexts } from './signed-present.ts'

/**
 * What became of a scan in the JSON form of the API. An unknown code has no position; one that was decided by its signature
 * has `signed` instead.
 */
export async function presentOutcome(
  db: Queryable,
  organizer: number,
  outcome: RedeemOutcome,
  { site, audience }: { readonly site: DownloadSite; readonly audience: Audience },
): Promise<JsonObject> {
  const { status, reason, position, list, signed } = outcome
  const product = signed && (await signedProduct(db, organizer, list.facts.event, signed.ticket))
  const body: JsonObject = {
    status,
    ...(status === 'error' ? { reason, reason_explanation: outcome.explanation } : {}),
    require_attention: position ? needsAttention(position) : !!product && signedAttention(product),
    checkin_texts: position ? checkinTexts(position) : product ? signedTexts(product) : [],
    list: presentList(list),
    ...(signed ? { signed: presentSigned(signed.ticket) } : {}),
    ...(status === 'incomplete' ? { questions: outcome.questions } : {}),
  }
  if (position === null) return reason === 'invalid' ? { detail: 'Not found.', ...body } : body
  const [shown] = await presentPositions(db, organizer, [position], {
    list: list.facts.id,
    atDoor: true,
    checkins: outcome.checkins,
    site,
    audience,
  })
  return { ...body, position: shown }
}

/** The HTTP status that goes with what became of a scan. */
export const redeemStatus = (outcome: RedeemOutcome): 201 | 400 | 404 =>
  outcome.status === 'ok' ? 201 : outcome.reason === 'invalid' ? 404 : 400
