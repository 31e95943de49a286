import type { RedirectProblem } from '../domain/accounts/redirect-uris.ts'
import { type Html, html } from './html.ts'
import { field, form, notice, page, type Reader } from './layout.ts'

/** An application of the reader's own. */
interface ApplicationShown {
  readonly id: number
  readonly name: string
  readonly clientId: string
  readonly isPublic: boolean
  readonly redirectUris: readonly string[]
}

/** An application that may act for the reader. */
interface AuthorizationShown {
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
  readonly nameProblem: 'missing' | 'too-long' | null
  readonly redirectProblem:
    | 'missing'
    | 'too-many'
    | { readonly uri: string; readonly problem: RedirectProblem }
    | null
}

/** What the page of applications shows. */
interface ApplicationsModel {
  readonly own: readonly ApplicationShown[]
  readonly authorized: readonly AuthorizationShown[]
  readonly fresh: NewApplicationModel
  readonly good: string | null
}

const authorizationRow = (
  reader: Reader,
  { application, name, scopes, organizers, since }: AuthorizationShown,
): Html => html`<li>
<div><h3>${name}</h3><span class="hint">${scopes.join(', ')}${organizers.length > 0 && html` · ${organizers.join(', ')}`} · ${reader.t('page.since', { when: since })}</span></div>
${form(reader, `/account/authorizations/${application}`, html`<button class="second" aria-label="${reader.t('page.stop')}: ${name}">${reader.t('page.stop')}</button>`)}
</li>`

const ownRow = (reader: Reader, own: ApplicationShown): Html => {
  const { t } = reader
  return html`<li>
<div><h3>${own.name}</h3><span class="hint">${t('page.client-id')} <code>${own.clientId}</code>${own.redirectUris.map((uri) => html`<br>${uri}`)}</span></div>
<div class="buttons">${!own.isPublic && form(reader, `/account/applications/${own.id}/secret`, html`<button class="second" title="${t('page.new-secret-hint')}" aria-label="${t('page.new-secret')}: ${own.name}">${t('page.new-secret')}</button>`)}
<form action="/account/applications/${own.id}/delete"><button class="second" aria-label="${t('page.remove')}: ${own.name}">${t('page.remove')}</button></form></div>
</li>`
}

function redirectField({ t }: Reader, { redirectUris, redirectProblem }: NewApplicationModel): Html {
  const text =
    redirectProblem === null
      ? null
      : typeof redirectProblem === 'string'
        ? t(`page.problem.${redirectProblem}`)
        : t(`page.redirect-problem.${redirectProblem.problem}`, { uri: redirectProblem.uri })
  return html`<p class="field"><label for="redirect_uris">${t('page.redirect-uris')}</label>
<span class="hint" id="redirect-hint">${t('page.redirect-hint')}</span>
${text !== null && html`<strong class="problem" id="redirect-problem">${text}</strong>`}
<textarea id="redirect_uris" name="redirect_uris" required autocapitalize="none" spellcheck="false" aria-describedby="redirect-hint redirect-problem"${text !== null && html` aria-invalid="true"`}>
${redirectUris}</textarea></p>`
}

function registerSection(reader: Reader, fresh: NewApplicationModel): Html {
  const { t } = reader
  return html`<section aria-labelledby="register"><h2 id="register">${t('page.register')}</h2>
${form(
  reader,
  '/account/applications/',
  html`${field({ name: 'name', label: t('page.name'), value: fresh.name, autocomplete: 'off', ...(fresh.nameProblem ? { problem: t(`page.problem.${fresh.nameProblem}`) } : {}) })}
${redirectField(reader, fresh)}
<fieldset><legend>${t('page.kind')}</legend>
<label class="choice"><input type="radio" name="kind" value="confidential"${!fresh.isPublic && html` checked`}>${t('page.confidential')}</label>
<label class="choice"><input type="radio" name="kind" value="public"${fresh.isPublic && html` checked`}>${t('page.public')}</label></fieldset>
<p class="buttons"><button>${t('page.register')}</button></p>`,
)}</section>`
}

/** Which applications act for the reader, and which the reader has registered. */
export function applicationsPage(
  reader: Reader,
  { own, authorized, fresh, good }: ApplicationsModel,
): string {
  const { t } = reader
  const isWrong = fresh.nameProblem !== null || fresh.redirectProblem !== null
  return page(
    reader,
    t('page.applications'),
    html`${good !== null && notice('good', good)}${isWrong && notice('bad', t('page.to-correct'))}
<section aria-labelledby="authorized"><h2 id="authorized">${t('page.authorized')}</h2><p class="hint">${authorized.length === 0 ? t('page.none') : t('page.authorized-hint')}</p>
${authorized.length > 0 && html`<ul class="rows">${authorized.map((one) => authorizationRow(reader, one))}</ul>`}</section>
<section aria-labelledby="own"><h2 id="own">${t('page.own-applications')}</h2><p class="hint">${t('page.own-hint')} ${own.length === 0 && t('page.none')}</p>
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
  const { t } = reader
  return page(
    reader,
    title,
    html`<section><dl><dt>${t('page.client-id')}</dt><dd><code id="client_id">${clientId}</code></dd>
${secret !== null && html`<dt>${t('page.client-secret')}</dt><dd><code id="client_secret">${secret}</code></dd>`}</dl>
${secret !== null && notice('good', t('page.secret-once'))}
<p><a href="/account/applications/">${t('page.applications')}</a></p></section>`,
  )
}

/** Asks whether an application is really to be taken away. */
export const removePage = (reader: Reader, { id, name }: Pick<ApplicationShown, 'id' | 'name'>): string =>
  page(
    reader,
    reader.t('page.remove-title', { name }),
    html`<section><p>${reader.t('page.remove-hint')}</p>
${form(reader, `/account/applications/${id}/delete`, html`<p class="buttons"><button>${reader.t('page.remove')}</button></p>`)}</section>
<p><a href="/account/applications/">${reader.t('page.back')}</a></p>`,
  )
