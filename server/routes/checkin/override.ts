import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { requireAtEntrance } from '../../services/accounts/entrance-rights.ts'
import type { RedeemInput } from '../../services/checkin/redeem-input.ts'

/** Somebody who has a ticket scanned. */
interface ScanRequest {
  readonly actor: Actor
  header(name: string): string
}

/** Refuses to admit somebody all the same where only some staff may do that. */
export async function requireForOverride(
  tx: Tx,
  request: ScanRequest,
  { force, ignore_unpaid }: Pick<RedeemInput, 'force' | 'ignore_unpaid'>,
): Promise<void> {
  if (force || ignore_unpaid) await requireAtEntrance(tx, request, 'override', request.header('X-Step-Up'))
}
