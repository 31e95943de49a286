import type { DrawerFigures } from '../../../schema/bodies/drawers.ts'
import { drawer } from '../../../schema/resources/drawer/drawer.ts'
import { type DrawerSums, drawerSums } from '../../domain/drawer/drawer-count.ts'
import { notFound } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { findRow } from '../../resource/store.ts'
import type { Queryable } from '../../storage/database.ts'
import { hasRight } from '../accounts/staff-sign-in.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { receiptsOf, shownTax } from './receipt-rows.ts'

const amountsOf = (sums: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, amountOf(amount)]))

/** The figures of a report as they are stored and shown. */
export const shownSums = ({ taxes, training, covered, receipts, ...sums }: DrawerSums): DrawerFigures => ({
  receipts,
  ...{ sales: amountOf(sums.sales), refunds: amountOf(sums.refunds) },
  by_provider: amountsOf(sums.by_provider),
  by_cashier: amountsOf(sums.by_cashier),
  movements: amountsOf(sums.movements),
  taxes: taxes.map(shownTax),
  training: { receipts: training.receipts, total: amountOf(training.total) },
  covered,
  expected_cash: amountOf(sums.expected_cash),
})

/** The figures of a drawer; without amounts where it is counted blind. */
export type DrawerReportShown = Partial<DrawerFigures> & {
  readonly blind: boolean
  readonly receipts: number
}

/**
 * What went through a drawer so far, by the receipts that are known here. Where it is counted blind, a till gets no sum
 * from which the cash in it could be worked out, unless somebody has signed in who may see it.
 */
export async function drawerReport(
  db: Queryable,
  { actor, place, event }: OrderScope,
  id: number,
): Promise<DrawerReportShown> {
  const row = await findRow(db, drawer, place, { id })
  if (!row) throw notFound()
  const { receipts, covered, ...sums } = shownSums(drawerSums(await receiptsOf(db, place, id), row))
  const isBlind =
    row.state === 'open' && event.settings.drawer_blind_count && !(await hasRight(db, actor, 'expected_cash'))
  return { blind: isBlind, receipts, covered, ...(isBlind ? {} : sums) }
}
