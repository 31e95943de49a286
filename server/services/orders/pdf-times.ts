import type { EventFacts } from '../../resource/api.ts'
import { type DateCells, daysInWords, inWords, readable } from './ticket-print.ts'

/** A moment by the event's clocks: with its hour, its day alone and its hour alone; empty where there is none. */
export function momentTexts(
  name: string,
  instant: string | null,
  { timezone }: EventFacts,
  locale: string,
): Record<string, string> {
  const say = (style: Parameters<typeof inWords>[3]): string =>
    instant === null ? '' : inWords(instant, timezone, locale, style)
  return {
    [`${name}_datetime`]: say({ dateStyle: 'short', timeStyle: 'short' }),
    [`${name}_date`]: say({ dateStyle: 'short' }),
    [`${name}_time`]: say({ timeStyle: 'short' }),
  }
}

/** When and where an event or a date of it is. */
export function timesOf(date: DateCells, event: EventFacts, locale: string): Record<string, string> {
  const texts: Record<string, string> = {
    event_name: readable(date.name, locale),
    event_location: readable(date.location, locale),
  }
  for (const [name, instant] of [
    ['event_begin', date.date_from],
    ['event_end', date.date_to],
    ['event_admission', date.date_admission],
  ] as const) {
    const { [`${name}_datetime`]: whole = '', ...rest } = momentTexts(name, instant, event, locale)
    Object.assign(texts, { [name]: whole, ...rest })
  }
  texts.event_date = texts.event_begin_date ?? ''
  const end = date.date_to ?? date.date_from
  const weekday = (instant: string) => inWords(instant, event.timezone, locale, { weekday: 'long' })
  texts.event_begin_weekday = weekday(date.date_from)
  texts.event_end_weekday = date.date_to === null ? '' : weekday(end)
  texts.event_date_range = daysInWords(date.date_from, end, event.timezone, locale)
  return texts
}
