import { type SaleFromLeases, takeFromLeases } from '../../domain/quotas/lease-sales.ts'
import { counts, type ProductLine, type QuotaFacts, type Shortage } from '../../domain/quotas/quotas.ts'
import { Refusal, type RefusalBody } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type LeaseHolder, readHolder, readLeasedStock, usableOf } from './lease-holder.ts'
import { quotasOf, shortageText } from './quota-usage.ts'

/** How many are needed of a quota. */
export interface Need {
  readonly quota: number
  readonly count: number
}

/** 400: this node may not sell that many without asking. With `needs`, more can be asked for. */
export class LeasesUsedUp extends Refusal {
  readonly needs: readonly Need[]

  constructor(body: RefusalBody, needs: readonly Need[]) {
    super(400, body)
    this.name = 'LeasesUsedUp'
    this.needs = needs
  }
}

/** How products are sold from leases. */
interface SaleTerms {
  /** Whether what is missing is sold at risk, as far as the node's settings allow that. */
  readonly force: boolean
  /** The cart positions that become what is sold. */
  readonly carts: readonly ProductLine[]
}

/**
 * Takes some products from what a node may sell without asking its upstream; null on a node that has none. Throws
 * LeasesUsedUp with messages aligned with the lines.
 */
export async function sellFromLeases(
  tx: Tx,
  place: Place,
  lines: readonly ProductLine[],
  { force, carts }: SaleTerms,
): Promise<SaleFromLeases | null> {
  if (tx.site === 0) return null
  const holder = await readHolder(tx)
  if (!holder) return null
  const quotas = (await quotasOf(tx, place)).filter((one) => lines.some((line) => counts(one, line)))
  const limited = quotas.flatMap(({ id, size, closed }) => (size === null && !closed ? [] : [id]))
  const stock = await readLeasedStock(tx, holder, limited, carts)
  const bold = holder.settings.sell_at_risk
  const risk = new Map(limited.map((id) => [id, Math.max(0, bold - (stock.risks.get(id) ?? 0))]))
  const sale = takeFromLeases(quotas, usableOf(stock), lines, force ? risk : null)
  if (sale.shortages.every((shortage) => shortage === null)) return sale
  const positions = sale.shortages.map((one) => (one ? { item: [whyNotSold(holder, one)] } : {}))
  throw new LeasesUsedUp({ positions }, needsOf(quotas, lines))
}

/** What some products need of the limited quotas. */
export const needsOf = (quotas: readonly QuotaFacts[], lines: readonly ProductLine[]): Need[] =>
  quotas
    .filter(({ size, closed }) => size !== null && !closed)
    .map((quota) => ({ quota: quota.id, count: lines.filter((line) => counts(quota, line)).length }))

/** Why a node below another one cannot sell something, in words for whoever wanted to sell. */
export function whyNotSold({ settings }: LeaseHolder, shortage: Shortage): string {
  if (shortage.kind === 'none' || shortage.quota.closed) return shortageText(shortage)
  const { name } = shortage.quota
  return settings.sell_at_risk > 0
    ? `Nothing is left of what this station may sell of quota "${name}". Connect it to get more, or sell at risk.`
    : `Nothing is left of what this station may sell of quota "${name}". Connect it to get more.`
}
