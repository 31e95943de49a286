import { event } from '../../../schema/resources/events/event.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { emailRule } from '../../../schema/resources/notifications/email-rule.ts'
import { ruleTimeProblems, sendTime } from '../../domain/notifications/email-rule-times.ts'
import { contradictory, notFound } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { findRow, findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What email rules must keep to: they say when and for which products. */
export const emailRuleBehaviour: Behaviour<typeof emailRule> = {
  async prepare(_tx, _scope, { next, body }) {
    const problems = ruleTimeProblems(next, new Set(Object.keys(body)))
    if (!next.all_products && next.limit_products.length === 0)
      problems.push('A mail that is not for all products needs limit_products.')
    if (problems.length > 0) throw contradictory(...problems)
    return next
  },
}

/** When a rule sends its mail, for the event itself or for one date of a series. */
export interface ScheduledMail {
  readonly subevent: number | null
  /** 27 characters, UTC. */
  readonly datetime: string
}

/** All moments at which a rule sends its mail, earliest first; a series has one for each of its dates. */
export async function scheduleOf(db: Queryable, place: Place, rule: number): Promise<ScheduledMail[]> {
  const row = await findRow(db, emailRule, place, { id: rule })
  const own = await findRow(db, event, place, { id: place.event })
  if (!row || !own) throw notFound()
  const occasions = own.has_subevents ? await findRows(db, subevent, place) : [own]
  return occasions
    .flatMap((one) => {
      const datetime = sendTime(row, {
        date_from: one.date_from,
        date_to: one.date_to,
        timezone: own.timezone,
      })
      return datetime === null ? [] : [{ subevent: own.has_subevents ? one.id : null, datetime }]
    })
    .sort((a, b) => Date.parse(a.datetime) - Date.parse(b.datetime))
}
