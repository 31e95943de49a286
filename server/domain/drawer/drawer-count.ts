import { type MovementKind, movementKinds, type ReceiptType } from '../../../schema/receipt-words.ts'
import {
  cashIn,
  type ReceiptLine,
  type ReceiptPayment,
  type ReceiptTax,
  taxesOf,
  totalAmount,
} from './receipts.ts'

/** A receipt as far as a report of its drawer looks at it. */
export interface CountedReceipt {
  readonly till: number
  readonly site: number
  readonly number: number
  readonly type: ReceiptType
  readonly training: boolean
  readonly cashier: string
  readonly total: number
  readonly lines: readonly ReceiptLine[]
  readonly payments: readonly ReceiptPayment[]
}

/** The receipts of one chain that a report covers. */
export interface CoveredReceipts {
  readonly till: number
  readonly site: number
  readonly first: number
  readonly last: number
  readonly count: number
}

/** What went through a drawer: amounts in hundredths. Training is counted apart; only in a drawer for training it is cash. */
export interface DrawerSums {
  readonly receipts: number
  readonly sales: number
  readonly refunds: number
  readonly by_provider: Readonly<Record<string, number>>
  readonly by_cashier: Readonly<Record<string, number>>
  readonly movements: Readonly<Record<MovementKind, number>>
  readonly taxes: readonly ReceiptTax[]
  readonly training: { readonly receipts: number; readonly total: number }
  readonly covered: readonly CoveredReceipts[]
  /** What should be in the drawer; one for training has what was practised with. */
  readonly expected_cash: number
}

const isSale = ({ type }: CountedReceipt): boolean => type !== 'movement'

/** Sums by a name; names have no meaning here, so that none can be mistaken for what every object has. */
function sumsBy<T>(rows: readonly T[], nameOf: (row: T) => string, amountOf: (row: T) => number) {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + amountOf(row))
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function coveredBy(receipts: readonly CountedReceipt[]): CoveredReceipts[] {
  const chains = Map.groupBy(receipts, ({ till, site }) => `${till} ${site}`)
  return [...chains.values()].flatMap((chain) => {
    const [one] = chain
    const numbers = chain.map(({ number }) => number)
    if (!one) return []
    const { till, site } = one
    return [{ till, site, first: Math.min(...numbers), last: Math.max(...numbers), count: chain.length }]
  })
}

/** What the receipts of a drawer come to: the figures of its X and Z reports. */
export function drawerSums(
  receipts: readonly CountedReceipt[],
  drawer: { readonly training: boolean } = { training: false },
): DrawerSums {
  const real = receipts.filter(({ training }) => !training)
  const training = receipts.filter((one) => one.training)
  const sales = real.filter(isSale)
  const moved = real.filter((one) => !isSale(one)).flatMap(({ lines }) => lines)
  const totalOf = (some: readonly CountedReceipt[]): number => totalAmount(some.map(({ total }) => total))
  const movement = (kind: MovementKind): number =>
    totalAmount(moved.filter((line) => line.kind === kind).map(({ amount }) => amount))
  return {
    receipts: real.length,
    sales: totalOf(sales.filter(({ type }) => type === 'sale')),
    refunds: totalOf(sales.filter(({ type }) => type !== 'sale')),
    by_provider: sumsBy(
      sales.flatMap(({ payments }) => payments),
      ({ provider }) => provider,
      ({ amount }) => amount,
    ),
    by_cashier: sumsBy(
      sales,
      ({ cashier }) => cashier,
      ({ total }) => total,
    ),
    movements: Object.fromEntries(
      movementKinds.map((kind) => [kind, movement(kind)]),
    ) as DrawerSums['movements'],
    taxes: taxesOf(sales.flatMap(({ lines }) => lines)),
    training: { receipts: training.length, total: totalOf(training) },
    covered: coveredBy(receipts),
    expected_cash: totalAmount((drawer.training ? receipts : real).map(({ payments }) => cashIn(payments))),
  }
}

/** How many there are of each note and coin, by its worth in hundredths. */
export type Denominations = Readonly<Record<string, number>>

/** What counted notes and coins come to, in hundredths. */
export const countedCash = (denominations: Denominations): number =>
  totalAmount(Object.entries(denominations).map(([worth, count]) => Number(worth) * count))

/** A receipt that was not covered when its drawer was closed, although it belongs to it. */
export const isLate = (
  covered: readonly CoveredReceipts[],
  { till, site, number }: Pick<CountedReceipt, 'till' | 'site' | 'number'>,
): boolean =>
  !covered.some((one) => one.till === till && one.site === site && one.first <= number && number <= one.last)
