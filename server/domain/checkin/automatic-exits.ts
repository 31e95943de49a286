import { isBefore } from '../../../schema/instants.ts'
import type { AutomaticExits, PriorCheckin } from '../rules/facts.ts'
import { dayAfter } from './daily.ts'

/** A list that is left alone for longer than this many days lets nobody out any more. */
const mostDays = 400

/**
 * The check-ins of a ticket up to a moment, with the automatic exits that have taken place since the first of them. A
 * node that nobody tells of these exits knows them by their hour, so that all nodes decide alike.
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
