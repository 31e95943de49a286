import type { RedirectProblem } from '../domain/accounts/redirect-uris.ts'
import { type Html, html } from './html.ts'
import { field, form, notice, page, type Reader } from './layout.ts'

/** An application of the reader's own. */
export interface ApplicationShown {
  readonly id: number
  readonly name: string
  readonly clientId: string
  readonly isPublic: boolean
  readonly redirectUris: readonly string[]
}

/** An application that may act for the reader. */
export interface LetInShown {
  readonly application: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly organizers: readonly string[]
  readonly since: string
}

/** What was typed for a new application, and what is wrong with it. */
export interface NewApplicationModel {
  readonly name: string
  readonly redirectUris: string
  readonly isPublic: boolean
  readonly nameProblem: 'missing' | 'tooLong' | null
  readonly redirectProblem:
    | 'missing'
    | 'tooMany'
    | { readonly uri: string; readonly problem: RedirectProblem }
    | null
}

/** What the page of applications shows. */
export interface ApplicationsModel {
  readonly own: readonly ApplicationShown[]
  readonly letIn: readonly LetInShown[]
  readonly fresh: NewApplicationModel
  readonly good: string | null
}

const letInRow = (
  reader: Reader,
  { application, name, scopes, organizers, since }: LetInShown,
): Html => html`<li>
<div><h3>${name}</h3><span class="hint">${scopes.join(', ')}${organizers.length > 0 && html` · ${organizers.join(', ')}`} · ${reader.words.since} ${since}</span></div>
${form(reader, `/account/authorizations/${application}`, html`<button class="second" aria-label="${reader.words.stop}: ${name}">${reader.words.stop}</button>`)}
</li>`

const ownRow = (reader: Reader, own: ApplicationShown): Html => {
  const { words } = reader
  return html`<li>
<div><h3>${own.name}</h3><span class="hint">${words.clientId} <code>${own.clientId}</code>${own.redirectUris.map((uri) => html`<br>${uri}`)}</span></div>
<div class="buttons">${!own.isPublic && form(reader, `/account/applications/${own.id}/secret`, html`<button class="second" title="${words.newSecretHint}" aria-label="${words.newSecret}: ${own.name}">${words.newSecret}</button>`)}
<form action="/account/applications/${own.id}/delete"><button class="second" aria-label="${words.remove}: ${own.name}">${words.remove}</button></form></div>
</li>`
}

function redirectField({ words }: Reader, { redirectUris, redirectProblem }: NewApplicationModel): Html {
  const text =
    redirectProblem === null
      ? null
      : typeof redirectProblem === 'string'
        ? words[redirectProblem]
        : `${redirectProblem.uri} ${words.redirectProblems[redirectProblem.problem]}`
  return html`<p class="field"><label for="redirect_uris">${words.redirectUris}</label>
<span class="hint" id="redirect-hint">${words.redirectHint}</span>
${text !== null && html`<strong class="problem" id="redirect-problem">${text}</strong>`}
<textarea id="redirect_uris" name="redirect_uris" required autocapitalize="none" spellcheck="false" aria-describedby="redirect-hint redirect-problem"${text !== null && html` aria-invalid="true"`}>
${redirectUris}</textarea></p>`
}

function registerSection(reader: Reader, fresh: NewApplicationModel): Html {
  const { words } = reader
  return html`<section aria-labelledby="register"><h2 id="register">${words.register}</h2>
${form(
  reader,
  '/account/applications/',
  html`${field({ name: 'name', label: words.name, value: fresh.name, autocomplete: 'off', ...(fresh.nameProblem ? { problem: words[fresh.nameProblem] } : {}) })}
${redirectField(reader, fresh)}
<fieldset><legend>${words.kind}</legend>
<label class="choice"><input type="radio" name="kind" value="confidential"${!fresh.isPublic && html` checked`}>${words.confidential}</label>
<label class="choice"><input type="radio" name="kind" value="public"${fresh.isPublic && html` checked`}>${words.public}</label></fieldset>
<p class="buttons"><button>${words.register}</button></p>`,
)}</section>`
}

/** Which applications act for the reader, and which the reader has registered. */
export function applicationsPage(reader: Reader, { own, letIn, fresh, good }: ApplicationsModel): string {
  const { words } = reader
  const isWrong = fresh.nameProblem !== null || fresh.redirectProblem !== null
  return page(
    reader,
    words.applications,
    html`${good !== null && notice('good', good)}${isWrong && notice('bad', words.mended)}
<section aria-labelledby="let-in"><h2 id="let-in">${words.letIn}</h2><p class="hint">${letIn.length === 0 ? words.none : words.letInHint}</p>
${letIn.length > 0 && html`<ul class="rows">${letIn.map((one) => letInRow(reader, one))}</ul>`}</section>
<section aria-labelledby="own"><h2 id="own">${words.ownApplications}</h2><p class="hint">${words.ownHint} ${own.length === 0 && words.none}</p>
${own.length > 0 && html`<ul class="rows">${own.map((one) => ownRow(reader, one))}</ul>`}</section>
${registerSection(reader, fresh)}`,
  )
}

/** Shows what an application signs in with; the secret this once. */
export function credentialsPage(
  reader: Reader,
  title: string,
  { clientId, secret }: { readonly clientId: string; readonly secret: string | null },
): string {
  const { words } = reader
  return page(
    reader,
    title,
    html`<section><dl><dt>${words.clientId}</dt><dd><code id="client_id">${clientId}</code></dd>
${secret !== null && html`<dt>${words.clientSecret}</dt><dd><code id="client_secret">${secret}</code></dd>`}</dl>
${secret !== null && notice('good', words.secretOnce)}
<p><a href="/account/applications/">${words.applications}</a></p></section>`,
  )
}

/** Asks whether an application is really to be taken away. */
export const removePage = (reader: Reader, { id, name }: Pick<ApplicationShown, 'id' | 'name'>): string =>
  page(
    reader,
    reader.words.removeTitle(name),
    html`<section><p>${reader.words.removeHint}</p>
${form(reader, `/account/applications/${id}/delete`, html`<p class="buttons"><button>${reader.words.remove}</button></p>`)}</section>
<p><a href="/account/applications/">${reader.words.back}</a></p>`,
  )
