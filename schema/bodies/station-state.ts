import type { Static } from 'typebox'
import {
  shownChoice,
  shownFlag,
  shownList,
  shownMoment,
  shownNames,
  shownOrNull,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWhole,
  shownWholeOrNull,
} from '../shown.ts'
import { guestDocuments, printerDuties } from './print-jobs.ts'
import { printerProfileNames, printerWays } from './printer-profiles.ts'
import { shownReason } from './scan-result.ts'
import { directions, stationTasks } from './station.ts'

const listCapacity = shownRecord({
  list: shownWhole,
  name: shownText,
  inside: shownWhole,
  capacity: shownWhole,
  fullness: shownChoice(['near', 'full']),
})

/** How full the place behind a check-in list is, where that is nearly or quite. */
export type ListCapacity = Static<typeof listCapacity>

const counts = shownRecord(
  { checkin_count: shownWhole, position_count: shownWhole, inside_count: shownWhole },
  {
    /** The lists whose place is full, or nearly. */
    capacities: shownList(listCapacity),
  },
)

/** How many came, how many could, how many are inside now. */
export type Counts = Static<typeof counts>

const scanner = shownRecord({ name: shownText, connected: shownFlag })

/** A scanner that the station knows. */
export type Scanner = Static<typeof scanner>

const settings = shownRecord(
  {
    organizer: shownText,
    event: shownText,
    event_name: shownText,
    list: shownWhole,
    list_name: shownText,
    /** All check-in lists that are judged here, `list` first. */
    lists: shownList(
      shownRecord({ id: shownWhole, name: shownText, event: shownText, event_name: shownText }),
    ),
    /** The names of those that were chosen and are there no more. */
    missing_lists: shownList(shownText),
    direction: shownChoice(directions),
    gate: shownWholeOrNull,
    gate_name: shownTextOrNull,
    sound: shownFlag,
    camera: shownFlag,
    locale: shownText,
    name: shownText,
    timezone: shownText,
    /** Whether a till may be opened here. */
    sells: shownFlag,
    task: shownChoice(stationTasks),
    /** Whether some of what is done at the entrance needs staff who may. */
    asks_staff: shownFlag,
    /** The security profile of its device; all that a device can be where no server is above it. */
    profile: shownText,
  },
  {
    /** The country whose law its till obeys. */
    country: shownTextOrNull,
    /** The card terminal beside it. */
    terminal: shownOrNull(shownRecord({ host: shownText }, { port: shownWhole })),
    /** Its printers: the first for a document prints it, the others stand in. */
    printers: shownList(
      shownRecord({
        way: shownChoice(printerWays),
        address: shownText,
        profile: shownChoice(printerProfileNames),
        documents: shownList(shownChoice(printerDuties)),
        columns: shownWhole,
        answers: shownFlag,
        drawer: shownFlag,
      }),
    ),
    /** What is printed without being asked. */
    printing: shownRecord({
      at_entry: shownList(shownChoice(guestDocuments)),
      at_sale: shownList(shownChoice(guestDocuments)),
    }),
  },
)

/** What the station was set up for. */
export type Settings = Static<typeof settings>

const stationState = shownRecord({
  ready: shownFlag,
  /** Whether guests help themselves here, also while nothing can be judged. */
  is_kiosk: shownFlag,
  version: shownText,
  settings: shownOrNull(settings),
  counts: shownOrNull(counts),
  scanners: shownList(scanner),
})

/** The station as a whole: set up or not, for what, and what is going on. */
export type StationState = Static<typeof stationState>

const eventChoice = shownRecord({
  slug: shownText,
  name: shownNames,
  date_from: shownMoment,
  timezone: shownText,
  lists: shownList(
    shownRecord({
      id: shownWhole,
      name: shownText,
      subevent: shownWholeOrNull,
      subevent_name: shownOrNull(shownNames),
    }),
  ),
})

/** An event that a station may be set up for, with its check-in lists. */
export type EventChoice = Static<typeof eventChoice>

const organizerChoice = shownRecord({
  slug: shownText,
  name: shownText,
  events: shownList(eventChoice),
  gates: shownList(shownRecord({ id: shownWhole, name: shownText })),
})

/** An organizer with its events and gates. */
export type OrganizerChoice = Static<typeof organizerChoice>

/** Everything a station may be set up for. */
export interface Choices {
  readonly organizers: readonly OrganizerChoice[]
  /** Whether it may sell. */
  readonly sells: boolean
}

const demoProgress = shownRecord({
  state: shownChoice(['none', 'running', 'done', 'failed']),
  done: shownWhole,
  total: shownWhole,
  message: shownTextOrNull,
})

/** How far the making of the demo event has come. */
export type DemoProgress = Static<typeof demoProgress>

const passes = { first_entries: shownWhole, reentries: shownWhole, exits: shownWhole }

const quarter = shownRecord({ from: shownMoment, ...passes })

/** A quarter of an hour at an entrance: how many came for the first time, came again and went. */
export type QuarterPasses = Static<typeof quarter>

const named = shownRecord({ id: shownWholeOrNull, name: shownTextOrNull, ...passes })

/** The same of a product or a gate; no name where there is none. */
export type NamedPasses = Static<typeof named>

const refused = shownRecord({ reason: shownReason, count: shownWhole })

const statistics = shownRecord({
  list_name: shownText,
  timezone: shownText,
  total: shownRecord({ ...passes, refused: shownWhole }),
  /** Without a gap, up to the last one in which somebody passed. */
  quarters: shownList(quarter),
  /** All that was before these quarters. */
  earlier: shownRecord(passes),
  products: shownList(named),
  gates: shownList(named),
  /** The most frequent first. */
  refused: shownList(refused),
})

/** What happened at a check-in list, in numbers without names. */
export type ListStatistics = Static<typeof statistics>
