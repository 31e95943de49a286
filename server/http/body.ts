import type { Context, Middleware } from 'koa'
import { isUnstorable } from '../domain/text/storable.ts'
import { impossible, Refusal } from '../errors.ts'

/** The largest body that is read: ten mebibytes. */
export const bodyLimit = 10 * 1024 * 1024

const tooLarge = (): Refusal =>
  new Refusal(413, { detail: 'The body of the request is larger than ten mebibytes.' })

/** The bytes of a request's body. The usual library for it costs as much as everything else that is done with a body. */
export const bytesOf = ({ req, request }: Context): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (request.length !== undefined && request.length > bodyLimit) return reject(tooLarge())
    const parts: Buffer[] = []
    let size = 0
    const take = (part: Buffer): void => {
      size += part.length
      parts.push(part)
      if (size <= bodyLimit) return
      req.off('data', take)
      req.pause()
      reject(tooLarge())
    }
    const cutOff = (): void => {
      if (!req.readableEnded) reject(impossible('The body of the request could not be read.'))
    }
    req.on('data', take)
    req.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)))
    req.once('error', cutOff)
    req.once('close', cutOff)
  })

const decoder = new TextDecoder()

/** Scanners send what they read, fit or not: it is judged with replacement characters in place of what cannot be kept. */
const fromScanners = /\/(redeem|scan|failed_checkins)\/?$/

const mended = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\uFFFD') : value

/** What a body says; throws 400 or 415 where it is not JSON that can be stored. */
function parsed(ctx: Context, text: string): unknown {
  if (text.trim() === '') return {}
  const { type } = ctx.request
  if (type !== '' && type !== 'application/json' && !ctx.request.is('json'))
    throw new Refusal(415, {
      detail: `Unsupported media type "${type}" in request. Send application/json.`,
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
  if (isUnstorable(body))
    throw impossible(
      'The body holds null characters, broken Unicode or more than fifty levels, which cannot be stored.',
    )
  return body
}

/** What nodes and users bring in bulk is read by the routes themselves, once it is known who brings it. */
const readByRoutes = /\/(sync\/(push|import)|queue\/import)\/?$|^\/api\/v1\/(upload$|oauth\/)/

/**
 * Reads JSON bodies of changing requests into `ctx.state.body`. What is wrong with one stands there instead, to be
 * thrown where it is asked for: a caller who may not ask at all hears that first.
 */
export const readJson = (): Middleware => async (ctx, next) => {
  if (ctx.method === 'GET' || ctx.method === 'HEAD' || ctx.method === 'OPTIONS') return next()
  if (readByRoutes.test(ctx.path)) return next()
  const text = decoder.decode(await bytesOf(ctx))
  try {
    ctx.state.body = parsed(ctx, text)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    ctx.state.body = cause
  }
  return next()
}

/**
 * Comes before everything that looks at the address of a request: a target that is none, such as `http://[x`, is taken for
 * `/` until `checkAddress` refuses it, so that its answer has the headers and is counted like every other.
 */
export const noteStrangeAddress = (): Middleware => (ctx, next) => {
  try {
    void ctx.path
  } catch {
    ctx.req.url = '/'
    ctx.state.hasNoAddress = true
  }
  return next()
}

/** Refuses paths and queries that no database can look for. */
export const checkAddress = (): Middleware => (ctx, next) => {
  if (ctx.state.hasNoAddress) throw impossible('The address of the request is not valid.')
  let text: string
  try {
    text = decodeURIComponent(ctx.path)
  } catch {
    throw impossible(
      'The address is not valid: a percent sign in it is not followed by two hexadecimal digits.',
    )
  }
  if (isUnstorable([text, ctx.query]))
    throw impossible('The address holds characters that cannot be looked for.')
  return next()
}
