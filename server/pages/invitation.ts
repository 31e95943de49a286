import { html } from './html.ts'
import { field, form, notice, page, type Reader } from './layout.ts'
import { newPasswordFields, type PasswordProblems } from './login.ts'

/** An invitation as its reader sees it. */
export interface InvitationModel {
  readonly token: string
  readonly email: string
  readonly team: string
  readonly organizer: string
  readonly fullname: string
  readonly problems: PasswordProblems
}

const tokenField = (token: string) => html`<input type="hidden" name="token" value="${token}">`

/** Asks somebody who is logged in whether to join a team, or somebody who is not to make an account or log in. */
export function invitationPage(reader: Reader, model: InvitationModel): string {
  const { words } = reader
  const { token, email, team, organizer, problems } = model
  const isWrong = problems.password !== undefined || problems.isDifferent === true
  const here = `/invitation?token=${encodeURIComponent(token)}`
  const hint = html`<p>${words.inviteHint(team, organizer)}</p>`
  if (reader.email !== null)
    return page(
      reader,
      words.inviteTitle,
      html`<section>${hint}<p>${words.inviteAs(reader.email)}</p>
${form(reader, '/invitation', html`${tokenField(token)}<p class="buttons"><button>${words.join}</button></p>`)}</section>
${form(reader, '/logout', html`<input type="hidden" name="next" value="${here}"><button class="plain">${words.inviteOther}</button>`)}`,
    )
  return page(
    reader,
    words.inviteTitle,
    html`${isWrong && notice('bad', words.mended)}<section>${hint}
${form(
  reader,
  '/invitation',
  html`${tokenField(token)}
<p class="field"><label for="email">${words.email}</label><input id="email" type="email" value="${email}" readonly autocomplete="username"></p>
${field({ name: 'fullname', label: words.fullname, value: model.fullname, autocomplete: 'name', isRequired: false })}
${newPasswordFields(reader, problems)}
<p class="buttons"><button>${words.createAccount}</button></p>`,
)}</section>
<p><a href="/login?next=${encodeURIComponent(here)}">${words.haveAccount}</a></p>`,
  )
}
