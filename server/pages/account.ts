import { isLanguage, languages } from '../../schema/texts/translate.ts'
import { type Html, html } from './html.ts'
import { factorNotice, field, form, notice, page, type Reader } from './layout.ts'
import { newPasswordFields, type PasswordProblems } from './login.ts'

/** A login of the reader. */
interface LoginShown {
  readonly id: number
  readonly agent: string
  readonly seen: string
  readonly isThis: boolean
}

/** What the account page shows. */
export interface AccountModel {
  readonly fullname: string
  readonly locale: string
  readonly timezone: string
  readonly timezones: readonly string[]
  readonly hasSecondFactor: boolean
  readonly codesLeft: number
  /** Names of organizers that ask for a second factor. */
  readonly askingForFactor: readonly string[]
  readonly logins: readonly LoginShown[]
  readonly good: string | null
  readonly problems: PasswordProblems & {
    readonly isOldWrong?: boolean
    readonly isConfirmationWrong?: boolean
    readonly isEndingWrong?: boolean
    readonly isNameLong?: boolean
    readonly other?: string
  }
}

const option = (value: string, label: string, chosen: string): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`

function profileSection(reader: Reader, model: AccountModel): Html {
  const { t } = reader
  const known = Object.entries(languages).map(([code, name]) => option(code, name, model.locale))
  const kept = isLanguage(model.locale) ? null : option(model.locale, model.locale, model.locale)
  return html`<section aria-labelledby="profile"><h2 id="profile">${t('page.profile')}</h2>
${form(
  reader,
  '/account/profile',
  html`${field({
    name: 'fullname',
    label: t('page.full-name'),
    value: model.fullname,
    autocomplete: 'name',
    isRequired: false,
    ...(model.problems.isNameLong ? { problem: t('page.problem.too-long') } : {}),
  })}
<p class="field"><label for="locale">${t('page.language')}</label><select id="locale" name="locale">${kept}${known}</select></p>
<p class="field"><label for="timezone">${t('page.timezone')}</label><select id="timezone" name="timezone">${model.timezones.map((zone) => option(zone, zone.replaceAll('_', ' '), model.timezone))}</select></p>
<p class="buttons"><button>${t('page.save')}</button></p>`,
)}</section>`
}

const passwordSection = (
  reader: Reader,
  { problems }: AccountModel,
): Html => html`<section aria-labelledby="change-password"><h2 id="change-password">${reader.t('page.change-password')}</h2>
${form(
  reader,
  '/account/password',
  html`<input type="hidden" name="email" value="${reader.email}" autocomplete="username">
${field({
  name: 'password',
  label: reader.t('page.old-password'),
  type: 'password',
  autocomplete: 'current-password',
  ...(problems.isOldWrong ? { problem: reader.t('page.wrong-password') } : {}),
})}
${newPasswordFields(reader, problems)}
<p class="buttons"><button>${reader.t('page.change-password')}</button></p>`,
)}</section>`

function factorSection(reader: Reader, model: AccountModel): Html {
  const { t } = reader
  const title = html`<h2 id="second-factor">${t('page.second-factor')}</h2>`
  if (!model.hasSecondFactor)
    return html`<section aria-labelledby="second-factor">${title}<p>${t('page.second-factor-off')}</p>
<p><a href="/account/second-factor">${t('page.turn-on')}</a></p></section>`
  return html`<section aria-labelledby="second-factor">${title}<p>${t('page.second-factor-on')} ${t('page.codes-left', { count: model.codesLeft })}</p>
${form(
  reader,
  '/account/second-factor/change',
  html`${field({
    id: 'confirmation',
    name: 'password',
    label: t('page.password'),
    type: 'password',
    autocomplete: 'current-password',
    ...(model.problems.isConfirmationWrong ? { problem: t('page.wrong-password') } : {}),
  })}
<p class="buttons"><button name="codes" value="new">${t('page.new-codes')}</button> <button class="second" name="off" value="yes">${t('page.turn-off')}</button></p>`,
)}</section>`
}

const loginRow = (reader: Reader, { id, agent, seen, isThis }: LoginShown): Html => html`<li>
<div><h3>${agent === '' ? reader.t('page.unknown-browser') : agent}</h3><span class="hint">${isThis ? reader.t('page.this-one') : reader.t('page.last-seen', { when: seen })}</span></div>
${!isThis && html`<button class="second" name="session" value="${id}" aria-label="${reader.t('page.end')}: ${agent}">${reader.t('page.end')}</button>`}
</li>`

/** The logins, in one form: Return in its field means its first button, which ends too many rather than the wrong one. */
const loginsSection = (
  reader: Reader,
  model: AccountModel,
): Html => html`<section aria-labelledby="sessions"><h2 id="sessions">${reader.t('page.sessions')}</h2>
${form(
  reader,
  '/account/sessions',
  html`${field({
    id: 'ending',
    name: 'password',
    label: reader.t('page.password'),
    type: 'password',
    autocomplete: 'current-password',
    hint: reader.t('page.end-hint'),
    ...(model.problems.isEndingWrong ? { problem: reader.t('page.wrong-password') } : {}),
  })}
<p class="buttons"><button class="second" name="all" value="yes">${reader.t('page.end-all')}</button></p>
<ul class="rows">${model.logins.map((login) => loginRow(reader, login))}</ul>`,
)}</section>`

/** Somebody's own account. */
export function accountPage(reader: Reader, model: AccountModel): string {
  const { t } = reader
  const { isOldWrong, isConfirmationWrong, isEndingWrong, isNameLong, password, isDifferent, other } =
    model.problems
  const isWrong = isOldWrong || isConfirmationWrong || isEndingWrong || isNameLong || password || isDifferent
  return page(
    reader,
    t('page.account'),
    html`${model.good !== null && notice('good', model.good)}${other ? notice('bad', other) : isWrong && notice('bad', t('page.to-correct'))}
${!model.hasSecondFactor && model.askingForFactor.length > 0 && factorNotice(reader, model.askingForFactor)}
<p>${reader.email}</p>
${profileSection(reader, model)}${passwordSection(reader, model)}${factorSection(reader, model)}${loginsSection(reader, model)}`,
  )
}

/** A QR code as a drawing: one path for all dark modules. */
function qrCode(label: string, modules: readonly (readonly boolean[])[]): Html {
  const quiet = 4
  const size = modules.length + 2 * quiet
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + quiet} ${y + quiet}h1v1h-1z` : '')))
    .join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${path}"/></svg>`
}

/** What the page shows on which the second factor is set up. */
interface SetUpModel {
  readonly secret: string
  readonly modules: readonly (readonly boolean[])[]
  readonly isPasswordWrong: boolean
  readonly isCodeWrong: boolean
  readonly other: string | null
  readonly good: string | null
  /** Names of organizers that ask for it. */
  readonly askingForFactor: readonly string[]
}

/** Where the second factor is set up. */
export function setUpPage(reader: Reader, model: SetUpModel): string {
  const { t } = reader
  const { secret, modules, isPasswordWrong, isCodeWrong, other } = model
  return page(
    reader,
    t('page.set-up-title'),
    html`${model.good !== null && notice('good', model.good)}${other !== null && notice('bad', other)}<section>
${model.askingForFactor.length > 0 && html`<p>${t('page.factor-required', { names: model.askingForFactor.join(', ') })}</p>`}
<p>${t('page.set-up-hint')}</p>
<p>${qrCode(t('page.qr-label'), modules)}</p>
<p>${t('page.by-hand')}<br><code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
${form(
  reader,
  '/account/second-factor',
  html`<input type="hidden" name="secret" value="${secret}">
${field({ name: 'code', label: t('page.code'), autocomplete: 'one-time-code', isCode: true, ...(isCodeWrong ? { problem: t('page.wrong-code') } : {}) })}
${field({ name: 'password', label: t('page.password'), type: 'password', autocomplete: 'current-password', ...(isPasswordWrong ? { problem: t('page.wrong-password') } : {}) })}
<p class="buttons"><button>${t('page.turn-on')}</button></p>`,
)}</section><p><a href="/account/">${t('page.back')}</a></p>`,
  )
}

/** Shows recovery codes, this once. */
export const codesPage = (reader: Reader, codes: readonly string[]): string =>
  page(
    reader,
    reader.t('page.codes-title'),
    html`<section><p>${reader.t('page.codes-hint')}</p>
<ol class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ol>
<p><a href="/account/">${reader.t('page.codes-kept')}</a></p></section>`,
  )
