import type { Middleware } from 'koa'
import { forTrace } from '../../trace.ts'

/** Its version, the number of the trace, that of the caller's part in it, and flags. */
const pattern =
  /^(?<version>(?!ff)[0-9a-f]{2})-(?<fields>(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?<more>-.*)?$/

/** What a header `traceparent` says, in the version that is written here; undefined for one that is not to be passed on. */
export function readTraceparent(value: string): string | undefined {
  const { version, fields, more } = pattern.exec(value)?.groups ?? {}
  if (fields === undefined || (version === '00' && more !== undefined)) return undefined
  return `00-${fields}`
}

/** Has everything that is done for a request know its trace. */
export const followTrace: Middleware = (ctx, next) => {
  const traceparent = readTraceparent(ctx.get('traceparent'))
  return traceparent === undefined ? next() : forTrace(traceparent, next)
}
