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

/** Serves what somebody can see and change of their own account. */
export function serveAccount(router: Router, parts: PageParts): void {
  const { transactions, now } = parts
  const { database } = transactions
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()

  async function show(
    ctx: Context,
    { reader, session }: OwnVisit,
    said: { good?: string | undefined; problems?: AccountModel['problems'] },
  ): Promise<void> {
    const { person } = session
    const logins = await sessionsOf(database, person.id, now())
    if (said.problems && ctx.status !== 429) ctx.status = 400
    ctx.body = accountPage(reader, {
      fullname: person.fullname ?? '',
      locale: person.locale,
      timezone: person.timezone,
      timezones: zones.includes(person.timezone) ? zones : [person.timezone, ...zones],
      hasSecondFactor: person.totpSecret !== null,
      codesLeft: await countRecoveryCodes(database, person.id),
      logins: logins.map(({ id, agent, seen }) => ({
        id,
        agent,
        seen: localDateTime(seen, person.timezone).replace('T', ' ').slice(0, 16),
        isThis: id === session.id,
      })),
      good: said.good ?? null,
      problems: said.problems ?? {},
    })
  }

  /** Whether the password that was typed is the reader's; a sentence where it was tried too often. */
  async function confirm(ctx: Context, { reader, session, form }: OwnVisit): Promise<boolean | string> {
    const { email } = session.person
    const allowances = passwordAllowances(email.toLowerCase(), ctx.ip)
    const problem = await tooOften(ctx, parts, allowances, reader.t)
    if (problem !== null) return problem
    const found = await checkPassword(database, email, (form.get('password') ?? '').slice(0, 4096))
    if (found) await forgive(parts, allowances)
    return found !== null
  }

  router.get(
    home,
    owned(parts, (ctx, visit) => {
      const { t } = visit.reader
      const done = new URLSearchParams(ctx.querystring).get('done') ?? ''
      return show(ctx, visit, {
        good: {
          saved: t('page.saved'),
          password: t('page.password-changed'),
          off: t('page.turned-off'),
          joined: t('page.joined'),
        }[done],
      })
    }),
  )

  router.post(
    '/account/profile',
    owned(parts, async (ctx, visit) => {
      const { session, form } = visit
      const { person } = session
      const fullname = (form.get('fullname') ?? '').trim()
      if (fullname.length > longestName) return show(ctx, visit, { problems: { isNameLong: true } })
      const locale = form.get('locale') ?? ''
      const timezone = form.get('timezone') ?? ''
      const profile = {
        fullname: fullname === '' ? null : fullname,
        locale: isLanguage(locale) ? locale : person.locale,
        timezone: isTimeZone(timezone) ? timezone : person.timezone,
      }
      await transactions.write((tx) => saveProfile(tx, person, profile))
      sendTo(ctx, `${home}?done=saved`)
    }),
  )

  router.post(
    '/account/password',
    owned(parts, async (ctx, visit) => {
      const { session, form } = visit
      const { person } = session
      const isConfirmed = await confirm(ctx, visit)
      if (typeof isConfirmed === 'string') return show(ctx, visit, { problems: { other: isConfirmed } })
      if (!isConfirmed) return show(ctx, visit, { problems: { isOldWrong: true } })
      const problems = newPasswordProblems(form, [person.email, person.fullname ?? ''])
      if (problems) return show(ctx, visit, { problems })
      const hash = await hashPassword(form.get('new_password') ?? '')
      await startLogin(ctx, parts, person, {
        isComplete: true,
        before: session,
        async also(tx) {
          await savePasswordHash(tx, person.id, hash)
          await endSessions(tx, person.id)
          noteAccount(tx, person, 'password.changed')
          await mailAccountChange(tx, person, 'password_changed')
        },
      })
      sendTo(ctx, `${home}?done=password`)
    }),
  )

  const setUp = (
    ctx: Context,
    { reader, session }: OwnVisit,
    secret: string,
    wrong: { isPasswordWrong?: boolean; isCodeWrong?: boolean; other?: string },
  ): void => {
    ctx.body = setUpPage(reader, {
      secret,
      modules: qrModules(totpAddress(secret, session.person.email)),
      isPasswordWrong: wrong.isPasswordWrong ?? false,
      isCodeWrong: wrong.isCodeWrong ?? false,
      other: wrong.other ?? null,
    })
  }

  router.get(
    '/account/second-factor',
    owned(parts, (ctx, visit) =>
      visit.session.person.totpSecret === null
        ? setUp(ctx, visit, newTotpSecret(parts.randomBytes), {})
        : sendTo(ctx, home),
    ),
  )

  router.post(
    '/account/second-factor',
    owned(parts, async (ctx, visit) => {
      const { reader, session, form } = visit
      const { person } = session
      const secret = form.get('secret') ?? ''
      if (!/^[A-Z2-7]{32}$/.test(secret) || person.totpSecret !== null) return sendTo(ctx, home)
      const isConfirmed = await confirm(ctx, visit)
      if (ctx.status !== 429) ctx.status = 400
      if (typeof isConfirmed === 'string') return setUp(ctx, visit, secret, { other: isConfirmed })
      if (!isConfirmed) return setUp(ctx, visit, secret, { isPasswordWrong: true })
      const codes = await transactions.write(async (tx) => {
        const made = await beginSecondFactor(tx, person, secret, form.get('code') ?? '')
        if (!made) return null
        // Logins of before did not show a second factor.
        await endSessions(tx, person.id, session.id)
        await mailAccountChange(tx, person, 'second_factor_on')
        return made
      })
      if (!codes) return setUp(ctx, visit, secret, { isCodeWrong: true })
      ctx.status = 200
      ctx.body = codesPage(reader, codes)
    }),
  )

  router.post(
    '/account/second-factor/change',
    owned(parts, async (ctx, visit) => {
      const { reader, session, form } = visit
      const { person } = session
      if (person.totpSecret === null) return sendTo(ctx, home)
      const isConfirmed = await confirm(ctx, visit)
      if (typeof isConfirmed === 'string') return show(ctx, visit, { problems: { other: isConfirmed } })
      if (!isConfirmed) return show(ctx, visit, { problems: { isConfirmationWrong: true } })
      if (form.has('off')) {
        await transactions.write(async (tx) => {
          await endSecondFactor(tx, person)
          await mailAccountChange(tx, person, 'second_factor_off')
        })
        return sendTo(ctx, `${home}?done=off`)
      }
      const codes = await transactions.write(async (tx) => {
        await mailAccountChange(tx, person, 'recovery_codes_new')
        return renewRecoveryCodes(tx, person)
      })
      ctx.body = codesPage(reader, codes)
    }),
  )

  router.post(
    '/account/sessions',
    owned(parts, async (ctx, visit) => {
      const { session, form } = visit
      const { person } = session
      const isConfirmed = await confirm(ctx, visit)
      if (typeof isConfirmed === 'string') return show(ctx, visit, { problems: { other: isConfirmed } })
      if (!isConfirmed) return show(ctx, visit, { problems: { isEndingWrong: true } })
      await transactions.write(async (tx) => {
        if (form.has('all')) await endSessions(tx, person.id)
        else await endSession(tx, person.id, Number(form.get('session')) || 0)
        noteAccount(tx, person, 'logout', { everywhere: form.has('all') })
      })
      sendTo(ctx, form.has('all') ? '/login?done=out' : home)
    }),
  )
}
