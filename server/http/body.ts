import type { Context, Middleware } from 'koa'
import readRaw from 'raw-body'
import { impossible, Refusal } from '../errors.ts'

/** The largest body that is read: ten mebibytes. */
export const bodyLimit = 10 * 1024 * 1024

const deepest = 50

/** Whether a value holds text that no database can keep: a NUL, half a surrogate pair, or objects without end. */
function isUnfit(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  if (Array.isArray(value)) return value.some((part) => isUnfit(part, depth + 1))
  return Object.entries(value).some(([name, part]) => isUnfit(name, depth + 1) || isUnfit(part, depth + 1))
}

async function rawBody(ctx: Context): Promise<string> {
  try {
    return await readRaw(ctx.req, { limit: bodyLimit, encoding: 'utf-8', length: ctx.request.length })
  } catch (cause) {
    if (typeof cause === 'object' && cause !== null && 'type' in cause && cause.type === 'entity.too.large')
      throw new Refusal(413, { detail: 'The body of the request is larger than ten mebibytes.' })
    throw impossible('The body of the request could not be read.')
  }
}

/** Scanners send what they read, fit or not: it is judged with replacement characters in place of what cannot be kept. */
const fromScanners = /\/(redeem|scan|failed_checkins)\/?$/

const mended = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\uFFFD') : value

/** What a body says; throws 400 or 415 where it is not JSON that can be stored. */
function parsed(ctx: Context, text: string): unknown {
  if (text.trim() === '') return {}
  if (ctx.request.type !== '' && !ctx.request.is('json'))
    throw new Refusal(415, {
      detail: `Unsupported media type "${ctx.request.type}" in request. Send application/json.`,
    })
  let body: unknown
  try {
    // Only what is written as an escape can be a NUL or half a surrogate pair.
    const isSuspect = text.includes('\\u')
    body = JSON.parse(text, isSuspect && fromScanners.test(ctx.path) ? mended : undefined)
  } catch (cause) {
    throw impossible(
      `JSON parse error - ${cause instanceof Error ? cause.message.slice(0, 200) : 'not JSON'}`,
    )
  }
  if (isUnfit(body))
    throw impossible(
      'The body holds null characters, broken Unicode or more than fifty levels, which cannot be stored.',
    )
  return body
}

/**
 * Reads JSON bodies of changing requests into `ctx.state.body`. What is wrong with one stands there instead, to be
 * thrown where it is asked for: a caller who may not ask at all is told that first.
 */
export const readJson = (): Middleware => async (ctx, next) => {
  if (ctx.method === 'GET' || ctx.method === 'HEAD' || ctx.method === 'OPTIONS') return next()
  const text = await rawBody(ctx)
  try {
    ctx.state.body = parsed(ctx, text)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    ctx.state.body = cause
  }
  return next()
}

/** Refuses paths and queries that no database can look for. */
export const checkAddress = (): Middleware => (ctx, next) => {
  let text: string
  try {
    text = decodeURIComponent(ctx.path)
  } catch {
    throw impossible(
      'The address is not valid: a percent sign in it is not followed by two hexadecimal digits.',
    )
  }
  if (isUnfit([text, ctx.query])) throw impossible('The address holds characters that cannot be looked for.')
  return next()
}
