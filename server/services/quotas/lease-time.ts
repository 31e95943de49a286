import sql from 'sql-template-tag'
import { sellingTime, type TimeAnchor } from '../../domain/quotas/leases.ts'
import type { Tx } from '../../resource/transactions.ts'

const unknownStamp = { mono: 0, boot: '', clockOffset: 0 }

/**
 * What time it is for the end of leases, which no clock set back brings to life again; see sellingTime. It is
 * remembered, also for the next start of the program, unless this machine does not know the time yet.
 */
export async function leaseTime(tx: Tx): Promise<string> {
  const { mono, boot, clockOffset } = tx.stamp() ?? unknownStamp
  const anchor = await tx.get<TimeAnchor>(sql`SELECT "at", mono, boot FROM lease_clock WHERE id = 1`)
  const known = anchor ? { ...anchor, mono: anchor.mono } : null
  const at = sellingTime(tx.now, Math.round(mono), boot, known)
  if (clockOffset !== null) await remember(tx, { at, mono: Math.round(mono), boot })
  return at
}

/**
 * Takes the time of the transaction as right, since the upstream has just given it: a machine whose clock was ahead
 * can sell again.
 */
export async function trustTime(tx: Tx): Promise<void> {
  const { mono, boot, clockOffset } = tx.stamp() ?? unknownStamp
  if (clockOffset !== null) await remember(tx, { at: tx.now, mono: Math.round(mono), boot })
}

const remember = (tx: Tx, { at, mono, boot }: TimeAnchor): Promise<number> =>
  tx.run(
    sql`INSERT INTO lease_clock (id, "at", mono, boot) VALUES (1, ${at}, ${mono}, ${boot})
        ON CONFLICT (id) DO UPDATE SET "at" = excluded."at", mono = excluded.mono, boot = excluded.boot`,
  )
