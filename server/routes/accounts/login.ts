import type Router from '@koa/router'
import type { Context } from 'koa'
import { passwordProblem } from '../../domain/accounts/password-strength.ts'
import { forgive, startLogin, tooOften } from '../../http/signing-in.ts'
import {
  allowFormTargets,
  giveCookie,
  type PageParts,
  safeNext,
  sendTo,
  type Visit,
  visited,
} from '../../http/visits.ts'
import { codePage, loginPage, type PasswordProblems } from '../../pages/login.ts'
import { takeCode } from '../../services/accounts/second-factor.ts'
import { endSession, newSessionToken } from '../../services/accounts/sessions.ts'
import { codeAllowances, passwordAllowances } from '../../services/accounts/throttle.ts'
import { checkPassword, noteAccount, savePasswordHash } from '../../services/accounts/users.ts'
import { awaitingApplication } from './oauth-authorize.ts'

/** What is wrong with a new password and its repetition, if anything. */
export function newPasswordProblems(
  form: URLSearchParams,
  known: readonly string[],
): PasswordProblems | null {
  const password = form.get('new_password') ?? ''
  const problem = passwordProblem(password, known)
  if (problem) return { password: problem }
  return password === form.get('repeat_password') ? null : { isDifferent: true }
}

/** Where somebody is led who has logged in. */
const firstPage = '/account/'

/** Serves the login, its second step and the logout. */
export function serveLogin(router: Router, parts: PageParts): void {
  const { transactions, log } = parts
  const { database } = transactions

  /** The login page for a request, which may have to lead on to the program that waits. */
  async function showLogin(
    ctx: Context,
    { reader, form }: Visit,
    said: { problem?: string; good?: string },
  ): Promise<void> {
    const next = safeNext(
      ctx.method === 'POST' ? form.get('next') : new URLSearchParams(ctx.querystring).get('next'),
    )
    const waiting = await awaitingApplication(database, next)
    if (waiting) allowFormTargets(ctx, waiting.formTargets)
    ctx.body = loginPage(reader, {
      email: form.get('email') ?? '',
      problem: said.problem ?? null,
      good: said.good ?? null,
      next,
      application: waiting?.name ?? null,
    })
  }

  router.get(
    '/login',
    visited(parts, async (ctx, visit) => {
      const { t } = visit.reader
      const query = new URLSearchParams(ctx.querystring)
      if (visit.session) return sendTo(ctx, safeNext(query.get('next')) || firstPage)
      const good = { out: t('page.logged-out'), reset: t('page.password-set') }[query.get('done') ?? '']
      await showLogin(ctx, visit, good === undefined ? {} : { good })
    }),
  )

  router.post(
    '/login',
    visited(parts, async (ctx, visit) => {
      const { reader, form, session, halfway } = visit
      const email = (form.get('email') ?? '').trim().slice(0, 254)
      const allowances = passwordAllowances(email.toLowerCase(), ctx.ip)
      const problem = await tooOften(ctx, parts, allowances, reader.t)
      if (problem !== null) return showLogin(ctx, visit, { problem })
      const found = await checkPassword(database, email, (form.get('password') ?? '').slice(0, 4096))
      if (!found) {
        log.warn('login refused', {})
        ctx.status = 403
        return showLogin(ctx, visit, { problem: reader.t('page.wrong-login') })
      }
      const { person, betterHash } = found
      await forgive(parts, allowances)
      await startLogin(ctx, parts, person, {
        isComplete: person.totpSecret === null,
        before: session ?? halfway,
        also: async (tx) => {
          if (betterHash !== null) await savePasswordHash(tx, person.id, betterHash)
        },
      })
      const next = safeNext(form.get('next'))
      if (person.totpSecret === null) return sendTo(ctx, next || firstPage)
      sendTo(ctx, `/login/code${next === '' ? '' : `?next=${encodeURIComponent(next)}`}`)
    }),
  )

  const showCode = async (ctx: Context, { reader }: Visit, next: string, problem: string | null) => {
    const waiting = await awaitingApplication(database, next)
    if (waiting) allowFormTargets(ctx, waiting.formTargets)
    ctx.body = codePage(reader, { problem, next })
  }

  router.get(
    '/login/code',
    visited(parts, (ctx, visit) => {
      const next = safeNext(new URLSearchParams(ctx.querystring).get('next'))
      if (!visit.halfway) return sendTo(ctx, '/login')
      return showCode(ctx, visit, next, null)
    }),
  )

  router.post(
    '/login/code',
    visited(parts, async (ctx, visit) => {
      const { reader, form, halfway } = visit
      if (!halfway) return sendTo(ctx, '/login')
      const next = safeNext(form.get('next'))
      const { person } = halfway
      const allowances = codeAllowances(person.id)
      const problem = await tooOften(ctx, parts, allowances, reader.t)
      if (problem !== null) return showCode(ctx, visit, next, problem)
      const taken = await transactions.write((tx) => takeCode(tx, person, form.get('code') ?? ''))
      if (taken === null) {
        log.warn('code refused', { user: person.id })
        ctx.status = 403
        return showCode(ctx, visit, next, reader.t('page.wrong-code'))
      }
      await forgive(parts, allowances)
      await startLogin(ctx, parts, person, { isComplete: true, before: halfway })
      sendTo(ctx, next || firstPage)
    }),
  )

  router.post(
    '/logout',
    visited(parts, async (ctx, { session, halfway, form }) => {
      const ending = session ?? halfway
      if (ending)
        await transactions.write(async (tx) => {
          await endSession(tx, ending.person.id, ending.id)
          noteAccount(tx, ending.person, 'logout')
        })
      giveCookie(ctx, parts, newSessionToken(parts.randomBytes))
      sendTo(ctx, safeNext(form.get('next')) || '/login?done=out')
    }),
  )
}
