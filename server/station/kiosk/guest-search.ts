import sql, { join } from 'sql-template-tag'
import type { KioskFound, KioskOffer } from '../../../schema/bodies/kiosk.ts'
import type { Multilingual } from '../../../schema/multilingual.ts'
import { audienceOfProfile } from '../../../schema/security-profiles.ts'
import type { Env } from '../../env.ts'
import type { ListAt } from '../../services/checkin/checkin-lists.ts'
import { findGuest, type GuestProof } from '../../services/checkin/find-guest.ts'
import type { StationSettings } from '../../services/devices/station-settings.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { selectPositions } from '../../services/orders/positions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Sync } from '../../sync/node/sync.ts'
import { timeLimit } from '../../sync/upstream/upstream-client.ts'
import { countMisses } from './misses.ts'

/** What looking for a guest needs. */
interface SearchParts {
  readonly db: Queryable
  readonly env: Env
  readonly sync?: Sync
}

/** The tickets of guests who have proved whose order they are. */
export interface GuestSearch {
  find(settings: StationSettings, lists: readonly ListAt[], proof: GuestProof): Promise<KioskFound>
  /** The code of a ticket that was offered; undefined once the visit is too long ago. */
  codeOf(visit: string, offer: number): string | undefined
  wait(): number
  /** Whether email addresses are known here, or the server above may be asked. */
  knowsEmail(settings: StationSettings): boolean
}

const limits = { free: 5, within: 60_000, wait: 60_000 }
/** So long a guest may take for what was found. */
const visitLasts = 30 * 60_000
/** Milliseconds that a guest waits for the upstream server. */
const patience = 4000

/** Looks for guests' tickets: here, and at the upstream server for what is not known here. */
export function openGuestSearch({ db, env, sync }: SearchParts): GuestSearch {
  const misses = countMisses(env, limits)
  const visits = new Map<string, { readonly since: number; readonly codes: readonly string[] }>()
  const knowsEmail = ({ profile }: StationSettings): boolean =>
    audienceOfProfile(profile ?? 'full') !== 'entrance' || (!!sync?.client && !sync.isOffline)

  const foundUpstream = askingUpstream({ db, env, ...(sync ? { sync } : {}) })

  return {
    wait: () => misses.wait(),
    knowsEmail,
    codeOf: (visit, offer) => visits.get(visit)?.codes[offer],
    async find(settings, lists, proof) {
      const wait = misses.wait()
      if (wait > 0) return { status: 'busy', offers: [], wait }
      const { organizer } = settings
      const here: PositionCells[] = []
      for (const list of lists) here.push(...(await findGuest(db, organizer, list, proof)))
      const above = here.length === 0 ? await foundUpstream(organizer, lists, proof) : []
      if (above === null && proof.email && !knowsEmail(settings)) return { status: 'offline', offers: [] }
      const found = here.length > 0 ? here : (above ?? [])
      const [first] = found
      if (!first) {
        misses.missed()
        return misses.wait() > 0
          ? { status: 'busy', offers: [], wait: misses.wait() }
          : { status: 'none', offers: [] }
      }
      misses.forget()
      const open = await withoutThoseIn(db, organizer, lists, found)
      const now = env.elapsed()
      for (const [key, { since }] of visits) if (now - since > visitLasts) visits.delete(key)
      const visit = env.uuid()
      visits.set(visit, { since: now, codes: open.map(({ secret }) => secret) })
      return {
        status: 'found',
        visit,
        locale: first.order_locale,
        offers: await offersOf(db, organizer, open),
      }
    },
  }
}

/** How the upstream server is asked for guests. */
function askingUpstream({ db, env, sync }: SearchParts) {
  /** What upstream knows of a guest on any of the lists, as far as it is here; null where it is not reached. */
  async function foundUpstream(
    organizer: number,
    lists: readonly ListAt[],
    proof: GuestProof,
  ): Promise<PositionCells[] | null> {
    const found: PositionCells[] = []
    for (const list of lists) {
      const ids = await askUpstream(list, proof)
      if (ids === null) return null
      if (ids.length > 0)
        found.push(
          ...(await selectPositions(
            db,
            sql`p.organizer = ${organizer} AND p.event = ${list.facts.event} AND p.id IN (${join([...ids])})`,
            sql`p.order_id, p.positionid`,
          )),
        )
    }
    return found
  }

  /** Null where the upstream server is not reached. */
  async function askUpstream(list: ListAt, proof: GuestProof): Promise<readonly number[] | null> {
    if (!sync?.client || sync.isOffline) return null
    const limit = timeLimit(env, { within: patience })
    try {
      const answer = await sync.client.ask('sync/find_guest/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...proof, list: list.facts.id }),
        signal: limit.signal,
      })
      if (!answer.ok) return null
      const { positions } = (await answer.json()) as { readonly positions: readonly number[] }
      return positions
    } catch {
      return null
    } finally {
      limit.end()
    }
  }

  return foundUpstream
}

/** Those that are not in yet; add-ons come in with what they were bought for, unless the list is for them alone. */
async function withoutThoseIn(
  db: Queryable,
  organizer: number,
  lists: readonly ListAt[],
  found: readonly PositionCells[],
): Promise<readonly PositionCells[]> {
  const rows = await db.all<{ position: number }>(
    sql`SELECT "position" AS position FROM checkin WHERE organizer = ${organizer} AND list IN (${join(lists.map(({ facts }) => facts.id))})
          AND successful = 1 AND "type" = 'entry' AND "position" IN (${join(found.map(({ id }) => id))})`,
  )
  const inside = new Set(rows.map(({ position }) => position))
  const ids = new Set(found.map(({ id }) => id))
  return found.filter(({ id, addon_to }) => !inside.has(id) && !ids.has(addon_to ?? -1))
}

async function offersOf(
  db: Queryable,
  organizer: number,
  positions: readonly PositionCells[],
): Promise<readonly KioskOffer[]> {
  if (positions.length === 0) return []
  const named = async (ids: readonly (number | null)[], table: 'item' | 'variation') => {
    const wanted = [-1, ...new Set(ids.filter((id) => id !== null))]
    const rows = await db.all<{ id: number; name: string }>(
      table === 'item'
        ? sql`SELECT id, name FROM item WHERE organizer = ${organizer} AND id IN (${join(wanted)})`
        : sql`SELECT id, value AS name FROM variation WHERE organizer = ${organizer} AND id IN (${join(wanted)})`,
    )
    return new Map<number, Multilingual>(rows.map(({ id, name }) => [id, JSON.parse(name)]))
  }
  const items = await named(
    positions.map(({ item }) => item),
    'item',
  )
  const variations = await named(
    positions.map(({ variation }) => variation),
    'variation',
  )
  return positions.map(({ item, variation, order_code, positionid }) => ({
    item_name: items.get(item) ?? {},
    variation_name: variation === null ? null : (variations.get(variation) ?? null),
    number: `${order_code}-${positionid}`,
  }))
}
