import type { Sql } from 'sql-template-tag'
import { verifyTills } from '../../../server/services/drawer/verify-tills.ts'
import type { Queryable } from '../../../server/storage/database.ts'
import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/** A disk as services read from it. */
function queryable(held: Held): Queryable {
  const all = async <T>({ sql, values }: Sql): Promise<T[]> => held.all<T>(sql, ...values)
  return {
    engine: 'sqlite',
    all,
    get: async <T>(statement: Sql) => (await all<T>(statement))[0],
    remembered: (_, load) => load(),
    run: () => {
      throw new Error('This disk is only read.')
    },
  }
}

interface TillRow {
  readonly id: number
  readonly till: number
  readonly site: number
  readonly number: number
  readonly drawer: number
  readonly type: string
  readonly order: string | null
  readonly total: number
  readonly payments: string
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

/** The cash that a receipt says to have taken, in hundredths. */
const cashIn = ({ payments }: TillRow): number =>
  sumOf(
    (JSON.parse(payments) as readonly { readonly provider: string; readonly amount: string }[])
      .filter(({ provider }) => provider === 'boxoffice')
      .map(({ amount }) => Math.round(Number(amount) * 100)),
  )

/** Whether everything that tills have printed is on central once, without a gap, and money and sums agree. */
export async function checkTills(run: Run, central: Held, others: readonly Held[]): Promise<void> {
  const { record, plan } = run
  // A disk that was put back or copied gives numbers again; central keeps them all, for a person to look at.
  const disturbed = new Set(
    plan.steps.flatMap((step) => (step.kind === 'restore' || step.kind === 'clone' ? [step.machine] : [])),
  )
  const names = new Map(
    central
      .all<{ id: number; name: string }>('SELECT id, name FROM device')
      .map(({ id, name }) => [id, name]),
  )
  const isDisturbed = (till: number): boolean => disturbed.has((names.get(till) ?? '').replace(' below', ''))
  const receipts = central.all<TillRow>('SELECT * FROM receipt ORDER BY till, site, number, id')
  if (receipts.length > 0) record.reached.add('a till has receipts on central')
  await checkChains({ record, disturbed }, central, isDisturbed)
  checkPrinted(run, central, others)
  checkMoney(run, central, receipts)
  if (!disturbed.has('central')) checkClosings(run, central, { receipts, isDisturbed })
}

/**
 * Numbers without a gap, links that hold: where disks were put back, a number that comes twice is a conflict. What central
 * and the till have both forgotten is missing, and said to be.
 */
async function checkChains(
  { record, disturbed }: Pick<Run, 'record'> & { readonly disturbed: ReadonlySet<string> },
  central: Held,
  isDisturbed: (till: number) => boolean,
): Promise<void> {
  const noted = new Set(
    central
      .all<{ kind: string; data: string }>(
        "SELECT kind, data FROM conflict WHERE kind IN ('receipt_twice', 'closing_twice')",
      )
      .map(({ kind, data }) => {
        const { till, site, number } = JSON.parse(data) as { till: number; site: number; number: number }
        return [kind.replace('_twice', ''), till, site, number].join()
      }),
  )
  if (noted.size > 0) record.reached.add('conflict: a number was given twice')
  for (const found of (await verifyTills(queryable(central))).problems) {
    const { kind, till, site, number, problem } = found
    const isNoted = problem === 'twice' && noted.has([kind, till, site, number].join())
    if (isDisturbed(till) && (problem === 'unlinked' || isNoted)) continue
    if (isDisturbed(till) && problem === 'missing' && disturbed.has('central')) continue
    record.wrongs.push(`a till has a chain that is not whole: ${JSON.stringify(found)}`)
  }
}

/** What was printed is there once, or waits where users see it. */
function checkPrinted({ record }: Run, central: Held, others: readonly Held[]): void {
  const hashes = (statement: string, disks: readonly Held[]): readonly string[] =>
    disks.flatMap((held) => held.all<{ hash: string }>(statement).map(({ hash }) => hash))
  const counts = new Map<string, number>()
  for (const hash of hashes('SELECT hash FROM receipt UNION ALL SELECT hash FROM closing', [central]))
    counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const waiting = new Set(
    hashes(
      "SELECT json_extract(fact, '$.fact.payload.row.hash') AS hash FROM quarantine WHERE hash IS NOT NULL",
      [central, ...others],
    ),
  )
  for (const [hash, count] of counts)
    if (count > 1)
      record.wrongs.push(`central has ${count} of what a till wrote once, ${record.printed.get(hash)}`)
  for (const [hash, what] of record.printed)
    if (!counts.has(hash) && !waiting.has(hash) && !record.goneReceipts.has(hash))
      record.wrongs.push(`central lacks one of the ${what}`)
}

/** A receipt comes to what was paid with it, and an order has one for its sale and no more for money back than it got. */
function checkMoney({ record }: Run, central: Held, receipts: readonly TillRow[]): void {
  const paid = (table: 'order_payment' | 'order_refund', states: string) =>
    new Map(
      central
        .all<{ code: string; amount: number }>(
          `SELECT o.code, sum(m.amount) AS amount FROM ${table} m JOIN orders o ON o.id = m.order_id
           WHERE m.state IN (${states}) GROUP BY o.code`,
        )
        .map(({ code, amount }) => [code, amount]),
    )
  const payments = paid('order_payment', "'confirmed', 'refunded'")
  const refunds = paid('order_refund', "'done'")
  for (const [order, own] of Map.groupBy(receipts, (receipt) => receipt.order)) {
    if (order === null || !payments.has(order)) continue
    const totalOf = (type: string) => sumOf(own.filter((one) => one.type === type).map(({ total }) => total))
    if (own.some(({ type }) => type === 'sale') && totalOf('sale') !== payments.get(order))
      record.wrongs.push(
        `the receipts of ${order} come to ${totalOf('sale')}, and it was paid ${payments.get(order)}`,
      )
    if (-totalOf('refund') > (refunds.get(order) ?? 0))
      record.wrongs.push(`the receipts of ${order} give back more than was given back`)
  }
  for (const { comment, count } of central.all<{ comment: string; count: number }>(
    "SELECT comment, count(*) AS count FROM order_refund WHERE comment LIKE 'refund %' GROUP BY comment HAVING count(*) > 1",
  ))
    record.wrongs.push(`money was given back ${count} times for one request, ${comment}`)
}

interface Covered {
  readonly till: number
  readonly site: number
  readonly first: number
  readonly last: number
}

/** A closing expects what the receipts that it covers come to, and covers all that its drawer had by then. */
function checkClosings(
  { record }: Run,
  central: Held,
  {
    receipts,
    isDisturbed,
  }: { readonly receipts: readonly TillRow[]; readonly isDisturbed: (till: number) => boolean },
): void {
  const closings = central.all<
    TillRow & { expected: number; difference: number; sums: string; state: string | null }
  >('SELECT c.*, d.state FROM closing c LEFT JOIN drawer d ON d.id = c.drawer')
  if (closings.length > 0) record.reached.add('a drawer was closed')
  for (const { drawer, till, site, number, expected, difference, sums, state } of closings) {
    if (isDisturbed(till)) continue
    const what = `closing ${number} of the till ${till} at ${site}`
    const covered = (JSON.parse(sums) as { covered: readonly Covered[] }).covered
    const own = receipts.filter((one) => one.drawer === drawer)
    const isCovered = (row: TillRow): boolean =>
      covered.some(
        (one) =>
          one.till === row.till && one.site === row.site && one.first <= row.number && row.number <= one.last,
      )
    const cash = sumOf(own.filter(isCovered).map(cashIn))
    const rest = own.filter((row) => row.site === site && !isCovered(row))
    if (cash !== expected) record.wrongs.push(`${what} expects ${expected}, and its receipts come to ${cash}`)
    if (sumOf(rest.map(cashIn)) !== difference)
      record.wrongs.push(`${what} has other receipts than that of its difference: ${JSON.stringify(rest)}`)
    if (state !== 'closed') record.wrongs.push(`${what} has left its drawer ${state}`)
    if (closings.filter((one) => one.drawer === drawer).length > 1)
      record.wrongs.push(`${what} is not the only one of its drawer`)
  }
}
