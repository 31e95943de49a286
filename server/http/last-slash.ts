import type Router from '@koa/router'
import type { Middleware } from 'koa'

/** Methods without a body, which a client that is redirected sends again as they were. */
const redirected: readonly string[] = ['GET', 'HEAD', 'DELETE']

/** Redirects a path that is served with one more slash at its end, and not without, to the one with it. */
export const addLastSlash =
  (router: Pick<Router, 'match'>): Middleware =>
  (ctx, next) => {
    const { method, path } = ctx
    if (path.endsWith('/') || !redirected.includes(method) || !router.match(`${path}/`, method).route)
      return next()
    ctx.status = 301
    ctx.set('Location', `${path}/${ctx.search}`)
    ctx.body = ''
    return undefined
  }
