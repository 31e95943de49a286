import type {
  Choices,
  Direction,
  EventChoice,
  OrganizerChoice,
  Settings,
  SettingsInput,
} from '../contract.ts'

/** An event with the organizer it belongs to. */
export interface Choosable {
  readonly key: string
  readonly organizer: OrganizerChoice
  readonly event: EventChoice
}

/** What has been chosen so far. */
export interface Choice {
  readonly event: string | null
  readonly list: number | null
  readonly gate: number | null
  readonly direction: Direction
}

/** All events of all organizers, the next ones first. */
export const choosable = (choices: Choices): readonly Choosable[] =>
  choices.organizers
    .flatMap((organizer) =>
      organizer.events.map((event) => ({ key: `${organizer.slug}/${event.slug}`, organizer, event })),
    )
    .toSorted((a, b) => a.event.date_from.localeCompare(b.event.date_from))

/** The choice to begin with: what the station is set to, else whatever there is only one of. */
export function firstChoice(choices: Choices, settings: Settings | null): Choice {
  const events = choosable(choices)
  const current = events.find(({ key }) => settings && key === `${settings.organizer}/${settings.event}`)
  if (current && settings) {
    const { list, gate, direction } = settings
    return fitting(current, { event: current.key, list, gate, direction })
  }
  const [only] = events
  return chooseEvent(events.length === 1 ? only : undefined, 'entry')
}

/** The choice after an event was picked: its first list, and no particular gate. */
export function chooseEvent(event: Choosable | undefined, direction: Direction): Choice {
  const empty: Choice = { event: null, list: null, gate: null, direction }
  return event ? fitting(event, { ...empty, event: event.key }) : empty
}

/** The choice without what the event does not have; the first list stands in for one that is missing. */
function fitting(chosen: Choosable, choice: Choice): Choice {
  const { lists } = chosen.event
  const list = lists.find((each) => each.id === choice.list) ?? lists[0]
  const gate = chosen.organizer.gates.find((each) => each.id === choice.gate)
  return { ...choice, list: list?.id ?? null, gate: gate?.id ?? null }
}

/** What is saved for a choice, or null while something is missing. */
export function savable(choices: Choices, choice: Choice): SettingsInput | null {
  const chosen = choosable(choices).find(({ key }) => key === choice.event)
  if (!chosen || choice.list === null) return null
  const { direction, gate, list } = choice
  return { organizer: chosen.organizer.slug, event: chosen.event.slug, list, gate, direction }
}
