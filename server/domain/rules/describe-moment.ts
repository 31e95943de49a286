import { microsecondsOf } from '../../../schema/instants.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { localDate, localDateTime } from '../text/time.ts'

/**
 * A moment as staff read it on the clock of the venue: only the time within twelve hours of `now`, else with the day.
 * Where the zone is not known to this machine it is written in UTC, because an explanation must not fail.
 */
export function describeMoment(moment: string, now: string, timezone: string, locale: string): string {
  try {
    const near = Math.abs(microsecondsOf(moment) - microsecondsOf(now)) < 12 * 3600e6
    const time = localDateTime(moment, timezone).slice(11, 16)
    const [year = '', month = '', day = ''] = localDate(moment, timezone).split('-')
    return near ? time : `${serverTranslator(locale)('rule.day', { year, month, day })} ${time}`
  } catch {
    return moment
  }
}
