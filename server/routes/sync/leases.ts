import sql, { join, type Sql } from 'sql-template-tag'
import {
  syncLeaseGrant,
  syncLeaseProlong,
  syncLeaseReturn,
  syncLeases,
} from '../../../schema/actions/sync-leases.ts'
import { leaseEndBody, leaseReturnBody, leaseWishBody } from '../../../schema/bodies/leases.ts'
import { readInstant } from '../../../schema/instants.ts'
import { sellsBy } from '../../../schema/security-profiles.ts'
import { denied, invalid } from '../../errors.ts'
import { type Actor, entersEvent } from '../../resource/actor.ts'
import { type ApiRouter, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { ajv } from '../../resource/input.ts'
import { idIn } from '../../resource/routes.ts'
import { leaseShown, leasesWhere, type StoredLease } from '../../services/quotas/lease-rows.ts'
import { grantLease, prolongLease, returnLease } from '../../services/quotas/leases.ts'
import { marking } from './access.ts'

interface WishBody {
  readonly event: number
  readonly quota: number
  readonly size: number
  readonly until?: string | null
  readonly nonce: string
}

const isWish = ajv.compile<WishBody>(leaseWishBody)
const isEnd = ajv.compile<{ readonly until?: string | null }>(leaseEndBody)
const isReturn = ajv.compile<{ readonly used?: number }>(leaseReturnBody)

/** Serves what stations and hubs may sell without asking: getting part of a quota, more time for it, giving it back. */
export function serveSyncLeases(router: ApiRouter): void {
  const { askForLeases } = router.api
  const marked = marking(router)

  serveRead(marked, syncLeases, async ({ actor, organizer }, db) => {
    const rows = await leasesWhere(db, organizer.id, seenBy(actor))
    return { count: rows.length, results: rows.map(withEvent) }
  })

  serveRaw(marked, syncLeaseGrant, async (request) => {
    const { actor, organizer } = request
    refuseUnlessSeller(actor)
    const body = request.body ?? {}
    if (!isWish(body)) throw invalid({ detail: sentence(isWish.errors) })
    if (!entersEvent(actor, organizer.id, body.event)) throw denied()
    const place = { organizer: organizer.id, event: body.event }
    const { quota, size, nonce } = body
    const wish = { quota, size, nonce, until: endIn(body.until) }
    await askForLeases?.(place, [{ quota, count: size }])
    return request.carryOut(async (tx) => withEvent(await grantLease(tx, actor, place, wish)))
  })

  serveAction(marked, syncLeaseProlong, async (request, tx) => {
    const { actor, organizer, params } = request
    refuseUnlessSeller(actor)
    const body = request.body ?? {}
    if (!isEnd(body)) throw invalid({ detail: sentence(isEnd.errors) })
    const id = idIn(params.id)
    return withEvent(await prolongLease(tx, actor, { organizer: organizer.id, id }, endIn(body.until)))
  })

  serveAction(marked, syncLeaseReturn, async (request, tx) => {
    const { actor, organizer, params } = request
    if (actor.kind !== 'device') throw denied('Only the device that sells from a lease can give it back.')
    const body = request.body ?? {}
    if (!isReturn(body)) throw invalid({ detail: sentence(isReturn.errors) })
    const id = idIn(params.id)
    return withEvent(await returnLease(tx, actor, { organizer: organizer.id, id }, body.used ?? 0))
  })
}

const withEvent = (row: StoredLease) => ({ event: row.event, ...leaseShown(row) })

/** A device sees its own leases; users see those of the events that they may look at the orders of. */
function seenBy(actor: Actor): Sql {
  if (actor.kind === 'device') return sql`device = ${actor.id}`
  if (!actor.permissions.has('can_view_orders')) return sql`1 = 0`
  if (actor.allEvents) return sql`1 = 1`
  return actor.events.size === 0 ? sql`1 = 0` : sql`event IN (${join([...actor.events])})`
}

function refuseUnlessSeller({ kind, device }: Actor): void {
  if (kind !== 'device' || !sellsBy(device?.profile ?? ''))
    throw denied('Only a device that is allowed to sell can get leases.')
}

function endIn(until: string | null | undefined): string | null {
  if (until === undefined || until === null) return null
  const end = readInstant(until)
  if (end === undefined) throw invalid({ until: ['This is not a moment.'] })
  return end
}

const sentence = (errors: readonly { instancePath: string; message?: string }[] | null | undefined): string =>
  `${errors?.[0]?.instancePath || 'The body'} ${errors?.[0]?.message ?? 'is not valid'}.`
