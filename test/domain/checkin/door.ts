import { decide } from '../../../server/domain/checkin/checkin.ts'
import { chooseTicket } from '../../../server/domain/checkin/ticket-choice.ts'
import type {
  EventTimes,
  ListFacts,
  PriorCheckin,
  Scan,
  TicketFacts,
} from '../../../server/domain/rules/facts.ts'

/** A day at a fair in Tokyo: admission at 18:00, begin at 19:00, end at 23:00 local time. */
export const tokyo: EventTimes = {
  timezone: 'Asia/Tokyo',
  date_admission: '2020-01-01T09:00:00Z',
  date_from: '2020-01-01T10:00:00Z',
  date_to: '2020-01-01T14:00:00Z',
}

/** A ticket of the fair that nothing speaks against. */
export const goodTicket: TicketFacts = {
  id: 101,
  event: 1,
  positionid: 1,
  secret: 'good',
  item: 1,
  variation: null,
  subevent: null,
  addon_to: null,
  canceled: false,
  blocked: [],
  valid_from: null,
  valid_until: null,
  order_status: 'p',
  require_approval: false,
  valid_if_pending: false,
}

/** A list of the fair that lets everything in, once, and again after it went out. */
export const openList: ListFacts = {
  id: 1,
  event: 1,
  all_products: true,
  limit_products: [],
  subevent: null,
  include_pending: true,
  allow_multiple_entries: false,
  allow_entry_after_exit: true,
  rules: {},
  addon_match: false,
}

/** A plain scan at the begin of the fair. */
export const plainScan: Scan = {
  type: 'entry',
  at: '2020-01-01T10:00:00Z',
  force: false,
  ignore_unpaid: false,
  nonce: null,
  device: 1,
  gate: null,
  questions_supported: true,
  canceled_supported: true,
  revoked: false,
}

/** What one scan at a door needs beside its code. */
export interface Request extends Partial<Scan> {
  readonly lists: readonly ListFacts[]
  readonly missing?: boolean
  readonly times?: EventTimes
}

/** Everything that happened at some doors, which is what the next decision depends on. */
interface Doors {
  /** Scans a code and remembers the pass; answers `VALID`, `REPLAY`, or the reason why not in capitals. */
  readonly scan: (code: string, request: Request) => string
  /** The passes made so far, in order, each with the list and the ticket it belongs to. */
  readonly log: readonly LoggedPass[]
  readonly forget: () => void
}

/** A pass with the ids of its list and its ticket. */
interface LoggedPass extends PriorCheckin {
  readonly list: number
  readonly ticket: number
  readonly forced: boolean
}

/** Opens the doors to the given tickets: chooses, decides and remembers as a station does. */
export function openDoors(tickets: readonly TicketFacts[]): Doors {
  const log: LoggedPass[] = []
  const scan = (code: string, { lists, missing = false, times = tokyo, ...wishes }: Request) => {
    const request: Scan = { ...plainScan, ...wishes }
    const choice = chooseTicket(candidatesFor(tickets, lists, code), lists, code, request.at)
    if (choice === undefined) return 'INVALID'
    if (choice.ambiguous) return 'AMBIGUOUS'
    const { ticket, list } = choice
    const priorCheckins = log.filter((pass) => pass.list === list.id && pass.ticket === ticket.id)
    const decision = decide({ list, ticket, priorCheckins, times, scan: request, missing, locale: 'en' })
    if (decision.outcome === 'incomplete') return 'ANSWERS_REQUIRED'
    if (decision.outcome === 'refuse') return decision.reason.toUpperCase()
    if (decision.replay) return 'REPLAY'
    const { type, at: datetime, nonce, device } = request
    const pass = { id: log.length + 1, type, datetime, nonce, device, forced: decision.forced }
    log.push({ ...pass, list: list.id, ticket: ticket.id })
    return 'VALID'
  }
  return { scan, log, forget: () => log.splice(0) }
}

/** The positions with this secret, and the add-ons of such a position where a list looks for them; bases first. */
function candidatesFor(tickets: readonly TicketFacts[], lists: readonly ListFacts[], code: string) {
  const here = tickets.filter(({ event }) => lists.some((list) => list.event === event))
  const named = here.filter(({ secret }) => secret === code)
  const addons = lists.some((list) => list.addon_match)
    ? here.filter(({ addon_to }) => named.some(({ id }) => id === addon_to))
    : []
  return [...named, ...addons].toSorted((a, b) => Number(a.addon_to !== null) - Number(b.addon_to !== null))
}
