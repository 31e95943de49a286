import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Middleware } from 'koa'
import { notAllowed } from '../../errors.ts'
import { type PageParts, sendTo } from '../../http/visits.ts'
import { stylePath } from '../../pages/layout.ts'
import { linkScript, linkScriptPath } from '../../pages/mailed-link.ts'
import { serveAccount } from './account.ts'
import { serveApplications } from './applications.ts'
import { serveInvitation } from './invitation.ts'
import { serveLogin } from './login.ts'
import { serveAuthorize } from './oauth-authorize.ts'
import { servePasswords } from './passwords.ts'

const style = readFileSync(new URL('../../pages/style.css', import.meta.url), 'utf8')

/** The pages for users. */
function serveUserPages(parts: PageParts): Router {
  const router = new Router()
  router.get(stylePath, (ctx) => {
    ctx.type = 'css'
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.body = style
  })
  router.get(linkScriptPath, (ctx) => {
    ctx.type = 'js'
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.body = linkScript
  })
  serveLogin(router, parts)
  servePasswords(router, parts)
  serveInvitation(router, parts)
  serveAccount(router, parts)
  serveApplications(router, parts)
  serveAuthorize(router, parts)
  router.all('/api/v1/oauth/authorize', (ctx) => {
    throw notAllowed(ctx.method)
  })
  return router
}

const pages = /^\/(login|logout|password|account|invitation)(\/|$)|^\/api\/v1\/oauth\/authorize$/

/** Answers what is for users; everything else is let pass without being compared with all of it. */
export function answerUserPages(parts: PageParts): Middleware {
  const routes = serveUserPages(parts).routes()
  return async (ctx, next) => {
    if (!pages.test(ctx.path)) return next()
    if (/^\/account(\/applications)?$/.test(ctx.path)) return sendTo(ctx, `${ctx.path}/`)
    await routes(ctx as Parameters<typeof routes>[0], next)
  }
}

/** Accounts are kept by the server that owns the data; a node below it sends users there. */
export const redirectToUpstream =
  (upstream: () => string | null): Middleware =>
  (ctx, next) => {
    const url = upstream()
    if (url === null || ctx.method !== 'GET' || !pages.test(ctx.path)) return next()
    sendTo(ctx, `${url}${ctx.url}`)
  }
