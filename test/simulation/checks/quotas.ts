import { scarceSize } from '../plan/plan.ts'
import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/** Whether more was sold than there is, except knowingly, and whether what may still be sold fits beside it. */
export function checkQuotas(run: Run, central: Held, others: readonly Held[]): void {
  const { scenario, record } = run
  const sold = central.all<Sold>(
    `SELECT p.secret, o.secret AS "order" FROM order_position p
       JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
     WHERE p.item = ? AND p.canceled = 0 AND o.status IN ('n', 'p')`,
    scenario.scarce,
  )
  const bold = new Set(
    [...record.tickets.values()].filter(({ atRisk }) => atRisk).flatMap(({ codes }) => codes),
  )
  const boldly = sold.filter(({ secret }) => bold.has(secret))
  const unaware = soldUnaware(
    run,
    central,
    others,
    sold.filter(({ secret }) => !bold.has(secret)),
  )
  const [open] = central.all<{ free: number | null }>(
    "SELECT sum(size - used) AS free FROM quota_lease WHERE quota = ? AND state = 'open' AND parent IS NULL",
    scenario.scarceQuota,
  )
  const free = open?.free ?? 0
  if (sold.length - boldly.length - unaware > scarceSize)
    record.wrongs.push(
      `${sold.length} were sold of ${scarceSize}, only ${boldly.length} of them knowingly and ${unaware} from leases that central forgot`,
    )
  if (free > 0) record.reached.add('leases are open')
  if (unaware > 0) record.reached.add('sold from a forgotten lease')
  if (sold.length <= scarceSize) return
  record.reached.add('oversold')
  if (central.all("SELECT 1 FROM conflict WHERE kind = 'oversold_quota' LIMIT 1").length === 0)
    record.wrongs.push(`${sold.length} were sold of ${scarceSize}, and nobody is told`)
}

/** A ticket that was sold, by its code, and its order by the secret that no other has. */
interface Sold {
  readonly secret: string
  readonly order: string
}

interface SentSale {
  readonly order: { readonly secret: string; readonly code: string }
  readonly leases: readonly {
    readonly lease: number
    readonly parent: number | null
    readonly count: number
  }[]
}

/**
 * How many were sold from leases that central had forgotten when it was put back, by stations that could not have heard
 * of it. Central gives the same places to others, and nobody can keep it from that: what it has forgotten it cannot
 * count, and who sells alone cannot ask. Whoever has a new copy since sells nothing from such a lease any more.
 */
function soldUnaware({ record }: Run, central: Held, others: readonly Held[], sold: readonly Sold[]): number {
  const known = new Set(central.all<{ id: number }>('SELECT id FROM quota_lease').map(({ id }) => id))
  const forgottenAt = (lease: number | null): number =>
    lease === null || known.has(lease) ? 0 : (record.forgotten.get(lease) ?? 0)
  const unaware = new Map<string, number>()
  for (const held of others)
    for (const { payload } of held.all<{ payload: string }>(
      "SELECT payload FROM outbox WHERE kind = 'order'",
    )) {
      const { order, leases }: SentSale = JSON.parse(payload)
      const heard = record.sold.get(order.code) ?? 0
      const count = leases
        .filter(({ lease, parent }) => Math.max(forgottenAt(lease), forgottenAt(parent)) > heard)
        .reduce((sum, one) => sum + one.count, 0)
      unaware.set(order.secret, count)
    }
  return [...unaware]
    .map(([secret, count]) => Math.min(count, sold.filter(({ order }) => order === secret).length))
    .reduce((sum, count) => sum + count, 0)
}
