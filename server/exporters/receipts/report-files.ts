import { closing } from '../../../schema/resources/drawer/closing.ts'
import { drawer } from '../../../schema/resources/drawer/drawer.ts'
import { findRow } from '../../resource/store.ts'
import { drawerReport } from '../../services/drawer/drawer-report.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import type { Queryable } from '../../storage/database.ts'
import { languageAt, tillName, usualColumns } from './receipt-files.ts'
import { reportSlip } from './report-description.ts'
import type { Slip } from './slip.ts'

/** Which drawer or closing is wanted on paper, and how it is read. */
interface WantedReport {
  readonly id: number
  readonly columns?: number
  readonly locale?: string
}

async function settingOf(
  db: Queryable,
  { place, event }: OrderScope,
  { locale, columns = usualColumns }: WantedReport,
  till: number,
) {
  return {
    ...{ settings: event.settings, timezone: event.timezone, locale: languageAt(event, locale), columns },
    till: await tillName(db, place.organizer, till),
  }
}

/** A closing (Z) as it is printed; null where there is none. */
export async function closingSlip(db: Queryable, at: OrderScope, wanted: WantedReport): Promise<Slip | null> {
  const row = await findRow(db, closing, at.place, { id: wanted.id })
  if (!row) return null
  const { currency, opened, closed, cashier, counted, difference, reason } = row
  const number = `${row.site}-${row.number}`
  return reportSlip(
    {
      ...{ figures: row.sums, currency, opened, until: closed, cashier },
      closing: { number, counted, difference, reason },
    },
    await settingOf(db, at, wanted, row.till),
  )
}

/** What went through a drawer until `now` (X), or until it was closed, as it is printed; null where there is none. */
export async function drawerSlip(
  db: Queryable,
  at: OrderScope,
  wanted: WantedReport & { readonly now: string },
): Promise<Slip | null> {
  const row = await findRow(db, drawer, at.place, { id: wanted.id })
  if (!row) return null
  const { currency, opened, closed } = row
  return reportSlip(
    {
      ...{ figures: await drawerReport(db, at, row.id), currency, opened },
      ...{ until: closed ?? wanted.now, cashier: '', closing: null },
    },
    await settingOf(db, at, wanted, row.till),
  )
}
