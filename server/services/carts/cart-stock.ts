import { counts, type ProductLine, type QuotaFacts, type Shortage } from '../../domain/quotas/quotas.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { readHolder, readLeasedStock } from '../quotas/lease-holder.ts'
import { type Need, needsOf, whyNotSold } from '../quotas/lease-sales.ts'
import { type QuotaStock, quotasOf, shortageText, stockFor } from '../quotas/quota-usage.ts'

/** What carts can be filled from, and how to tell that it is not enough. */
export interface CartQuotas extends QuotaStock {
  /** What is lacking, in words. */
  explain(shortage: Shortage): string
  /** What would have to be asked for to have enough for some products; null where nobody can be asked. */
  needs(lines: readonly ProductLine[]): readonly Need[] | null
}

/**
 * What can be put into carts of some products: on a node below another one what it may sell without asking, elsewhere
 * what is left of the quotas, which stay locked until the commit.
 */
export async function stockForCarts(
  tx: Tx,
  place: Place,
  lines: readonly ProductLine[],
): Promise<CartQuotas> {
  const holder = tx.site === 0 ? undefined : await readHolder(tx)
  if (!holder) return { ...(await stockFor(tx, place, lines)), explain: shortageText, needs: () => null }
  const quotas = (await quotasOf(tx, place)).filter((one) => lines.some((line) => counts(one, line)))
  const limited = quotas.flatMap(({ id, size, closed }) => (size === null || closed ? [] : [id]))
  const { own } = await readLeasedStock(tx, holder, limited)
  const leftOf = ({ id, size, closed }: QuotaFacts): number | null => {
    if (closed) return 0
    if (size === null) return null
    return own.reduce((sum, lease) => (lease.quota === id ? sum + lease.free : sum), 0)
  }
  return {
    quotas,
    left: new Map(quotas.map((one) => [one.id, leftOf(one)])),
    explain: (shortage) => whyNotSold(holder, shortage),
    needs: (wanted) => needsOf(quotas, wanted),
  }
}
