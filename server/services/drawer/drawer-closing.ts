import sql, { join } from 'sql-template-tag'
import { readInstant } from '../../../schema/instants.ts'
import { closing, type StoredClosing } from '../../../schema/resources/drawer/closing.ts'
import { drawer, type StoredDrawer } from '../../../schema/resources/drawer/drawer.ts'
import { siteSpan } from '../../../schema/sites.ts'
import { countedCash, type DrawerSums, drawerSums } from '../../domain/drawer/drawer-count.ts'
import { invalid, Refusal } from '../../errors.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { tillWithUnsettledMoney } from '../payments/till-payments.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { cashierAt } from './cashier.ts'
import { shownSums } from './drawer-report.ts'
import { ownDrawer, writeMovement } from './drawer-sessions.ts'
import { receiptsOf } from './receipt-rows.ts'
import { nextLink } from './till-count.ts'

/** What was counted in a drawer. */
export interface DrawerCount {
  readonly counted?: string
  readonly denominations?: Readonly<Record<string, number>>
  readonly reason?: string
}

/** What a closing says, as it is hashed. */
export const closingContent = (
  row: Omit<StoredClosing, 'hash' | 'previous_hash' | 'hash_version'>,
): object => ({
  ...{ till: row.till, site: row.site, number: row.number, drawer: row.drawer },
  ...{ opened: readInstant(row.opened) ?? row.opened, closed: readInstant(row.closed) ?? row.closed },
  ...{ cashier: row.cashier, staff: row.staff, currency: row.currency, reason: row.reason },
  ...{ expected: row.expected, counted: row.counted, difference: row.difference },
  ...{ denominations: row.denominations, sums: row.sums },
})

function countedIn({ counted, denominations = {} }: DrawerCount): number {
  if (!Object.keys(denominations).every((worth) => /^\d{1,7}\.\d\d$/.test(worth)))
    throw invalid({ denominations: ['Name notes and coins by their worth, such as 20.00.'] })
  const cents = Object.fromEntries(
    Object.entries(denominations).map(([worth, count]) => [String(hundredths(worth)), count]),
  )
  const inAll = countedCash(cents)
  if (counted === undefined) {
    if (Object.keys(denominations).length > 0) return inAll
    throw invalid({ counted: ['Say what was counted, as a sum or by notes and coins.'] })
  }
  if (Object.keys(denominations).length > 0 && hundredths(counted) !== inAll)
    throw invalid({ counted: [`The notes and coins come to ${amountOf(inAll)}.`] })
  return hundredths(counted)
}

/** Refuses to close a drawer while something at one of its tills is not settled. */
async function refuseUnsettled(tx: Tx, { organizer, event }: Place, tills: readonly number[]): Promise<void> {
  const basket = await tx.get<{ device: number }>(
    sql`SELECT device FROM cart_position WHERE organizer = ${organizer} AND event = ${event}
          AND device IN (${join([...tills])}) AND expires > ${tx.now} ORDER BY id LIMIT 1`,
  )
  if (basket) {
    const till = await nameOfTill(tx, organizer, basket.device)
    const detail = `The till "${till}" has a basket that is open. Sell it or empty it there, then close again.`
    throw new Refusal(409, { detail, reason: 'open_basket', till })
  }
  const device = await tillWithUnsettledMoney(tx, organizer, tills)
  if (device !== undefined || (await hasPendingPayments(tx, organizer))) {
    const till = await nameOfTill(tx, organizer, device ?? tills[0] ?? 0)
    const detail = `At the till "${till}" it is not known whether a card payment was taken, or one was taken without a sale. Settle it there, then close again.`
    throw new Refusal(409, { detail, reason: 'open_card', till })
  }
}

/** Whether payments wait that were begun at this station; central knows of nobody's tills which these are. */
async function hasPendingPayments(tx: Tx, organizer: number): Promise<boolean> {
  if (tx.site === 0) return false
  const own = sql`id >= ${tx.site * siteSpan} AND id < ${(tx.site + 1) * siteSpan}`
  const row = await tx.get(
    sql`SELECT id FROM order_payment WHERE organizer = ${organizer} AND ${own} AND state = 'pending' LIMIT 1`,
  )
  return row !== undefined
}

async function nameOfTill(tx: Tx, organizer: number, id: number): Promise<string> {
  const row = await tx.get<{ name: string }>(
    sql`SELECT name FROM device WHERE organizer = ${organizer} AND id = ${id}`,
  )
  return row?.name ?? ''
}

/** Closes a drawer by what was counted in it; what is missing or too much is a receipt of its own. The closing. */
export async function closeDrawer(tx: Tx, at: OrderScope, id: number, count: DrawerCount): Promise<number> {
  const { actor, place } = at
  const open = await ownDrawer(tx, at, id)
  await refuseUnsettled(tx, place, open.row.tills)
  const counted = countedIn(count)
  const sums = drawerSums(await receiptsOf(tx, place, id), open.row)
  const difference = counted - sums.expected_cash
  const reason = count.reason ?? ''
  if (difference !== 0)
    await writeMovement(tx, actor, open, { kind: 'difference', amount: difference, reason })
  const row = await writeClosing(tx, at, open.row, { count, counted, sums })
  await updateRow(tx, drawer, place, { id, state: 'closed', closed: tx.now })
  tx.fact(place, row.till, { kind: 'closing', payload: { row } })
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.drawer.closed', resource: drawer.name, row: id },
    data: {
      number: row.number,
      expected: row.expected,
      counted: row.counted,
      difference: row.difference,
      reason,
    },
  })
  return row.id
}

interface Counted {
  readonly count: DrawerCount
  readonly counted: number
  readonly sums: DrawerSums
}

async function writeClosing(
  tx: Tx,
  { actor, place }: OrderScope,
  { id: drawerId, till, currency, opened }: StoredDrawer,
  { count, counted, sums }: Counted,
): Promise<StoredClosing> {
  const said = {
    ...{ id: tx.nextId(), drawer: drawerId, till, site: tx.site, opened, closed: tx.now },
    ...(await cashierAt(tx, actor)),
    ...{ currency, expected: amountOf(sums.expected_cash), counted: amountOf(counted) },
    difference: amountOf(counted - sums.expected_cash),
    denominations: count.denominations ?? {},
    reason: count.reason ?? '',
    sums: shownSums(sums),
  }
  const link = await nextLink(tx, place, { till, kind: 'closing' }, (number) =>
    closingContent({ ...said, number }),
  )
  const row: StoredClosing = { ...said, ...link }
  await insertRow(tx, closing, place, row)
  return row
}
