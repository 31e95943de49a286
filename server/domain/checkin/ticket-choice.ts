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
 * `addon_match` also the add-ons of such a position; lists are of several events, or of one (`listFor`). Products and
 * validity only tell several candidates apart: a single one is taken as it is and refused by the decision, with the better message. The
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
    const list = listFor(ticket, lists)
    return list === undefined ? [] : [{ ticket, list, ambiguous: false }]
  })
  const live = choices.filter(({ ticket }) => !ticket.canceled)
  const possible = live.length > 0 ? live : choices
  const [first] = possible
  if (first === undefined || possible.length === 1) return first
  const listed = possible.filter(
    ({ ticket, list }) =>
      isOnList(list, ticket) && (list.addon_match || code === null || ticket.secret === code),
  )
  const fitting = withoutAddonsOfOtherLists(listed, code)
  if (fitting.length < 2) return fitting[0] ?? first
  const valid = fitting.filter(({ ticket }) => isValidAt(ticket, now))
  if (valid.length === 0) return nearestInTime(fitting, now)
  return valid.length === 1 ? valid[0] : { ...first, ambiguous: true }
}

/**
 * The list that a ticket is used on: of those of its event the one that admits its product and date, else the first, which
 * refuses it. By their ids, so that every gate with these lists takes the same one.
 */
export function listFor<List extends Pick<ListFacts, 'id' | 'event' | keyof ListScope>>(
  ticket: Pick<TicketFacts, 'event' | 'item' | 'subevent'>,
  lists: readonly List[],
): List | undefined {
  const own = lists.filter(({ event }) => event === ticket.event).toSorted((a, b) => a.id - b.id)
  return own.find((list) => isOnList(list, ticket) && isOfDate(list, ticket)) ?? own[0]
}

/** What of a list says whose tickets it admits. */
type ListScope = Pick<ListFacts, 'all_products' | 'limit_products' | 'subevent'>

/** Whether a ticket can be on both of two lists of one event. */
export function shareTickets(one: ListScope, other: ListScope): boolean {
  const dates = one.subevent === null || isOfDate(other, one)
  const [few, many] = one.all_products ? [other, one] : [one, other]
  return dates && (few.all_products || few.limit_products.some((item) => isOnList(many, { item })))
}

const isOfDate = ({ subevent }: ListScope, of: Pick<TicketFacts, 'subevent'>): boolean =>
  subevent === null || subevent === of.subevent

/** Where a ticket and its add-on are on two lists of one event, who shows the ticket means the ticket. */
function withoutAddonsOfOtherLists(choices: readonly Choice[], code: string | null): readonly Choice[] {
  const [first] = choices
  const isDivided = choices.some(({ list }) => list.event === first?.list.event && list.id !== first.list.id)
  const shown = choices.filter(({ ticket }) => ticket.secret === code)
  return isDivided && shown.length > 0 ? shown : choices
}

/** Whether the product of a ticket is admitted by a list, whatever its date. */
export function isOnList(
  list: Pick<ListScope, 'all_products' | 'limit_products'>,
  ticket: Pick<TicketFacts, 'item'>,
): boolean {
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
