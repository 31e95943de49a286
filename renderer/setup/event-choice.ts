import type { Direction, SettingsInput } from '../../schema/bodies/station.ts'
import type { Choices, EventChoice, OrganizerChoice, Settings } from '../../schema/bodies/station-state.ts'

/** An event with the organizer it belongs to. */
export interface EventOption {
  readonly key: string
  readonly organizer: OrganizerChoice
  readonly event: EventChoice
}

/** What has been chosen so far. */
export interface Choice {
  readonly event: string | null
  readonly list: number | null
  /** The lists of the organizer that are admitted beside it. */
  readonly others: readonly number[]
  readonly gate: number | null
  readonly direction: Direction
}

const aDay = 86_400_000

/** All events of all organizers: what is on or comes next first, then what is over, the latest first. */
export function eventOptions(choices: Choices, now: string): readonly EventOption[] {
  const all = choices.organizers.flatMap((organizer) =>
    organizer.events.map((event) => ({ key: `${organizer.slug}/${event.slug}`, organizer, event })),
  )
  const start = ({ event }: EventOption) => Date.parse(event.date_from)
  const over = (one: EventOption) => start(one) < Date.parse(now) - aDay
  const byDate = all.toSorted((a, b) => start(a) - start(b))
  return [...byDate.filter((one) => !over(one)), ...byDate.filter(over).toReversed()]
}

/** The choice to begin with: what the station is set to, else whatever there is only one of. */
export function firstChoice(events: readonly EventOption[], settings: Settings | null): Choice {
  const current = events.find(({ key }) => settings && key === `${settings.organizer}/${settings.event}`)
  if (current && settings) {
    const { list, lists, gate, direction } = settings
    const others = lists.map(({ id }) => id)
    return fitting(current, { event: current.key, list, others, gate, direction })
  }
  const [only] = events
  return chosenEvent(events.length === 1 ? only : undefined, 'entry')
}

/** The choice after an event was picked: its first list, and no particular gate. */
export function chosenEvent(event: EventOption | undefined, direction: Direction): Choice {
  const empty: Choice = { event: null, list: null, others: [], gate: null, direction }
  return event ? fitting(event, { ...empty, event: event.key }) : empty
}

/** All other lists of the organizer of an event, with the events that they belong to. */
export const otherLists = (
  events: readonly EventOption[],
  { event: key, list }: Choice,
): readonly { readonly list: EventChoice['lists'][number]; readonly event: EventChoice }[] => {
  const organizer = events.find((one) => one.key === key)?.organizer.slug
  return events
    .filter((one) => one.organizer.slug === organizer)
    .flatMap(({ event }) => event.lists.map((one) => ({ list: one, event })))
    .filter((one) => one.list.id !== list)
}

/** The choice without what the event does not have; the first list stands in for one that is missing. */
function fitting(chosen: EventOption, choice: Choice): Choice {
  const { lists } = chosen.event
  const list = lists.find((each) => each.id === choice.list) ?? lists[0]
  const gate = chosen.organizer.gates.find((each) => each.id === choice.gate)
  const others = choice.others.filter((id) => id !== list?.id)
  return { ...choice, list: list?.id ?? null, others, gate: gate?.id ?? null }
}

/** What is saved for a choice, or null while something is missing. */
export function savable(events: readonly EventOption[], choice: Choice): SettingsInput | null {
  const chosen = events.find(({ key }) => key === choice.event)
  if (!chosen || choice.list === null) return null
  const { direction, gate, list } = choice
  const known = new Set(otherLists(events, choice).map((one) => one.list.id))
  const lists = [list, ...choice.others.filter((id) => known.has(id))]
  return { organizer: chosen.organizer.slug, event: chosen.event.slug, list, lists, gate, direction }
}
