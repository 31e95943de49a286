import { shownInstant } from '../../../schema/instants.ts'
import type { LinkStatus, Loading } from '../../../schema/station-link.ts'
import { instantOf } from '../../env.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../clock/clock.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { countAll, countHeld, diskFree, readinessOf } from './readiness.ts'
import type { SyncSession } from './session.ts'

/** What a status is made from. */
interface StatusParts {
  readonly database: Database
  readonly clock: Clock
  readonly folder: string | null
  readonly upstream: Upstream | null
  readonly session: SyncSession | null
  readonly loading: Loading | null
  readonly problem: string | null
  /** Since when the node is open: milliseconds of the clock. */
  readonly opened: number
}

/** How long what the copy holds is not counted again: counting looks at every ticket. */
const heldFor = 10_000

const heldBy = new WeakMap<Database, { at: number; held: ReturnType<typeof countHeld> }>()

function heldIn(database: Database, now: number): ReturnType<typeof countHeld> {
  const known = heldBy.get(database)
  if (known && now - known.at < heldFor) return known.held
  const held = countHeld(database)
  heldBy.set(database, { at: now, held })
  return held
}

/** How a node and the server upstream of it get on at this moment. */
export async function linkStatus(parts: StatusParts): Promise<LinkStatus> {
  const { database, clock, upstream: up, session, loading } = parts
  const [counts, held, free] = await Promise.all([
    countAll(database),
    heldIn(database, clock.mono()),
    diskFree(parts.folder),
  ])
  const link = session?.link ?? null
  const completeAt = session?.pull?.completeAt ?? (up?.lastData ? Date.parse(up.lastData) : null)
  const why = link?.trouble?.detail ?? null
  const base = {
    role: up === null ? ('alone_by_choice' as const) : up.role,
    state: link?.state ?? ('alone' as const),
    since: shownInstant(instantOf(link?.since ?? parts.opened)),
    upstream: up && {
      url: up.url,
      organizer: up.slug,
      device_name: up.deviceName,
      security_profile: up.profile,
    },
    data_age:
      up === null || completeAt === null ? null : Math.max(0, Math.round((clock.now() - completeAt) / 1000)),
    queue: up === null ? 0 : counts.waiting,
    parked: counts.parked,
    conflicts: counts.conflicts,
    clock: { offset: clock.offset ?? 0, uncertainty: clock.uncertainty, skewed: clock.skewed },
    loading,
    revoked: up?.state === 'revoked' || up?.state === 'wiped',
  }
  return {
    ...base,
    readiness: readinessOf({ status: base, clock, held, free, why }),
    problem: parts.problem ?? (up !== null && link?.state === 'alone' ? why : null),
    trouble: link?.trouble?.kind ?? null,
  }
}
