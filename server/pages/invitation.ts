import { html } from './html.ts'
import { field, form, notice, page, type Reader } from './layout.ts'
import { newPasswordFields, type PasswordProblems } from './login.ts'

/** An invitation as its reader sees it. */
interface InvitationModel {
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
  const { t } = reader
  const { token, email, team, organizer, problems } = model
  const isWrong = problems.password !== undefined || problems.isDifferent === true
  const here = '/invitation/join'
  const hint = html`<p>${t('page.invite-hint', { team, organizer })}</p>`
  if (reader.email !== null)
    return page(
      reader,
      t('page.invite-title'),
      html`<section>${hint}<p>${t('page.invite-as', { email: reader.email })}</p>
${form(reader, '/invitation', html`${tokenField(token)}<p class="buttons"><button>${t('page.join')}</button></p>`)}</section>
${form(reader, '/logout', html`<input type="hidden" name="next" value="${here}"><button class="plain">${t('page.invite-other')}</button>`)}`,
    )
  return page(
    reader,
    t('page.invite-title'),
    html`${isWrong && notice('bad', t('page.to-correct'))}<section>${hint}
${form(
  reader,
  '/invitation',
  html`${tokenField(token)}
<p class="field"><label for="email">${t('page.email')}</label><input id="email" type="email" value="${email}" readonly autocomplete="username"></p>
${field({ name: 'fullname', label: t('page.full-name'), value: model.fullname, autocomplete: 'name', isRequired: false })}
${newPasswordFields(reader, problems)}
<p class="buttons"><button>${t('page.create-account')}</button></p>`,
)}</section>
<p><a href="/login?next=${encodeURIComponent(here)}">${t('page.have-account')}</a></p>`,
  )
}
