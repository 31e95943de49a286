import type { Context } from 'koa'
import sql, { join } from 'sql-template-tag'
import type { Resource } from '../../schema/resource.ts'
import type { Api, Scope } from './api.ts'

/**
 * Says when a list last changed, and answers 304 or 412 where the caller's condition asks for it; true when the request
 * is answered. The audit trail knows of deletions too; a copy has none of what comes from upstream, and says nothing.
 *
 * HTTP dates have whole seconds, in which several changes can happen. So a change counts for the second that follows
 * it: whoever has seen anything in its second, by our word or by their own clock, is given the list again.
 */
export async function answerIfUnchanged(
  ctx: Context,
  api: Api,
  resource: Resource,
  scope: Scope,
): Promise<boolean> {
  if (api.transactions.site !== 0) return false
  const children = [...api.catalogue.values()].filter((one) => one.parent?.resource === resource.name)
  const names = [resource.name, ...children.map((child) => child.name)]
  const row = await api.transactions.database.get<{ at: string | null }>(
    sql`SELECT max(at) AS at FROM audit
        WHERE organizer = ${scope.place.organizer} AND event = ${scope.place.event} AND resource IN (${join(names)})`,
  )
  if (!row?.at) return false
  const changed = wholeSecond(row.at) + 1000
  const settled = wholeSecond(api.transactions.horizon())
  ctx.set('Last-Modified', new Date(Math.min(changed, settled)).toUTCString())
  const since = Date.parse(ctx.get('If-Modified-Since'))
  const unless = Date.parse(ctx.get('If-Unmodified-Since'))
  if (!Number.isNaN(since) && changed <= since) ctx.status = 304
  else if (!Number.isNaN(unless) && changed > unless) ctx.status = 412
  else return false
  ctx.body = ''
  return true
}

const wholeSecond = (instant: string): number => Math.floor(Date.parse(instant) / 1000) * 1000
