import type Router from '@koa/router'
import type { Context } from 'koa'
import { isLanguage } from '../../../schema/texts/translate.ts'
import { localDateTime } from '../../domain/text/time.ts'
import { isTimeZone } from '../../domain/text/zones.ts'
import { qrModules } from '../../exporters/tickets/barcode.ts'
import { forgive, startLogin, tooOften } from '../../http/signing-in.ts'
import { type OwnVisit, owned, type PageParts, sendTo } from '../../http/visits.ts'
import { type AccountModel, accountPage, codesPage, setUpPage } from '../../pages/account.ts'
import { mailAccountChange } from '../../services/accounts/account-mails.ts'
import { askingForFactor } from '../../services/accounts/own-organizers.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import {
  beginSecondFactor,
  countRecoveryCodes,
  endSecondFactor,
  newTotpSecret,
  renewRecoveryCodes,
  totpAddress,
} from '../../services/accounts/second-factor.ts'
import { endSession, endSessions, sessionsOf } from '../../services/accounts/sessions.ts'
import { passwordAllowances } from '../../services/accounts/throttle.ts'
import { checkPassword, noteAccount, savePasswordHash, saveProfile } from '../../services/accounts/users.ts'
import { newPasswordProblems } from './login.ts'

const home = '/account/'
const longestName = 250

const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()

async function renderAccount(
  ctx: Context,
  { reader, session }: OwnVisit,
  { transactions, now }: PageParts,
  said: { good?: string | undefined; problems?: AccountModel['problems'] },
): Promise<void> {
  const { database } = transactions
  const { user } = session
  const logins = await sessionsOf(database, user.id, now())
  if (said.problems && ctx.status !== 429) ctx.status = 400
  ctx.body = accountPage(reader, {
    fullname: user.fullname ?? '',
    locale: user.locale,
    timezone: user.timezone,
    timezones: zones.includes(user.timezone) ? zones : [user.timezone, ...zones],
    hasSecondFactor: user.totpSecret !== null,
    codesLeft: await countRecoveryCodes(database, user.id),
    askingForFactor: await askingForFactor(database, user.id),
    logins: logins.map(({ id, agent, seen }) => ({
      id,
      agent,
      seen: localDateTime(seen, user.timezone).replace('T', ' ').slice(0, 16),
      isThis: id === session.id,
    })),
    good: said.good ?? null,
    problems: said.problems ?? {},
  })
}

/** Whether the password that was typed is the reader's; a sentence where it was tried too often. */
async function confirmPassword(
  ctx: Context,
  { reader, session, form }: OwnVisit,
  parts: PageParts,
): Promise<boolean | string> {
  const { email } = session.user
  const allowances = passwordAllowances(email.toLowerCase(), ctx.ip)
  const problem = await tooOften(ctx, parts, allowances, reader.t)
  if (problem !== null) return problem
  const typed = (form.get('password') ?? '').slice(0, 4096)
  const found = await checkPassword(parts.transactions.database, email, typed)
  if (found) await forgive(parts, allowances)
  return found !== null
}

function showAccount(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { t } = visit.reader
  const done = new URLSearchParams(ctx.querystring).get('done') ?? ''
  return renderAccount(ctx, visit, parts, {
    good: {
      saved: t('page.saved'),
      password: t('page.password-changed'),
      off: t('page.turned-off'),
      joined: t('page.joined'),
    }[done],
  })
}

async function submitProfile(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { session, form } = visit
  const { user } = session
  const fullname = (form.get('fullname') ?? '').trim()
  if (fullname.length > longestName)
    return renderAccount(ctx, visit, parts, { problems: { isNameLong: true } })
  const locale = form.get('locale') ?? ''
  const timezone = form.get('timezone') ?? ''
  const profile = {
    fullname: fullname === '' ? null : fullname,
    locale: isLanguage(locale) ? locale : user.locale,
    timezone: isTimeZone(timezone) ? timezone : user.timezone,
  }
  await parts.transactions.write((tx) => saveProfile(tx, user, profile))
  sendTo(ctx, `${home}?done=saved`)
}

async function submitPassword(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { session, form } = visit
  const { user } = session
  const isConfirmed = await confirmPassword(ctx, visit, parts)
  if (typeof isConfirmed === 'string')
    return renderAccount(ctx, visit, parts, { problems: { other: isConfirmed } })
  if (!isConfirmed) return renderAccount(ctx, visit, parts, { problems: { isOldWrong: true } })
  const problems = newPasswordProblems(form, [user.email, user.fullname ?? ''])
  if (problems) return renderAccount(ctx, visit, parts, { problems })
  const hash = await hashPassword(form.get('new_password') ?? '')
  await startLogin(ctx, parts, user, {
    isComplete: true,
    before: session,
    async also(tx) {
      await savePasswordHash(tx, user.id, hash)
      await endSessions(tx, user.id)
      noteAccount(tx, user, 'password.changed')
      await mailAccountChange(tx, user, 'password_changed')
    },
  })
  sendTo(ctx, `${home}?done=password`)
}

async function renderSetUp(
  ctx: Context,
  { reader, session }: OwnVisit,
  { transactions: { database } }: PageParts,
  said: { secret: string; isPasswordWrong?: boolean; isCodeWrong?: boolean; other?: string },
): Promise<void> {
  const { secret } = said
  const hasJoined = new URLSearchParams(ctx.querystring).get('done') === 'joined'
  ctx.body = setUpPage(reader, {
    secret,
    modules: qrModules(totpAddress(secret, session.user.email)),
    isPasswordWrong: said.isPasswordWrong ?? false,
    isCodeWrong: said.isCodeWrong ?? false,
    other: said.other ?? null,
    good: hasJoined ? reader.t('page.joined') : null,
    askingForFactor: await askingForFactor(database, session.user.id),
  })
}

async function showSecondFactor(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  if (visit.session.user.totpSecret !== null) return sendTo(ctx, home)
  await renderSetUp(ctx, visit, parts, { secret: newTotpSecret(parts.randomBytes) })
}

async function submitSecondFactor(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { reader, session, form } = visit
  const { user } = session
  const secret = form.get('secret') ?? ''
  if (!/^[A-Z2-7]{32}$/.test(secret) || user.totpSecret !== null) return sendTo(ctx, home)
  const isConfirmed = await confirmPassword(ctx, visit, parts)
  if (ctx.status !== 429) ctx.status = 400
  if (typeof isConfirmed === 'string') return renderSetUp(ctx, visit, parts, { secret, other: isConfirmed })
  if (!isConfirmed) return renderSetUp(ctx, visit, parts, { secret, isPasswordWrong: true })
  const codes = await parts.transactions.write(async (tx) => {
    const made = await beginSecondFactor(tx, user, secret, form.get('code') ?? '')
    if (!made) return null
    // Logins of before did not show a second factor.
    await endSessions(tx, user.id, session.id)
    await mailAccountChange(tx, user, 'second_factor_on')
    return made
  })
  if (!codes) return renderSetUp(ctx, visit, parts, { secret, isCodeWrong: true })
  ctx.status = 200
  ctx.body = codesPage(reader, codes)
}

async function submitSecondFactorChange(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { reader, session, form } = visit
  const { user } = session
  if (user.totpSecret === null) return sendTo(ctx, home)
  const isConfirmed = await confirmPassword(ctx, visit, parts)
  if (typeof isConfirmed === 'string')
    return renderAccount(ctx, visit, parts, { problems: { other: isConfirmed } })
  if (!isConfirmed) return renderAccount(ctx, visit, parts, { problems: { isConfirmationWrong: true } })
  if (form.has('off')) {
    const asking = await parts.transactions.write(async (tx) => {
      const names = await askingForFactor(tx, user.id)
      if (names.length > 0) return names
      await endSecondFactor(tx, user)
      await mailAccountChange(tx, user, 'second_factor_off')
      return []
    })
    if (asking.length > 0) {
      const other = reader.t('page.factor-stays', { names: asking.join(', ') })
      return renderAccount(ctx, visit, parts, { problems: { other } })
    }
    return sendTo(ctx, `${home}?done=off`)
  }
  const codes = await parts.transactions.write(async (tx) => {
    await mailAccountChange(tx, user, 'recovery_codes_new')
    return renewRecoveryCodes(tx, user)
  })
  ctx.body = codesPage(reader, codes)
}

async function submitSessionsEnd(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { session, form } = visit
  const { user } = session
  const isConfirmed = await confirmPassword(ctx, visit, parts)
  if (typeof isConfirmed === 'string')
    return renderAccount(ctx, visit, parts, { problems: { other: isConfirmed } })
  if (!isConfirmed) return renderAccount(ctx, visit, parts, { problems: { isEndingWrong: true } })
  await parts.transactions.write(async (tx) => {
    if (form.has('all')) await endSessions(tx, user.id)
    else await endSession(tx, user.id, Number(form.get('session')) || 0)
    noteAccount(tx, user, 'logout', { everywhere: form.has('all') })
  })
  sendTo(ctx, form.has('all') ? '/login?done=out' : home)
}

/** Serves what users see and change of their own account. */
export function serveAccount(router: Router, parts: PageParts): void {
  router.get(home, owned(parts, showAccount))
  router.post('/account/profile', owned(parts, submitProfile))
  router.post('/account/password', owned(parts, submitPassword))
  router.get('/account/second-factor', owned(parts, showSecondFactor))
  router.post('/account/second-factor', owned(parts, submitSecondFactor))
  router.post('/account/second-factor/change', owned(parts, submitSecondFactorChange))
  router.post('/account/sessions', owned(parts, submitSessionsEnd))
}
