import type { Context, Middleware } from 'koa'
import { denied } from '../errors.ts'
import { originOf } from '../resource/asked.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Two years, in which browsers ask for nothing at this name, or below it, without TLS. */
const onlySecure = 'max-age=63072000; includeSubDomains'

/**
 * What every answer says to a browser. A worker takes its policy from its own response, so it is on all of them. Whether
 * there is TLS in front of us, the address says by which browsers reach this server.
 */
export const setHeaders =
  (publicUrl?: string): Middleware =>
  async (ctx, next) => {
    if (publicUrl?.startsWith('https:')) ctx.set('Strict-Transport-Security', onlySecure)
    ctx.set('Content-Security-Policy', policy)
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('Referrer-Policy', 'same-origin')
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin')
    if (ctx.path.startsWith('/api/')) ctx.set('Cache-Control', 'no-store')
    await next()
  }

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Other machines, which a hub serves: they show a token that no page of ours has ever held, or are about to get one. */
const isOtherMachine = (ctx: Context): boolean =>
  ctx.get('Origin') === '' &&
  (/^(Device|Token) /.test(ctx.get('Authorization')) || ctx.path === '/api/v1/device/initialize')

/** What a customer's display on another machine asks for: static files, and what only a key of that display opens. */
const displayPath =
  /^\/(display\.html|favicon\.svg|assets\/[^/]+|api\/v1\/station\/displays\/[^/]+\/(open|live))$/

/**
 * Keeps a server on the loopback interface to pages of its own: a foreign page that resolves its name to this machine
 * is known by its Host, one that posts here by its Origin.
 */
export const keepToOwnOrigin = (): Middleware => (ctx, next) => {
  if (isOtherMachine(ctx)) return next()
  if (!loopback.has(ctx.hostname) && !displayPath.test(ctx.path))
    throw denied('This server answers only to pages of its own.')
  const origin = ctx.get('Origin')
  if (origin !== '' && origin !== originOf(ctx)) throw denied('This server answers only to pages of its own.')
  return next()
}
