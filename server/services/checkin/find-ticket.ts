import sql, { empty, join, type Sql } from 'sql-template-tag'
import { countedAt } from '../../domain/checkin/checkin.ts'
import { chooseTicket } from '../../domain/checkin/ticket-choice.ts'
import type { TicketFacts } from '../../domain/rules/facts.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { ticketsOnMedium } from '../media/find-medium.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import { positionsWhere, selectPositions, ticketOf } from '../orders/positions.ts'
import type { ListedScan, RedeemRequest } from './redeem-input.ts'

/** A scan with the position that its code means. */
export interface TicketScan extends ListedScan {
  readonly ticket: TicketFacts
  readonly position: PositionCells
  /** The code means several tickets, of which this is the first. */
  readonly ambiguous: boolean
  /** The code is on the list of revoked ones and was traced to this ticket. */
  readonly revoked: boolean
}

/** A scan of a code that belongs to no position here. */
export interface UnknownScan extends ListedScan {
  readonly position: null
  readonly revoked: boolean
  /** It was read of a medium whose tickets are for other events. */
  readonly isElsewhere: boolean
}

/** Finds the position that a scan means, and the list it is used on: the first of its lists where there is none. */
export async function findTicket(tx: Tx, request: RedeemRequest): Promise<TicketScan | UnknownScan> {
  const { actor, organizer, lists, input } = request
  const at = input.at === null ? tx.now : countedAt(input.at, tx.now)
  const { positions, revoked, code, isElsewhere = false } = await findCandidates(tx, request)
  const choice = chooseTicket(
    positions.map(ticketOf),
    lists.map((list) => list.facts),
    code,
    at,
  )
  const position = choice && positions.find((cells) => cells.id === choice.ticket.id)
  const list = lists.find((one) => one.facts.id === choice?.list.id) ?? lists[0]
  const scan = { actor, place: { organizer, event: list.facts.event }, list, input, at, revoked }
  return choice && position
    ? { ...scan, ticket: choice.ticket, position, ambiguous: choice.ambiguous }
    : { ...scan, position: null, isElsewhere }
}

/** The positions that a code was found to mean. */
interface Candidates {
  readonly positions: readonly PositionCells[]
  readonly revoked: boolean
  /** The code that the positions were found by; null where they are on a medium. */
  readonly code: string | null
  /** What was read is a medium whose tickets are for none of the events. */
  readonly isElsewhere?: boolean
}

const basesFirst = sql`p.addon_to IS NOT NULL, p.positionid, p.id`
const lock = sql` FOR UPDATE OF p`

const bySecret = (tail: Sql) =>
  shaped((organizer: number, event: number, secret: string) =>
    positionsWhere(
      sql`p.organizer = ${organizer} AND p.event = ${event} AND p.secret = ${secret}`,
      basesFirst,
      tail,
    ),
  )

/** What nearly every scan asks for. */
const ofOneEvent = { sqlite: bySecret(empty), postgres: bySecret(lock) }

/** The positions that a code can mean on the lists' events, base positions before add-ons. */
async function findCandidates(tx: Tx, { organizer, lists, input }: RedeemRequest): Promise<Candidates> {
  const eventIds = [...new Set(lists.map((list) => list.facts.event))]
  const [onlyEvent = 0] = eventIds
  const events = join(eventIds)
  const matching = lists.filter((list) => list.facts.addon_match).map((list) => list.facts.event)
  const select = (condition: Sql) =>
    selectPositions(
      tx,
      sql`p.organizer = ${organizer} AND p.event IN (${events}) AND ${condition}`,
      basesFirst,
      tx.engine === 'postgres' ? lock : empty,
    )
  const withAddons = async (bases: readonly PositionCells[]): Promise<PositionCells[]> => {
    const parents = bases.filter((base) => matching.includes(base.event)).map((base) => base.id)
    if (parents.length === 0) return [...bases]
    const addons = await select(sql`p.addon_to IN (${join(parents)}) AND p.canceled = 0`)
    return [...bases, ...addons.filter((addon) => !bases.some((base) => base.id === addon.id))]
  }
  if (input.position !== null) {
    const [meant] = await select(sql`p.id = ${input.position}`)
    if (meant) return { positions: await withAddons([meant]), revoked: false, code: meant.secret }
  }
  const bases =
    eventIds.length === 1
      ? await tx.all<PositionCells>(ofOneEvent[tx.engine](organizer, onlyEvent, input.code))
      : await select(sql`p.secret = ${input.code}`)
  if (bases.length > 0) return { positions: await withAddons(bases), revoked: false, code: input.code }
  const onMedium = await ticketsOnMedium(
    tx,
    organizer,
    { type: input.source_type, identifier: input.code },
    tx.now,
  )
  if (onMedium.length > 0) {
    const tickets = await withAddons(await select(sql`p.id IN (${join([...onMedium])})`))
    return { positions: tickets, revoked: false, code: null, isElsewhere: tickets.length === 0 }
  }
  const revocations = await tx.all<{ id: number; position: number | null }>(
    sql`SELECT id, "position" AS position FROM revoked_secret
        WHERE organizer = ${organizer} AND secret = ${input.code} AND event IN (${events})`,
  )
  const [revoked] = revocations.toSorted((a, b) => b.id - a.id)
  if (!revoked) return { positions: [], revoked: false, code: input.code }
  const former = revoked.position === null ? [] : await select(sql`p.id = ${revoked.position}`)
  const code = former[0]?.secret ?? input.code
  return { positions: await withAddons(former), revoked: true, code }
}
