import type { JsonObject } from '../../../schema/fields.ts'
import type { Scope } from '../../resource/api.ts'
import { EndpointAnswer } from '../../resource/asked.ts'
import { audienceOf } from '../../resource/mask.ts'
import type { Query } from '../../resource/query.ts'
import type { ListAt } from '../../services/checkin/checkin-lists.ts'
import type { RedeemOutcome } from '../../services/checkin/redeem-input.ts'
import { presentOutcome, redeemStatus } from '../../services/checkin/redeem-present.ts'
import { addPdfData, wantsPdfData } from '../../services/orders/pdf-data.ts'
import { downloadSiteOf } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { expandAtDoor } from './expand-at-door.ts'

/** What became of a scan on some lists, with what the query asks to see of the position. */
export async function scanAnswer(
  db: Queryable,
  request: Scope & { readonly query: Query },
  outcome: RedeemOutcome,
  lists: readonly ListAt[],
): Promise<EndpointAnswer> {
  const { actor, organizer, origin = '', query } = request
  const site = downloadSiteOf(origin, organizer.slug, lists)
  const audience = audienceOf(actor)
  const status = redeemStatus(outcome)
  const body = await presentOutcome(db, organizer.id, outcome, { site, audience })
  if (!body.position || !outcome.position) return new EndpointAnswer(status, body)
  const plain = [body.position as JsonObject]
  const printed = wantsPdfData(actor, query)
    ? await addPdfData(db, organizer.id, site, { positions: [outcome.position], shown: plain, audience })
    : plain
  const view = { list: outcome.list.facts.id, atDoor: true, site, audience }
  const [position] = await expandAtDoor(db, request, view, printed)
  return new EndpointAnswer(status, { ...body, position })
}
