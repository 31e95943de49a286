import { microsecondsOf } from '../../../schema/instants.ts'
import { baseLanguage } from '../text/multilingual.ts'
import { localDate, localDateTime } from '../text/time.ts'

/** The sentences of explanations in one language; `{…}` stands for what is filled in. */
export interface ExplanationTexts {
  readonly unknown: string
  readonly notYetValid: string
  readonly noLongerValid: string
  readonly notOnList: string
  readonly unknownProduct: string
  readonly before: string
  readonly after: string
  readonly product: string
  readonly namedProduct: string
  readonly gate: string
  readonly namedGate: string
  readonly present: string
  readonly absent: string
  readonly onlyOnWeekday: string
  readonly notOnWeekday: string
  readonly maximum: string
  readonly minimum: string
  readonly isNot: string
  readonly is: string
  readonly minutes: string
  /** What each counter of the rules language counts; those with an argument have a moment filled in. */
  readonly counters: Readonly<Record<string, string>>
  /** From Monday on. */
  readonly weekdays: readonly string[]
  /** How a day is written: year, month and day are filled in. */
  readonly day: string
}

const english: ExplanationTexts = {
  unknown: 'Unknown reason',
  notYetValid: 'Only valid from {moment}',
  noLongerValid: 'Only valid until {moment}',
  notOnList: 'A genuine ticket, but not on the guest list any more',
  unknownProduct: 'The product of this ticket is not known here',
  before: 'Only allowed before {moment}',
  after: 'Only allowed after {moment}',
  product: 'Ticket type not allowed',
  namedProduct: 'Ticket type “{name}” not allowed',
  gate: 'Not allowed at this gate',
  namedGate: 'Not allowed at gate “{name}”',
  present: 'Only allowed for people who are already inside',
  absent: 'Already inside',
  onlyOnWeekday: 'Only allowed on a {weekday}',
  notOnWeekday: 'Not allowed on a {weekday}',
  maximum: 'Maximum {counter} exceeded',
  minimum: 'Minimum {counter} not reached',
  isNot: '{counter} is not {value}',
  is: '{counter} is {value}',
  minutes: '{value} min',
  counters: {
    entries_number: 'number of entries',
    entries_today: 'number of entries today',
    entries_days: 'number of days with an entry',
    entries_since: 'number of entries since {moment}',
    entries_before: 'number of entries before {moment}',
    entries_days_since: 'number of days with an entry since {moment}',
    entries_days_before: 'number of days with an entry before {moment}',
    minutes_since_first_entry: 'time since first entry',
    minutes_since_last_entry: 'time since last entry',
  },
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  day: '{year}-{month}-{day}',
}

const german: ExplanationTexts = {
  unknown: 'Unbekannter Grund',
  notYetValid: 'Erst ab {moment} gültig',
  noLongerValid: 'Nur bis {moment} gültig',
  notOnList: 'Ein echtes Ticket, das aber nicht mehr auf der Gästeliste steht',
  unknownProduct: 'Das Produkt dieses Tickets ist hier nicht bekannt',
  before: 'Nur vor {moment} erlaubt',
  after: 'Erst nach {moment} erlaubt',
  product: 'Ticketart nicht erlaubt',
  namedProduct: 'Ticketart „{name}“ nicht erlaubt',
  gate: 'An diesem Eingang nicht erlaubt',
  namedGate: 'Am Eingang „{name}“ nicht erlaubt',
  present: 'Nur für bereits Anwesende erlaubt',
  absent: 'Bereits anwesend',
  onlyOnWeekday: 'Nur am {weekday} erlaubt',
  notOnWeekday: 'Am {weekday} nicht erlaubt',
  maximum: 'Maximale {counter} überschritten',
  minimum: 'Minimale {counter} nicht erreicht',
  isNot: '{counter} ist nicht {value}',
  is: '{counter} ist {value}',
  minutes: '{value} Min.',
  counters: {
    entries_number: 'Anzahl der Eintritte',
    entries_today: 'Anzahl der heutigen Eintritte',
    entries_days: 'Anzahl der Tage mit Eintritt',
    entries_since: 'Anzahl der Eintritte seit {moment}',
    entries_before: 'Anzahl der Eintritte vor {moment}',
    entries_days_since: 'Anzahl der Tage mit Eintritt seit {moment}',
    entries_days_before: 'Anzahl der Tage mit Eintritt vor {moment}',
    minutes_since_first_entry: 'Zeit seit dem ersten Eintritt',
    minutes_since_last_entry: 'Zeit seit dem letzten Eintritt',
  },
  weekdays: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
  day: '{day}.{month}.{year}',
}

const languages: ReadonlyMap<string, ExplanationTexts> = new Map([
  ['en', english],
  ['de', german],
])

/** The sentences in a language, else in English. */
export function explanationTexts(locale: string): ExplanationTexts {
  return languages.get(baseLanguage(locale)) ?? english
}

/** A sentence with its gaps filled in, and with a capital letter at its start. */
export function fillIn(text: string, gaps: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\{(\w+)\}/g, (gap, name: string) => gaps[name] ?? gap)
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}

/**
 * A moment as staff read it on the clock of the venue: only the time within twelve hours of `now`, else with the day.
 * Where the zone is not known to this machine it is written in UTC, because an explanation must not fail.
 */
export function describeMoment(moment: string, now: string, timezone: string, locale: string): string {
  try {
    const near = Math.abs(microsecondsOf(moment) - microsecondsOf(now)) < 12 * 3600e6
    const time = localDateTime(moment, timezone).slice(11, 16)
    const [year = '', month = '', day = ''] = localDate(moment, timezone).split('-')
    return near ? time : `${fillIn(explanationTexts(locale).day, { year, month, day })} ${time}`
  } catch {
    return moment
  }
}
