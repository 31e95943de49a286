import sql from 'sql-template-tag'
import type { SaleCatalogue } from '../../../schema/bodies/sale-catalogue.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import type { EventFacts } from '../../resource/api.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { withOptions } from '../catalogue/questions.ts'

/**
 * What a till asks when it sells: not what is asked at the entrance or hidden, and no files, which nobody can hand in
 * there.
 */
export async function askedAtSale(
  db: Queryable,
  place: Place,
  { settings }: Pick<EventFacts, 'settings'>,
): Promise<Pick<SaleCatalogue, 'questions' | 'demands'>> {
  const rows = await findRows(db, question, place, {
    where: sql`ask_during_checkin = 0 AND hidden = 0 AND type <> 'F'`,
    order: sql`"position", id`,
  })
  return {
    questions: await withOptions(db, place, rows),
    demands: {
      attendee_name: settings.attendee_names_required,
      attendee_email: settings.attendee_emails_required,
      company: settings.attendee_company_required,
      email: settings.till_email_required,
    },
  }
}
