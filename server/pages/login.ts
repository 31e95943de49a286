import type { PasswordProblem } from '../domain/accounts/password-strength.ts'
import { html } from './html.ts'
import { field, form, notice, page, type Reader } from './layout.ts'

/** What is not right with a login, in words. */
interface LoginModel {
  readonly email: string
  readonly problem: string | null
  readonly good: string | null
  /** The page to go on to, as a path of ours. */
  readonly next: string
  /** The program that waits for the login, by name. */
  readonly application: string | null
}

const nextField = (next: string) => next !== '' && html`<input type="hidden" name="next" value="${next}">`

/** Where somebody logs in. */
export function loginPage(reader: Reader, model: LoginModel): string {
  const { t } = reader
  const { email, problem, good, next, application } = model
  return page(
    reader,
    t('page.log-in'),
    html`${good !== null && notice('good', good)}${problem !== null && notice('bad', problem)}
${application !== null && html`<p>${t('page.to-go-on', { application })}</p>`}
<section>${form(
      reader,
      '/login',
      html`${nextField(next)}
${field({ name: 'email', label: t('page.email'), type: 'email', value: email, autocomplete: 'username', isFirst: email === '' })}
${field({ name: 'password', label: t('page.password'), type: 'password', autocomplete: 'current-password', isFirst: email !== '' })}
<p class="buttons"><button>${t('page.log-in')}</button></p>`,
    )}</section>
<p><a href="/password/forgotten">${t('page.forgotten')}</a></p>`,
  )
}

/** Where a code is asked for after the password. */
export function codePage(reader: Reader, { problem, next }: Pick<LoginModel, 'problem' | 'next'>): string {
  const { t } = reader
  return page(
    reader,
    t('page.code-title'),
    html`${problem !== null && notice('bad', problem)}
<section>${form(
      reader,
      '/login/code',
      html`${nextField(next)}
${field({ name: 'code', label: t('page.code'), hint: t('page.code-hint'), autocomplete: 'one-time-code', isCode: true, isFirst: true })}
<p class="buttons"><button>${t('page.go-on')}</button></p>`,
    )}</section>`,
  )
}

/** Where somebody who has forgotten the password asks for a link. */
export function forgottenPage(reader: Reader, model: Pick<LoginModel, 'problem' | 'good'>): string {
  const { t } = reader
  return page(
    reader,
    t('page.forgotten-title'),
    html`${model.good !== null && notice('good', model.good)}${model.problem !== null && notice('bad', model.problem)}
${
  model.good === null &&
  html`<section><p>${t('page.forgotten-hint')}</p>${form(
    reader,
    '/password/forgotten',
    html`${field({ name: 'email', label: t('page.email'), type: 'email', autocomplete: 'username' })}
<p class="buttons"><button>${t('page.send-link')}</button></p>`,
  )}</section>`
}
<p><a href="/login">${t('page.to-log-in')}</a></p>`,
  )
}

/** What is wrong with a new password and its repetition. */
export interface PasswordProblems {
  readonly password?: PasswordProblem
  readonly isDifferent?: boolean
}

/** The two fields for a new password. */
export const newPasswordFields = ({ t }: Reader, { password, isDifferent }: PasswordProblems) => html`${field(
  {
    name: 'new_password',
    label: t('page.new-password'),
    type: 'password',
    autocomplete: 'new-password',
    hint: t('page.password-hint'),
    ...(password ? { problem: t(`page.password-problem.${password}`) } : {}),
  },
)}
${field({
  name: 'repeat_password',
  label: t('page.repeat-password'),
  type: 'password',
  autocomplete: 'new-password',
  ...(isDifferent ? { problem: t('page.not-the-same') } : {}),
})}`

/** Where a new password is chosen, with the token of the mail. */
export function resetPage(reader: Reader, token: string, problems: PasswordProblems): string {
  const { t } = reader
  return page(
    reader,
    t('page.reset-title'),
    html`<section>${form(
      reader,
      '/password/reset',
      html`<input type="hidden" name="token" value="${token}">
${newPasswordFields(reader, problems)}
<p class="buttons"><button>${t('page.set-password')}</button></p>`,
    )}</section>`,
  )
}
