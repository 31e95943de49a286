import sql from 'sql-template-tag'
import type { DoorTimes, UpdateFacts } from '../../domain/updates/may-install.ts'
import type { Queryable } from '../../storage/database.ts'
import { stationSettings } from '../devices/station-settings.ts'
import { countUnsettled } from '../payments/till-payments.ts'

/** What a copy of the data says about whether its station is at work. */
type FactsOfData = Pick<UpdateFacts, 'openPayments' | 'openDrawers' | 'parkedBaskets' | 'lastScan' | 'doors'>

/** What has no end lasts so long; milliseconds. */
const usualLength = 12 * 3_600_000

/** When people come to the events of a copy, of those that are not long over. */
async function doorsOf(db: Queryable, since: string): Promise<DoorTimes[]> {
  const rows = await db.all<{ opens: string; begins: string; ends: string | null }>(
    sql`SELECT coalesce(date_admission, date_from) AS opens, date_from AS begins, date_to AS ends FROM event
        WHERE live = 1 AND has_subevents = 0 AND coalesce(date_to, date_from) >= ${since}
        UNION ALL
        SELECT coalesce(subevent.date_admission, subevent.date_from), subevent.date_from, subevent.date_to
        FROM subevent JOIN event ON event.organizer = subevent.organizer AND event.id = subevent.event
        WHERE event.live = 1 AND subevent.active = 1
          AND coalesce(subevent.date_to, subevent.date_from) >= ${since}`,
  )
  return rows.map(({ opens, begins, ends }) => ({
    opens: Date.parse(opens),
    closes: ends === null ? Date.parse(begins) + usualLength : Date.parse(ends),
  }))
}

async function lastScanIn(db: Queryable): Promise<number | null> {
  const row = await db.get<{ last: string | null }>(
    sql`SELECT max((SELECT max(checkin.datetime) FROM checkin
                    WHERE checkin.organizer = event.organizer AND checkin.event = event.id
                      AND checkin.auto_checked_in = 0)) AS last FROM event`,
  )
  return row?.last ? Date.parse(row.last) : null
}

/** The drawers of this machine's own till that are open. */
async function openDrawersHere(db: Queryable): Promise<number> {
  const station = await stationSettings(db)
  if (!station) return 0
  const rows = await db.all<{ till: number; tills: string }>(
    sql`SELECT till, tills FROM drawer WHERE organizer = ${station.organizer} AND state = 'open'`,
  )
  const here = rows.filter(({ till, tills }) => {
    const joined: unknown = JSON.parse(tills)
    return till === station.device || (Array.isArray(joined) && joined.includes(station.device))
  })
  return here.length
}

/** Looks at the copy of the data as it is at a moment; the times are stored instants. */
export async function updateFacts(
  db: Queryable,
  { dayAgo, halfHourAgo }: { readonly dayAgo: string; readonly halfHourAgo: string },
): Promise<FactsOfData> {
  const baskets = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM parked_basket WHERE taken_by IS NULL AND parked > ${halfHourAgo}`,
  )
  return {
    openPayments: await countUnsettled(db),
    openDrawers: await openDrawersHere(db),
    parkedBaskets: baskets?.count ?? 0,
    lastScan: await lastScanIn(db),
    doors: await doorsOf(db, dayAgo),
  }
}
