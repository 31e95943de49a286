import { localDate, localDateTime, toInstant } from '../text/time.ts'

/** When something daily happens next, and the local time it is meant for where the clocks do not show it that day. */
interface NextTime {
  readonly instant: string
  readonly local: string | null
}

const oneDay = 86_400_000

/**
 * The next calendar day at the same local time. Where the clocks skip that time it happens as much later, and `local`
 * remembers the time that was meant, to be given again as `meant` the day after; a time that comes twice is the second.
 */
export function dayAfter(instant: string, meant: string | null, timezone: string): NextTime {
  const time = meant ?? localDateTime(instant, timezone).slice(11, 19)
  const tomorrow = new Date(Date.parse(`${localDate(instant, timezone)}T00:00:00Z`) + oneDay)
    .toISOString()
    .slice(0, 10)
  const next = toInstant(`${tomorrow}T${time}`, timezone, 'second')
  const shown = localDateTime(next, timezone).slice(11, 19)
  return { instant: next, local: shown === time ? null : time }
}
