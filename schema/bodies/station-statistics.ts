import type { Static } from 'typebox'
import {
  shownList,
  shownMoment,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWhole,
  shownWholeOrNull,
} from '../shown.ts'
import { shownReason } from './scan-result.ts'

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
