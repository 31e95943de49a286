import { microsecondsOf } from '../../../schema/instants.ts'
import type { ListFacts, TicketFacts } from '../rules/facts.ts'

/** The ticket a code means, and the list it is used on. Ambiguous: there are several, and this is the first. */
interface Choice {
  readonly ticket: TicketFacts
  readonly list: ListFacts
  readonly ambiguous: boolean
}

/**
 * Which ticket a code means. Candidates are the positions with this secret, base positions first, and on lists with
 * `addon_match` also the add-ons of such a position; lists are at most one per event. Products and validity only tell
 * several candidates apart: a single one is taken as it is and refused by the decision, with the better message. The
 * code of a medium is null: it is that of none of the tickets on it, and any of them may be meant.
 * `undefined` when there is no candidate on any list's event.
 */
export function chooseTicket(
  candidates: readonly TicketFacts[],
  lists: readonly ListFacts[],
  code: string | null,
  now: string,
): Choice | undefined {
  const choices = candidates.flatMap((ticket): Choice[] => {
    const list = lists.find(({ event }) => event === ticket.event)
    return list === undefined ? [] : [{ ticket, list, ambiguous: false }]
  })
  const live = choices.filter(({ ticket }) => !ticket.canceled)
  const possible = live.length > 0 ? live : choices
  const [first] = possible
  if (first === undefined || possible.length === 1) return first
  const fitting = possible.filter(
    ({ ticket, list }) =>
      isOnList(list, ticket) && (list.addon_match || code === null || ticket.secret === code),
  )
  if (fitting.length < 2) return fitting[0] ?? first
  const valid = fitting.filter(({ ticket }) => isValidAt(ticket, now))
  if (valid.length === 0) return nearestInTime(fitting, now)
  return valid.length === 1 ? valid[0] : { ...first, ambiguous: true }
}

/** Whether the product of a ticket is admitted by a list, whatever its date. */
export function isOnList(list: ListFacts, ticket: TicketFacts): boolean {
  return list.all_products || list.limit_products.includes(ticket.item)
}

/** Whether an instant lies within the ticket's own validity, both ends included. */
export function isValidAt(ticket: TicketFacts, at: string): boolean {
  const now = microsecondsOf(at)
  const early = ticket.valid_from !== null && microsecondsOf(ticket.valid_from) > now
  const late = ticket.valid_until !== null && microsecondsOf(ticket.valid_until) < now
  return !early && !late
}

/** None is valid now: the one that becomes valid next, else the one that was valid last, is the one people ask about. */
function nearestInTime(choices: readonly Choice[], now: string): Choice | undefined {
  const start = ({ ticket }: Choice) => microsecondsOf(ticket.valid_from ?? '')
  const end = ({ ticket }: Choice) => microsecondsOf(ticket.valid_until ?? '')
  const coming = choices.filter((choice) => start(choice) > microsecondsOf(now))
  if (coming.length > 0) return coming.toSorted((a, b) => start(a) - start(b))[0]
  return choices.toSorted((a, b) => end(b) - end(a))[0]
}
