import type { OAuthScope } from '../domain/accounts/authorization-request.ts'
import { html } from './html.ts'
import { form, notice, page, type Reader } from './layout.ts'

/** What a program asks for, as the person sees it who is to allow it. */
export interface ConsentModel {
  readonly name: string
  readonly madeBy: string
  readonly redirectUri: string
  readonly scopes: readonly OAuthScope[]
  readonly organizers: readonly { readonly id: number; readonly name: string; readonly isChosen: boolean }[]
  /** The request itself, which the answer is about. */
  readonly query: string
  readonly isNothingChosen: boolean
}

/** Asks whether a program may act for the reader, and at which organizers. */
export function consentPage(reader: Reader, model: ConsentModel): string {
  const { words } = reader
  const { name, scopes, organizers } = model
  const isAboutOrganizers = scopes.some((scope) => scope !== 'profile')
  const isUseless = isAboutOrganizers && organizers.length === 0
  return page(
    reader,
    words.consentTitle(name),
    html`${model.isNothingChosen && notice('bad', words.chooseOne)}
<section><p>${words.consentHint(name, reader.email ?? '')}</p>
<ul>${scopes.map((scope) => html`<li>${words.scopes[scope]}</li>`)}</ul>
<p>${words.consentLasts}</p>
${form(
  reader,
  `/api/v1/oauth/authorize?${model.query}`,
  html`${
    isAboutOrganizers &&
    organizers.length > 0 &&
    html`<fieldset><legend>${words.chooseOrganizers}</legend>
${organizers.map(
  (one) =>
    html`<label class="choice"><input type="checkbox" name="organizers" value="${one.id}"${one.isChosen && html` checked`}>${one.name}</label>`,
)}</fieldset>`
  }
${isUseless && notice('bad', words.noOrganizer)}
<p class="hint">${words.madeBy} ${model.madeBy}<br>${words.returnTo} ${model.redirectUri}</p>
<p class="buttons">${!isUseless && html`<button name="allow" value="yes">${words.allow}</button>`} <button class="second" name="deny" value="yes">${words.deny}</button></p>`,
)}</section>`,
  )
}
