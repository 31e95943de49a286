import sql, { join, type Sql } from 'sql-template-tag'
import { type Quota, quota } from '../../../schema/resources/catalogue/quota.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { contradictory } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { integersParameter, type Query, single } from '../../resource/query.ts'
import { findRows } from '../../resource/store.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import { idListHolds } from '../input/json-filters.ts'
import { measuringOn, withAvailability } from './quota-availability.ts'

const asksForAvailability = (query: Query): boolean => single(query, 'with_availability') === 'true'

/** What quotas must keep to, and what is left of them where that is asked for. */
export const quotaBehaviour = (transactions: Transactions): Behaviour<typeof quota> => ({
  isLive: asksForAvailability,
  conditions: (_scope, query) => itemConditions(query),
  async present(db, scope, rows, query) {
    if (!asksForAvailability(query)) return [...rows]
    return withAvailability(measuringOn(transactions, db), scope.place, rows)
  },
  async prepare(tx, scope, { next }) {
    const problems = [...dateProblems(scope, next), ...(await variationProblems(tx, scope, next))]
    if (problems.length > 0) throw contradictory(...problems)
    return next
  },
  async afterWrite(tx, scope, { next: row, before }) {
    if (!before || before.closed === row.closed) return
    const action = `ticketsvc.event.quota.${row.closed ? 'closed' : 'opened'}`
    tx.audit(scope.place, scope.actor, { action, resource: quota.name, row: row.id })
  },
})

/** The condition of `items__in`: quotas that count one of some items. */
function itemConditions(query: Query): Sql[] {
  const wanted = integersParameter(query, 'items__in')
  if (!wanted) return []
  const counts = [...new Set(wanted)].map((id) => idListHolds(sql`items`, id))
  return [sql`(${join(counts, ' OR ')})`]
}

function dateProblems(scope: Scope, next: Quota): string[] {
  const isSeries = scope.event?.hasSubevents === true
  if (isSeries && next.subevent === null) return ['In an event series, a quota belongs to one date.']
  if (!isSeries && next.subevent !== null) return ['Only quotas of an event series belong to a date.']
  return []
}

/** A quota names variations of its items only, and of an item that has some at least one. */
async function variationProblems(
  tx: Tx,
  scope: Scope,
  { items, variations: chosen }: Quota,
): Promise<string[]> {
  const forms =
    items.length === 0
      ? []
      : await findRows(tx, variation, scope.place, { where: sql`item IN (${join(items)})` })
  const listed = new Set(forms.filter((form) => chosen.includes(form.id)).map((form) => form.item))
  const known = new Set(forms.map((form) => form.id))
  const problems: string[] = []
  if (chosen.some((id) => !known.has(id)))
    problems.push('All variations must belong to an item contained in the items list.')
  if (forms.some((form) => !listed.has(form.item)))
    problems.push('One or more items has variations but none of these are in the variations list.')
  return problems
}
