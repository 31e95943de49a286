import type Router from '@koa/router'
import type { Context } from 'koa'
import { mailLinkBase } from '../../http/mail-links.ts'
import { tooOften } from '../../http/signing-in.ts'
import { allowOwnScripts, type PageParts, sendTo, tokenOfLink, visited } from '../../http/visits.ts'
import { errorPage, type Reader } from '../../pages/layout.ts'
import { forgottenPage, resetPage } from '../../pages/login.ts'
import { mailedLinkPage } from '../../pages/mailed-link.ts'
import { findReset, mailReset, resetPassword } from '../../services/accounts/password-reset.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import { mailAllowances } from '../../services/accounts/throttle.ts'
import { findUserByEmail } from '../../services/accounts/users.ts'
import { newPasswordProblems } from './login.ts'

const tokenForm = /^[a-z0-9]{64}$/

/** Serves the page on which a link to a new password is asked for. */
function serveForgotten(router: Router, parts: PageParts): void {
  const { transactions, log } = parts
  const { database } = transactions

  router.get(
    '/password/forgotten',
    visited(parts, (ctx, { reader }) => {
      ctx.body = forgottenPage(reader, { problem: null, good: null })
    }),
  )

  router.post(
    '/password/forgotten',
    visited(parts, async (ctx, { reader, form }) => {
      const email = (form.get('email') ?? '').trim().slice(0, 254)
      const allowances = mailAllowances(email.toLowerCase(), ctx.ip)
      const problem = await tooOften(ctx, parts, allowances, reader.t)
      const base = mailLinkBase(ctx, parts.publicUrl)
      if (base === null) log.warn('no mail for a new password: start the server with --url', {})
      const user = await findUserByEmail(database, email)
      if (problem === null && base !== null && user)
        await transactions.write((tx) =>
          mailReset(tx, user, (token) => `${base}/password/reset#token=${token}`),
        )
      ctx.body = forgottenPage(reader, {
        problem,
        good: problem === null ? reader.t('page.link-sent') : null,
      })
    }),
  )
}

/** Serves what such a link leads to. */
function serveReset(router: Router, parts: PageParts): void {
  const { transactions, now } = parts
  const { database } = transactions

  const deadLink = (ctx: Context, reader: Reader): void => {
    ctx.status = 404
    ctx.body = errorPage(reader, reader.t('page.dead-link'), {
      href: '/password/forgotten',
      label: reader.t('page.new-link'),
    })
  }

  const showReset = async (ctx: Context, reader: Reader, token: string): Promise<void> => {
    if (!tokenForm.test(token) || !(await findReset(database, token, now()))) return deadLink(ctx, reader)
    ctx.body = resetPage(reader, token, {})
  }

  router.get(
    '/password/reset',
    visited(parts, (ctx, { reader }) => {
      const token = new URLSearchParams(ctx.querystring).get('token')
      // Links were mailed with their secret in the query once, for an hour.
      if (token !== null) return showReset(ctx, reader, token)
      allowOwnScripts(ctx)
      ctx.body = mailedLinkPage(reader, '/password/reset/open')
    }),
  )

  router.post(
    '/password/reset/open',
    visited(parts, (ctx, { reader, form }) => showReset(ctx, reader, tokenOfLink(form))),
  )

  router.post(
    '/password/reset',
    visited(parts, async (ctx, { reader, form }) => {
      const token = form.get('token') ?? ''
      const user = tokenForm.test(token) ? await findReset(database, token, now()) : undefined
      if (!user) return deadLink(ctx, reader)
      const problems = newPasswordProblems(form, [user.email, user.fullname ?? ''])
      if (problems) {
        ctx.status = 400
        ctx.body = resetPage(reader, token, problems)
        return
      }
      const hash = await hashPassword(form.get('new_password') ?? '')
      const done = await transactions.write((tx) => resetPassword(tx, token, hash))
      if (!done) return deadLink(ctx, reader)
      sendTo(ctx, '/login?done=reset')
    }),
  )
}

/** Serves what somebody does who has forgotten the password. */
export function servePasswords(router: Router, parts: PageParts): void {
  serveForgotten(router, parts)
  serveReset(router, parts)
}
