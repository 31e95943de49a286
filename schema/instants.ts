const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/

/**
 * A moment as it is stored: UTC, 27 characters with microseconds, so that text order is time order. Takes any ISO 8601
 * date-time; one without an offset counts as UTC. Undefined for anything else.
 */
export function canonicalInstant(text: string): string | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const check = new Date(local)
  if (Number(year) < 1 || check.getUTCMonth() !== Number(month) - 1 || check.getUTCDate() !== Number(day))
    return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const utc = new Date(local - offsetMinutes(zone) * 60_000)
  const years = utc.getUTCFullYear()
  if (years < 1 || years > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}

/** Whether a moment is before another one, whichever way the two are written. */
export const isBefore = (a: string, b: string): boolean =>
  (canonicalInstant(a) ?? a) < (canonicalInstant(b) ?? b)

/** A stored moment as it is shown: microseconds only where there are any. */
export const shownInstant = (stored: string): string =>
  stored.endsWith('.000000Z') ? `${stored.slice(0, 19)}Z` : stored
