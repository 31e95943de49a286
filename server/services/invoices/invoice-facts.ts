import sql, { join } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import type { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import type { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { TranslateServer } from '../../../schema/texts/server.ts'
import type { TaxAddress } from '../../domain/pricing/taxes.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { DateCells } from '../orders/ticket-print.ts'
import type { OrderScope } from '../pricing/order-draft.ts'

/** A position that is invoiced. */
export type BilledPosition = StoredRow<typeof orderPosition>

/** A fee that is invoiced. */
export type BilledFee = StoredRow<typeof orderFee>

/** From when to when something is provided, in stored form. */
export interface ServicePeriod {
  readonly start: string
  readonly end: string
}

interface RuleCells {
  readonly id: number
  readonly name: string
  readonly eu_reverse_charge: number
  readonly home_country: string
}

/** What the lines of an invoice are made of. */
export interface LineFacts {
  readonly event: DateCells
  readonly dates: ReadonlyMap<number, DateCells>
  readonly items: ReadonlyMap<number, string>
  readonly variations: ReadonlyMap<number, string>
  readonly rules: ReadonlyMap<number, RuleCells>
  /** The questions whose answers are printed, in their order. */
  readonly questions: readonly { readonly id: number; readonly question: string }[]
  readonly memberships: ReadonlyMap<number, ServicePeriod>
}

/** What an order is invoiced in: how, for whom and when. */
export interface LineTerms {
  readonly locale: string
  readonly t: TranslateServer
  readonly address: TaxAddress | null
  /** When the order was placed. */
  readonly ordered: string
}

/** What all lines are made with. */
export interface LineMaker {
  readonly at: OrderScope
  readonly facts: LineFacts
  readonly terms: LineTerms
  readonly now: string
  /** Whether the lines are about different places. */
  readonly isManyPlaces: boolean
}

/** Loads what the lines of some positions and fees are made of. */
export async function loadLineFacts(
  tx: Tx,
  { place, event }: OrderScope,
  positions: readonly BilledPosition[],
  fees: readonly BilledFee[],
): Promise<LineFacts> {
  const { organizer } = place
  const idsOf = (ids: readonly (number | null)[]) => join([0, ...new Set(ids.filter((id) => id !== null))])
  const dateColumns = sql`id, name, date_from, date_to, date_admission, location`
  const own = await tx.get<DateCells>(
    sql`SELECT ${dateColumns} FROM event WHERE organizer = ${organizer} AND id = ${event.id}`,
  )
  if (!own) throw new Error('The event of an invoice is gone.')
  const dates = await tx.all<DateCells & { id: number }>(
    sql`SELECT ${dateColumns} FROM subevent
        WHERE organizer = ${organizer} AND id IN (${idsOf(positions.map((row) => row.subevent))})`,
  )
  const items = await tx.all<{ id: number; name: string }>(
    sql`SELECT id, name FROM item
        WHERE organizer = ${organizer} AND id IN (${idsOf(positions.map((row) => row.item))})`,
  )
  const variations = await tx.all<{ id: number; name: string }>(
    sql`SELECT id, value AS name FROM variation
        WHERE organizer = ${organizer} AND id IN (${idsOf(positions.map((row) => row.variation))})`,
  )
  const rules = await tx.all<RuleCells>(
    sql`SELECT id, name, eu_reverse_charge, home_country FROM tax_rule
        WHERE organizer = ${organizer} AND id IN (${idsOf([...positions, ...fees].map((row) => row.tax_rule))})`,
  )
  const named = (rows: readonly { id: number; name: string }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]))
  return {
    event: own,
    dates: new Map(dates.map((row) => [row.id, row])),
    items: named(items),
    variations: named(variations),
    rules: new Map(rules.map((row) => [row.id, row])),
    questions: await printedQuestions(tx, place),
    memberships: await grantedPeriods(tx, organizer, positions),
  }
}

const printedQuestions = (tx: Tx, { organizer, event }: Place) =>
  tx.all<{ id: number; question: string }>(
    sql`SELECT id, question FROM question
        WHERE organizer = ${organizer} AND event = ${event} AND print_on_invoice = 1 ORDER BY position, id`,
  )

/** From when to when the memberships last that some positions come with. */
async function grantedPeriods(
  tx: Tx,
  organizer: number,
  positions: readonly BilledPosition[],
): Promise<ReadonlyMap<number, ServicePeriod>> {
  const rows = await tx.all<ServicePeriod & { id: number }>(
    sql`SELECT granted_by AS id, min(date_start) AS start, max(date_end) AS "end" FROM membership
        WHERE organizer = ${organizer} AND granted_by IN (${join([0, ...positions.map(({ id }) => id)])})
        GROUP BY granted_by`,
  )
  return new Map(rows.map(({ id, start, end }) => [id, { start, end }]))
}
