import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { event } from '../../../schema/resources/events/event.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { availability, bestState, stateNumber } from '../../domain/quotas/quota-availability.ts'
import type { Behaviour } from '../../resource/api.ts'
import { single } from '../../resource/query.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Transactions } from '../../resource/transactions.ts'
import { type Measuring, measureQuotas, measuringOn } from '../quotas/quota-availability.ts'
import { eventBehaviour } from './event-behaviour.ts'
import { findOnSale, type PriceOverrides, productsOf, withBestState } from './subevent-availability.ts'

/** What an event must keep to, and what is left of it where a sales channel asks for that. */
export const eventsOnSale = (transactions: Transactions): Behaviour<typeof event> => ({
  ...eventBehaviour,
  async present(db, scope, rows, query) {
    const shown = (await eventBehaviour.present?.(db, scope, rows, query)) ?? [...rows]
    const channel = single(query, 'with_availability_for') ?? ''
    if (channel === '') return shown
    const at = measuringOn(transactions, db)
    const asked: JsonObject[] = []
    for (const row of shown) {
      const place = { organizer: scope.organizer.id, event: Number(row.id) }
      const best = row.has_subevents
        ? await bestOfDates(at, place, channel)
        : await bestOfEvent(at, place, channel)
      asked.push({ ...row, best_availability_state: best })
    }
    return asked
  },
})

/** The best that can be said of what is on sale at an event that is no series. */
async function bestOfEvent(transactions: Measuring, place: Place, channel: string): Promise<number | null> {
  const { database } = transactions
  const quotas = await findRows(database, quota, place, { where: sql`subevent IS NULL` })
  const usage = await measureQuotas(transactions, place, quotas)
  const onSale = await findOnSale(transactions, place, channel, transactions.horizon())
  const everyDay: PriceOverrides = { item_price_overrides: [], variation_price_overrides: [] }
  const best = bestState(
    quotas.map((one) => ({
      state: availability(one, usage.get(one.id) ?? { paid: 0, pending: 0 }).state,
      products: productsOf(one, onSale, everyDay),
    })),
  )
  return best === null ? null : stateNumber[best]
}

/** The best that can be said of the dates of a series that are still to come. */
async function bestOfDates(transactions: Measuring, place: Place, channel: string): Promise<number | null> {
  const now = transactions.horizon()
  const dates = await findRows(transactions.database, subevent, place, {
    where: sql`active = 1 AND coalesce(date_to, date_from) >= ${now}`,
  })
  const states = (await withBestState(transactions, place, channel, dates)).flatMap(
    ({ best_availability_state: state }) => (typeof state === 'number' ? [state] : []),
  )
  return states.length === 0 ? null : Math.max(...states)
}
