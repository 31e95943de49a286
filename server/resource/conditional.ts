import type { Context } from 'koa'
import sql, { join } from 'sql-template-tag'
import type { Resource } from '../../schema/resource.ts'
import type { Api, Scope } from './api.ts'

/**
 * Says when a list last changed, and answers 304 or 412 where the caller's condition asks for it; true when the request
 * is answered. The audit trail knows of deletions too. One-second resolution, as HTTP dates have.
 */
export async function answerIfUnchanged(
  ctx: Context,
  api: Api,
  resource: Resource,
  scope: Scope,
): Promise<boolean> {
  const children = [...api.catalogue.values()].filter((one) => one.parent?.resource === resource.name)
  const names = [resource.name, ...children.map((child) => child.name)]
  const row = await api.transactions.database.get<{ at: string | null }>(
    sql`SELECT max(at) AS at FROM audit
        WHERE organizer = ${scope.place.organizer} AND event = ${scope.place.event} AND resource IN (${join(names)})`,
  )
  if (!row?.at) return false
  // A second that is not over may still see another change, so it is not yet given out as the last one.
  const changed = Math.min(wholeSecond(row.at), wholeSecond(api.transactions.horizon()) - 1000)
  ctx.set('Last-Modified', new Date(changed).toUTCString())
  const since = Date.parse(ctx.get('If-Modified-Since'))
  const unless = Date.parse(ctx.get('If-Unmodified-Since'))
  if (!Number.isNaN(since) && changed <= since) ctx.status = 304
  else if (!Number.isNaN(unless) && changed > unless) ctx.status = 412
  else return false
  ctx.body = ''
  return true
}

const wholeSecond = (instant: string): number => Math.floor(Date.parse(instant) / 1000) * 1000
