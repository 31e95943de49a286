import { type Html, html } from './html.ts'
import { field, form, languages, notice, page, type Reader } from './layout.ts'
import { newPasswordFields, type PasswordProblems } from './login.ts'

/** A login of the reader. */
export interface LoginShown {
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
  const { words } = reader
  const known = Object.entries(languages).map(([code, { name }]) => option(code, name, model.locale))
  const kept = model.locale in languages ? null : option(model.locale, model.locale, model.locale)
  return html`<section aria-labelledby="profile"><h2 id="profile">${words.profile}</h2>
${form(
  reader,
  '/account/profile',
  html`${field({
    name: 'fullname',
    label: words.fullname,
    value: model.fullname,
    autocomplete: 'name',
    isRequired: false,
    ...(model.problems.isNameLong ? { problem: words.tooLong } : {}),
  })}
<p class="field"><label for="locale">${words.language}</label><select id="locale" name="locale">${kept}${known}</select></p>
<p class="field"><label for="timezone">${words.timezone}</label><select id="timezone" name="timezone">${model.timezones.map((zone) => option(zone, zone.replaceAll('_', ' '), model.timezone))}</select></p>
<p class="buttons"><button>${words.save}</button></p>`,
)}</section>`
}

const passwordSection = (
  reader: Reader,
  { problems }: AccountModel,
): Html => html`<section aria-labelledby="change-password"><h2 id="change-password">${reader.words.changePassword}</h2>
${form(
  reader,
  '/account/password',
  html`<input type="hidden" name="email" value="${reader.email}" autocomplete="username">
${field({
  name: 'password',
  label: reader.words.oldPassword,
  type: 'password',
  autocomplete: 'current-password',
  ...(problems.isOldWrong ? { problem: reader.words.wrongPassword } : {}),
})}
${newPasswordFields(reader, problems)}
<p class="buttons"><button>${reader.words.changePassword}</button></p>`,
)}</section>`

function factorSection(reader: Reader, model: AccountModel): Html {
  const { words } = reader
  const title = html`<h2 id="second-factor">${words.secondFactor}</h2>`
  if (!model.hasSecondFactor)
    return html`<section aria-labelledby="second-factor">${title}<p>${words.secondFactorOff}</p>
<p><a href="/account/second-factor">${words.turnOn}</a></p></section>`
  return html`<section aria-labelledby="second-factor">${title}<p>${words.secondFactorOn} ${words.codesLeft(model.codesLeft)}</p>
${form(
  reader,
  '/account/second-factor/change',
  html`${field({
    id: 'confirmation',
    name: 'password',
    label: words.password,
    type: 'password',
    autocomplete: 'current-password',
    ...(model.problems.isConfirmationWrong ? { problem: words.wrongPassword } : {}),
  })}
<p class="buttons"><button name="codes" value="new">${words.newCodes}</button> <button class="second" name="off" value="yes">${words.turnOff}</button></p>`,
)}</section>`
}

const loginRow = (reader: Reader, { id, agent, seen, isThis }: LoginShown): Html => html`<li>
<div><h3>${agent === '' ? reader.words.unknownBrowser : agent}</h3><span class="hint">${isThis ? reader.words.thisOne : html`${reader.words.lastSeen} ${seen}`}</span></div>
${!isThis && html`<button class="second" name="session" value="${id}" aria-label="${reader.words.end}: ${agent}">${reader.words.end}</button>`}
</li>`

/** The logins, in one form: Return in its field means its first button, which ends too many rather than the wrong one. */
const loginsSection = (
  reader: Reader,
  model: AccountModel,
): Html => html`<section aria-labelledby="sessions"><h2 id="sessions">${reader.words.sessions}</h2>
${form(
  reader,
  '/account/sessions',
  html`${field({
    id: 'ending',
    name: 'password',
    label: reader.words.password,
    type: 'password',
    autocomplete: 'current-password',
    hint: reader.words.endHint,
    ...(model.problems.isEndingWrong ? { problem: reader.words.wrongPassword } : {}),
  })}
<p class="buttons"><button class="second" name="all" value="yes">${reader.words.endAll}</button></p>
<ul class="rows">${model.logins.map((login) => loginRow(reader, login))}</ul>`,
)}</section>`

/** Somebody's own account. */
export function accountPage(reader: Reader, model: AccountModel): string {
  const { words } = reader
  const { isOldWrong, isConfirmationWrong, isEndingWrong, isNameLong, password, isDifferent, other } =
    model.problems
  const isWrong = isOldWrong || isConfirmationWrong || isEndingWrong || isNameLong || password || isDifferent
  return page(
    reader,
    words.account,
    html`${model.good !== null && notice('good', model.good)}${other ? notice('bad', other) : isWrong && notice('bad', words.mended)}
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
export interface SetUpModel {
  readonly secret: string
  readonly modules: readonly (readonly boolean[])[]
  readonly isPasswordWrong: boolean
  readonly isCodeWrong: boolean
  readonly other: string | null
}

/** Where the second factor is set up. */
export function setUpPage(reader: Reader, model: SetUpModel): string {
  const { words } = reader
  const { secret, modules, isPasswordWrong, isCodeWrong, other } = model
  return page(
    reader,
    words.setUpTitle,
    html`${other !== null && notice('bad', other)}<section><p>${words.setUpHint}</p>
<p>${qrCode(words.qrLabel, modules)}</p>
<p>${words.byHand}<br><code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
${form(
  reader,
  '/account/second-factor',
  html`<input type="hidden" name="secret" value="${secret}">
${field({ name: 'code', label: words.code, autocomplete: 'one-time-code', isCode: true, ...(isCodeWrong ? { problem: words.wrongCode } : {}) })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', ...(isPasswordWrong ? { problem: words.wrongPassword } : {}) })}
<p class="buttons"><button>${words.turnOn}</button></p>`,
)}</section><p><a href="/account/">${words.back}</a></p>`,
  )
}

/** Shows recovery codes, this once. */
export const codesPage = (reader: Reader, codes: readonly string[]): string =>
  page(
    reader,
    reader.words.codesTitle,
    html`<section><p>${reader.words.codesHint}</p>
<ol class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ol>
<p><a href="/account/">${reader.words.codesKept}</a></p></section>`,
  )
