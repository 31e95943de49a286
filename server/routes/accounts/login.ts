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

/** The login page for a request, which may have to lead on to the program that waits. */
async function renderLogin(
  ctx: Context,
  { reader, form }: Visit,
  { transactions }: PageParts,
  said: { problem?: string; good?: string },
): Promise<void> {
  const next = safeNext(
    ctx.method === 'POST' ? form.get('next') : new URLSearchParams(ctx.querystring).get('next'),
  )
  const waiting = await awaitingApplication(transactions.database, next)
  if (waiting) allowFormTargets(ctx, waiting.formTargets)
  ctx.body = loginPage(reader, {
    email: form.get('email') ?? '',
    problem: said.problem ?? null,
    good: said.good ?? null,
    next,
    application: waiting?.name ?? null,
  })
}

async function showLogin(ctx: Context, visit: Visit, parts: PageParts): Promise<void> {
  const { t } = visit.reader
  const query = new URLSearchParams(ctx.querystring)
  if (visit.session) return sendTo(ctx, safeNext(query.get('next')) || firstPage)
  const good = { out: t('page.logged-out'), reset: t('page.password-set') }[query.get('done') ?? '']
  await renderLogin(ctx, visit, parts, good === undefined ? {} : { good })
}

async function submitLogin(ctx: Context, visit: Visit, parts: PageParts): Promise<void> {
  const { reader, form, session, halfway } = visit
  const email = (form.get('email') ?? '').trim().slice(0, 254)
  const allowances = passwordAllowances(email.toLowerCase(), ctx.ip)
  const problem = await tooOften(ctx, parts, allowances, reader.t)
  if (problem !== null) return renderLogin(ctx, visit, parts, { problem })
  const typed = (form.get('password') ?? '').slice(0, 4096)
  const found = await checkPassword(parts.transactions.database, email, typed)
  if (!found) {
    parts.log.warn('login refused', {})
    ctx.status = 403
    return renderLogin(ctx, visit, parts, { problem: reader.t('page.wrong-login') })
  }
  const { user, betterHash } = found
  await forgive(parts, allowances)
  await startLogin(ctx, parts, user, {
    isComplete: user.totpSecret === null,
    before: session ?? halfway,
    also: async (tx) => {
      if (betterHash !== null) await savePasswordHash(tx, user.id, betterHash)
    },
  })
  const next = safeNext(form.get('next'))
  if (user.totpSecret === null) return sendTo(ctx, next || firstPage)
  sendTo(ctx, `/login/code${next === '' ? '' : `?next=${encodeURIComponent(next)}`}`)
}

async function renderCode(
  ctx: Context,
  { reader }: Visit,
  { transactions }: PageParts,
  said: { next: string; problem: string | null },
): Promise<void> {
  const waiting = await awaitingApplication(transactions.database, said.next)
  if (waiting) allowFormTargets(ctx, waiting.formTargets)
  ctx.body = codePage(reader, said)
}

async function showCode(ctx: Context, visit: Visit, parts: PageParts): Promise<void> {
  if (!visit.halfway) return sendTo(ctx, '/login')
  const next = safeNext(new URLSearchParams(ctx.querystring).get('next'))
  await renderCode(ctx, visit, parts, { next, problem: null })
}

async function submitCode(ctx: Context, visit: Visit, parts: PageParts): Promise<void> {
  const { reader, form, halfway } = visit
  if (!halfway) return sendTo(ctx, '/login')
  const next = safeNext(form.get('next'))
  const { user } = halfway
  const allowances = codeAllowances(user.id)
  const problem = await tooOften(ctx, parts, allowances, reader.t)
  if (problem !== null) return renderCode(ctx, visit, parts, { next, problem })
  const taken = await parts.transactions.write((tx) => takeCode(tx, user, form.get('code') ?? ''))
  if (taken === null) {
    parts.log.warn('code refused', { user: user.id })
    ctx.status = 403
    return renderCode(ctx, visit, parts, { next, problem: reader.t('page.wrong-code') })
  }
  await forgive(parts, allowances)
  await startLogin(ctx, parts, user, { isComplete: true, before: halfway })
  sendTo(ctx, next || firstPage)
}

async function submitLogout(
  ctx: Context,
  { session, halfway, form }: Visit,
  parts: PageParts,
): Promise<void> {
  const ending = session ?? halfway
  if (ending)
    await parts.transactions.write(async (tx) => {
      await endSession(tx, ending.user.id, ending.id)
      noteAccount(tx, ending.user, 'logout')
    })
  giveCookie(ctx, parts, newSessionToken(parts.randomBytes))
  sendTo(ctx, safeNext(form.get('next')) || '/login?done=out')
}

/** Serves the login, its second step and the logout. */
export function serveLogin(router: Router, parts: PageParts): void {
  router.get('/login', visited(parts, showLogin))
  router.post('/login', visited(parts, submitLogin))
  router.get('/login/code', visited(parts, showCode))
  router.post('/login/code', visited(parts, submitCode))
  router.post('/logout', visited(parts, submitLogout))
}
