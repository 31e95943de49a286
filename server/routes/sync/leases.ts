import type Router from '@koa/router'
import type { Context } from 'koa'
import sql, { join, type Sql } from 'sql-template-tag'
import { leaseEndBody, leaseReturnBody, leaseWishBody } from '../../../schema/bodies/leases.ts'
import { readInstant } from '../../../schema/instants.ts'
import { denied, invalid } from '../../errors.ts'
import { type Actor, entersEvent } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { ajv } from '../../resource/input.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { sellingProfiles } from '../../services/quotas/lease-holder.ts'
import { leaseShown, leasesWhere } from '../../services/quotas/lease-rows.ts'
import { grantLease, prolongLease, returnLease } from '../../services/quotas/leases.ts'
import { markAnswers } from './access.ts'

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
export function serveSyncLeases(router: Router, api: Api): void {
  const { transactions } = api
  const collection = '/api/v1/organizers/:organizer/sync/leases/'
  const marked = markAnswers()
  const admit = api.admit('organizer', null)

  router.get(collection, marked, admit, async (ctx) => {
    const scope: Scope = ctx.state.scope
    const rows = await leasesWhere(transactions.database, scope.organizer.id, seenBy(scope.actor))
    answer(ctx, 200, {
      count: rows.length,
      results: rows.map((row) => ({ event: row.event, ...leaseShown(row) })),
    })
  })

  router.post(collection, marked, admit, async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    refuseUnlessSeller(actor)
    const body = bodyOf(ctx) ?? {}
    if (!isWish(body)) throw invalid({ detail: sentence(isWish.errors) })
    if (!entersEvent(actor, organizer.id, body.event)) throw denied()
    const place = { organizer: organizer.id, event: body.event }
    const { quota, size, nonce } = body
    const wish = { quota, size, nonce, until: endIn(body.until) }
    await api.askForLeases?.(place, [{ quota, count: size }])
    const row = await transactions.write((tx) => grantLease(tx, actor, place, wish))
    answer(ctx, 201, { event: row.event, ...leaseShown(row) })
  })

  router.post(`${collection}:id/prolong/`, marked, admit, async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    refuseUnlessSeller(actor)
    const body = bodyOf(ctx) ?? {}
    if (!isEnd(body)) throw invalid({ detail: sentence(isEnd.errors) })
    const id = idIn(ctx.params.id)
    const until = endIn(body.until)
    const row = await transactions.write((tx) =>
      prolongLease(tx, actor, { organizer: organizer.id, id }, until),
    )
    answer(ctx, 200, { event: row.event, ...leaseShown(row) })
  })

  router.post(`${collection}:id/return/`, marked, admit, async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    if (actor.kind !== 'device') throw denied('Only the device that sells from a lease can give it back.')
    const body = bodyOf(ctx) ?? {}
    if (!isReturn(body)) throw invalid({ detail: sentence(isReturn.errors) })
    const id = idIn(ctx.params.id)
    const row = await transactions.write((tx) =>
      returnLease(tx, actor, { organizer: organizer.id, id }, body.used ?? 0),
    )
    answer(ctx, 200, { event: row.event, ...leaseShown(row) })
  })

  for (const path of [collection, `${collection}:id/prolong/`, `${collection}:id/return/`])
    router.all(path, admit, (ctx) => refuseMethod(ctx))
}

function answer(ctx: Context, status: number, body: unknown): void {
  ctx.status = status
  ctx.body = body
}

/** A device sees its own leases; people see those of the events that they may look at the orders of. */
function seenBy(actor: Actor): Sql {
  if (actor.kind === 'device') return sql`device = ${actor.id}`
  if (!actor.permissions.has('can_view_orders')) return sql`1 = 0`
  if (actor.allEvents) return sql`1 = 1`
  return actor.events.size === 0 ? sql`1 = 0` : sql`event IN (${join([...actor.events])})`
}

function refuseUnlessSeller({ kind, device }: Actor): void {
  if (kind !== 'device' || !sellingProfiles.includes(device?.profile ?? ''))
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
