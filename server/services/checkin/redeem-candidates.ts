import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { type PositionCells, positionsWhere, selectPositions } from '../orders/positions.ts'
import type { ListAt } from './checkin-lists.ts'
import type { RedeemInput } from './redeem-input.ts'

/** The positions that a code was found to mean. */
export interface Candidates {
  readonly positions: readonly PositionCells[]
  readonly revoked: boolean
  /** The code that the positions were found by. */
  readonly code: string
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
export async function findCandidates(
  tx: Tx,
  organizer: number,
  lists: readonly ListAt[],
  input: RedeemInput,
): Promise<Candidates> {
  const events = join(lists.map((list) => list.facts.event))
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
    if (meant) return { positions: await withAddons([meant]), revoked: false, code: String(meant.secret) }
  }
  const bases =
    lists.length === 1 && lists[0]
      ? await tx.all<PositionCells>(ofOneEvent[tx.engine](organizer, lists[0].facts.event, input.code))
      : await select(sql`p.secret = ${input.code}`)
  if (bases.length > 0) return { positions: await withAddons(bases), revoked: false, code: input.code }
  const revocations = await tx.all<{ id: number; position: number | null }>(
    sql`SELECT id, "position" AS position FROM revoked_secret
        WHERE organizer = ${organizer} AND secret = ${input.code} AND event IN (${events})`,
  )
  const [revoked] = revocations.toSorted((a, b) => b.id - a.id)
  if (!revoked) return { positions: [], revoked: false, code: input.code }
  const former = revoked.position === null ? [] : await select(sql`p.id = ${revoked.position}`)
  const code = String(former[0]?.secret ?? input.code)
  return { positions: await withAddons(former), revoked: true, code }
}
