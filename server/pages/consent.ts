import type { OAuthScope } from '../domain/accounts/authorization-request.ts'
import { html } from './html.ts'
import { factorNotice, form, notice, page, type Reader } from './layout.ts'

/** What a program asks for, as the person sees it who is to allow it. */
interface ConsentModel {
  readonly name: string
  readonly madeBy: string
  readonly redirectUri: string
  readonly scopes: readonly OAuthScope[]
  readonly organizers: readonly { readonly id: number; readonly name: string; readonly isChosen: boolean }[]
  /** Names of organizers that ask for a second factor, which the reader has not. */
  readonly withoutFactor: readonly string[]
  /** The request itself, which the answer is about. */
  readonly query: string
  readonly isNothingChosen: boolean
}

/** Asks whether a program may act for the reader, and at which organizers. */
export function consentPage(reader: Reader, model: ConsentModel): string {
  const { t } = reader
  const { name, scopes, organizers } = model
  const isAboutOrganizers = scopes.some((scope) => scope !== 'profile')
  const needFactor = isAboutOrganizers ? model.withoutFactor : []
  const isUseless = isAboutOrganizers && organizers.length === 0
  return page(
    reader,
    t('page.consent-title', { name }),
    html`${model.isNothingChosen && notice('bad', t('page.choose-one'))}
<section><p>${t('page.consent-hint', { name, email: reader.email ?? '' })}</p>
<ul>${scopes.map((scope) => html`<li>${t(`page.scope.${scope}`)}</li>`)}</ul>
<p>${t('page.consent-lasts')}</p>
${form(
  reader,
  `/api/v1/oauth/authorize?${model.query}`,
  html`${
    isAboutOrganizers &&
    organizers.length > 0 &&
    html`<fieldset><legend>${t('page.choose-organizers')}</legend>
${organizers.map(
  (one) =>
    html`<label class="choice"><input type="checkbox" name="organizers" value="${one.id}"${one.isChosen && html` checked`}>${one.name}</label>`,
)}</fieldset>`
  }
${needFactor.length > 0 && factorNotice(reader, needFactor)}
${isUseless && needFactor.length === 0 && notice('bad', t('page.no-organizer'))}
<p class="hint">${t('page.made-by', { name: model.madeBy })}<br>${t('page.return-to', { address: model.redirectUri })}</p>
<p class="buttons">${!isUseless && html`<button name="allow" value="yes">${t('page.allow')}</button>`} <button class="second" name="deny" value="yes">${t('page.deny')}</button></p>`,
)}</section>`,
  )
}
