import { isBefore } from '../../../schema/instants.ts'
import type { AutomaticExits, PriorCheckin } from '../rules/facts.ts'
import { localDate, localDateTime, toInstant } from '../text/time.ts'

/** A list that is left alone for longer than this many days lets nobody out any more. */
const mostDays = 400

/**
 * The check-ins of a ticket up to a moment, with the automatic exits that have taken place since the first of them. A
 * node that is not sent these exits knows them by their hour, so that all nodes decide alike.
 */
export function withAutomaticExits(
  priorCheckins: readonly PriorCheckin[],
  exits: AutomaticExits | undefined,
  at: string,
): readonly PriorCheckin[] {
  const [first] = priorCheckins
  if (!exits || !first) return priorCheckins
  const since = priorCheckins.reduce(
    (earliest, checkin) => (isBefore(checkin.datetime, earliest) ? checkin.datetime : earliest),
    first.datetime,
  )
  const hours = [...exits.done, ...due(exits, at)].filter(
    (hour) => isBefore(since, hour) && !isBefore(at, hour),
  )
  return [
    ...priorCheckins,
    // After every check-in of the same instant: whoever left then is outside.
    ...hours.map((datetime) => ({
      id: Number.MAX_SAFE_INTEGER,
      type: 'exit' as const,
      datetime,
      nonce: null,
      device: null,
    })),
  ]
}

/** The hours since the next one that was planned, up to a moment. */
function due({ next, local, timezone }: AutomaticExits, at: string): string[] {
  const hours: string[] = []
  let hour: { readonly instant: string; readonly local: string | null } | null =
    next === null ? null : { instant: next, local }
  while (hour !== null && !isBefore(at, hour.instant) && hours.length < mostDays) {
    hours.push(hour.instant)
    hour = dayAfter(hour.instant, hour.local, timezone)
  }
  return hours
}

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
