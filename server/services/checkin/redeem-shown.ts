import type { RowData } from '../../resource/codec.ts'
import type { Queryable } from '../../storage/database.ts'
import { checkinTexts, needsAttention, presentPositions } from '../orders/positions.ts'
import type { DownloadSite } from '../orders/ticket-downloads.ts'
import { listShown } from './checkin-lists.ts'
import type { RedeemOutcome } from './redeem-input.ts'
import { signedAttention, signedProduct, signedShown, signedTexts } from './signed-shown.ts'

/**
 * What became of a scan in the JSON form of the API. An unknown code has no position; one that was judged by its signature
 * has `signed` instead.
 */
export async function redeemShown(
  db: Queryable,
  organizer: number,
  outcome: RedeemOutcome,
  site: DownloadSite,
): Promise<RowData> {
  const { status, reason, position, list, signed } = outcome
  const product = signed && (await signedProduct(db, organizer, list.facts.event, signed.ticket))
  const body: RowData = {
    status,
    ...(status === 'error' ? { reason, reason_explanation: outcome.explanation } : {}),
    require_attention: position ? needsAttention(position) : !!product && signedAttention(product),
    checkin_texts: position ? checkinTexts(position) : product ? signedTexts(product) : [],
    list: listShown(list),
    ...(signed ? { signed: signedShown(signed.ticket) } : {}),
  }
  if (status === 'incomplete') body.questions = outcome.questions
  if (position === null) return reason === 'invalid' ? { detail: 'Not found.', ...body } : body
  const [shown] = await presentPositions(db, organizer, [position], {
    list: list.facts.id,
    atDoor: true,
    passes: outcome.passes,
    site,
  })
  return { ...body, position: shown }
}

/** The HTTP status that goes with what became of a scan. */
export const redeemStatus = (outcome: RedeemOutcome): 201 | 400 | 404 =>
  outcome.status === 'ok' ? 201 : outcome.reason === 'invalid' ? 404 : 400
