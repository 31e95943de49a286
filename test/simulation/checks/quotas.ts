import { scarceSize } from '../plan.ts'
import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/** Whether more was sold than there is, except knowingly, and whether what may still be sold fits beside it. */
export function checkQuotas(run: Run, central: Held): void {
  const { scenario, ledger } = run
  const sold = central.all<{ id: number; secret: string }>(
    `SELECT p.id, p.secret FROM order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
     WHERE p.item = ? AND p.canceled = 0 AND o.status IN ('n', 'p')`,
    scenario.scarce,
  )
  const bold = new Set(
    [...ledger.tickets.values()].filter(({ atRisk }) => atRisk).flatMap(({ codes }) => codes),
  )
  const knowingly = sold.filter(({ secret }) => bold.has(secret)).length
  const [open] = central.all<{ free: number | null }>(
    "SELECT sum(size - used) AS free FROM quota_lease WHERE quota = ? AND state = 'open' AND parent IS NULL",
    scenario.scarceQuota,
  )
  const free = Number(open?.free ?? 0)
  if (sold.length - knowingly > scarceSize)
    ledger.wrongs.push(`${sold.length} were sold of ${scarceSize}, only ${knowingly} of them knowingly`)
  if (free > 0) ledger.reached.add('leases are open')
  if (sold.length > scarceSize) ledger.reached.add('oversold knowingly')
}
