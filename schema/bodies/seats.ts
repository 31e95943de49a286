import { flag, refs, texts } from '../fields.ts'

/** What can be changed about a seat. */
export const seatChange = { blocked: flag() }

/** Which seats are meant, by their ids, by their identifiers in the plan, or by both. */
export const seatChoice = { ids: refs('seat'), seat_guids: texts({ default: [] }) }
