import type { PasswordProblem } from '../domain/accounts/password-strength.ts'
import { html } from './html.ts'
import { field, form, notice, page, type Reader } from './layout.ts'

/** What is not right with a login, in words. */
export interface LoginModel {
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
  const { words } = reader
  const { email, problem, good, next, application } = model
  return page(
    reader,
    words.logIn,
    html`${good !== null && notice('good', good)}${problem !== null && notice('bad', problem)}
${application !== null && html`<p>${words.toGoOn(application)}</p>`}
<section>${form(
      reader,
      '/login',
      html`${nextField(next)}
${field({ name: 'email', label: words.email, type: 'email', value: email, autocomplete: 'username', isFirst: email === '' })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', isFirst: email !== '' })}
<p class="buttons"><button>${words.logIn}</button></p>`,
    )}</section>
<p><a href="/password/forgotten">${words.forgotten}</a></p>`,
  )
}

/** Where a code is asked for after the password. */
export function codePage(reader: Reader, { problem, next }: Pick<LoginModel, 'problem' | 'next'>): string {
  const { words } = reader
  return page(
    reader,
    words.codeTitle,
    html`${problem !== null && notice('bad', problem)}
<section>${form(
      reader,
      '/login/code',
      html`${nextField(next)}
${field({ name: 'code', label: words.code, hint: words.codeHint, autocomplete: 'one-time-code', isCode: true, isFirst: true })}
<p class="buttons"><button>${words.goOn}</button></p>`,
    )}</section>`,
  )
}

/** Where somebody who has forgotten the password asks for a link. */
export function forgottenPage(reader: Reader, model: Pick<LoginModel, 'problem' | 'good'>): string {
  const { words } = reader
  return page(
    reader,
    words.forgottenTitle,
    html`${model.good !== null && notice('good', model.good)}${model.problem !== null && notice('bad', model.problem)}
${
  model.good === null &&
  html`<section><p>${words.forgottenHint}</p>${form(
    reader,
    '/password/forgotten',
    html`${field({ name: 'email', label: words.email, type: 'email', autocomplete: 'username' })}
<p class="buttons"><button>${words.sendLink}</button></p>`,
  )}</section>`
}
<p><a href="/login">${words.toLogIn}</a></p>`,
  )
}

/** What is wrong with a new password and its repetition. */
export interface PasswordProblems {
  readonly password?: PasswordProblem
  readonly isDifferent?: boolean
}

/** The two fields for a new password. */
export const newPasswordFields = (
  { words }: Reader,
  { password, isDifferent }: PasswordProblems,
) => html`${field({
  name: 'new_password',
  label: words.newPassword,
  type: 'password',
  autocomplete: 'new-password',
  hint: words.passwordHint,
  ...(password ? { problem: words.passwordProblems[password] } : {}),
})}
${field({
  name: 'repeat_password',
  label: words.repeatPassword,
  type: 'password',
  autocomplete: 'new-password',
  ...(isDifferent ? { problem: words.notTheSame } : {}),
})}`

/** Where a new password is chosen, with the token of the mail. */
export function resetPage(reader: Reader, token: string, problems: PasswordProblems): string {
  const { words } = reader
  return page(
    reader,
    words.resetTitle,
    html`<section>${form(
      reader,
      '/password/reset',
      html`<input type="hidden" name="token" value="${token}">
${newPasswordFields(reader, problems)}
<p class="buttons"><button>${words.setPassword}</button></p>`,
    )}</section>`,
  )
}
