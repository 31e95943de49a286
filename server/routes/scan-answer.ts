import type { RowData } from '../resource/codec.ts'
import type { Query } from '../resource/query.ts'
import type { RedeemOutcome } from '../services/redeem-input.ts'
import { redeemShown, redeemStatus } from '../services/redeem-shown.ts'
import type { Queryable } from '../storage/database.ts'
import { expandRows } from './expand.ts'

/** An answer of a redeem endpoint. */
export interface ScanAnswer {
  readonly status: number
  readonly body: RowData
}

/** What became of a scan, with what the query asks to expand. */
export async function scanAnswer(
  db: Queryable,
  organizer: number,
  outcome: RedeemOutcome,
  query: Query,
): Promise<ScanAnswer> {
  const status = redeemStatus(outcome)
  const body = await redeemShown(db, organizer, outcome)
  if (!body.position) return { status, body }
  const [position] = await expandRows(db, organizer, [body.position as RowData], query)
  return { status, body: { ...body, position } }
}
