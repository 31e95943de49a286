import { offsetAt } from '../../domain/text/time.ts'

/** More than enough hours for an event; forgetting all of them once in a while bounds the memory. */
const mostKnown = 20_000

/** Reads the clocks of a time zone: a stored moment as `YYYY-MM-DDTHH:MM:SS`, null for none. */
export type LocalClock = (instant: unknown) => string | null

/** The clock of a time zone. Clocks are put forward and back at full ten minutes only, so these are looked up once. */
export function localClock(timezone: string): LocalClock {
  const known = new Map<string, number>()
  return (instant) => {
    if (typeof instant !== 'string') return null
    const key = instant.slice(0, 15)
    let offset = known.get(key)
    if (offset === undefined) {
      const [, sign, hours, minutes, seconds = '0'] =
        /^([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(offsetAt(instant, timezone)) ?? []
      offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1000 : 1000)
      if (known.size >= mostKnown) known.clear()
      known.set(key, offset)
    }
    return new Date(Date.parse(`${instant.slice(0, 19)}Z`) + offset).toISOString().slice(0, 19)
  }
}

/** The day that clocks show. */
export const dayOf = (local: string | null): string | null => local?.slice(0, 10) ?? null
