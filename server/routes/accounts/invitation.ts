import type Router from '@koa/router'
import type { Context } from 'koa'
import { isLanguage } from '../../../schema/texts/translate.ts'
import { startLogin } from '../../http/signing-in.ts'
import {
  allowOwnScripts,
  openedLink,
  type PageParts,
  rememberLink,
  sendTo,
  tokenOfLink,
  type Visit,
  visited,
} from '../../http/visits.ts'
import { invitationPage } from '../../pages/invitation.ts'
import { errorPage } from '../../pages/layout.ts'
import type { PasswordProblems } from '../../pages/login.ts'
import { mailedLinkPage } from '../../pages/mailed-link.ts'
import type { Tx } from '../../resource/transactions.ts'
import { createUser } from '../../services/accounts/accounts.ts'
import { askingForFactor } from '../../services/accounts/own-organizers.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import { acceptInvitation, findInvitation, type Invitation } from '../../services/accounts/team-invites.ts'
import {
  findUser,
  findUserByEmail,
  saveProfile,
  type User,
  userActor,
} from '../../services/accounts/users.ts'
import { newPasswordProblems } from './login.ts'

const path = '/invitation'
const tokenForm = /^[a-z0-9]{64}$/
const longestName = 250

const findLive = async (token: string, { transactions, now }: PageParts): Promise<Invitation | undefined> =>
  tokenForm.test(token) ? findInvitation(transactions.database, token, now()) : undefined

function renderDeadInvitation(ctx: Context, { reader }: Visit): void {
  ctx.status = 404
  ctx.body = errorPage(reader, reader.t('page.invite-dead'))
}

function renderInvitation(
  ctx: Context,
  { reader, form }: Visit,
  invitation: Invitation,
  { token, problems }: { token: string; problems: PasswordProblems },
): void {
  ctx.body = invitationPage(reader, {
    token,
    email: invitation.email,
    team: invitation.teamName,
    organizer: invitation.organizerName,
    fullname: form.get('fullname') ?? '',
    problems,
  })
}

/** Shows the page that opens the link of the mail, whose secret is not sent with its address. */
function showLink(ctx: Context, visit: Visit, parts: PageParts): Promise<void> | void {
  const token = new URLSearchParams(ctx.querystring).get('token')
  // Links were mailed with their secret in the query once, for two weeks.
  if (token !== null) return showInvitation(ctx, visit, parts, token)
  allowOwnScripts(ctx)
  ctx.body = mailedLinkPage(visit.reader, `${path}/open`)
}

async function showInvitation(ctx: Context, visit: Visit, parts: PageParts, token: string): Promise<void> {
  const invitation = await findLive(token, parts)
  if (!invitation) return renderDeadInvitation(ctx, visit)
  rememberLink(ctx, parts, token)
  renderInvitation(ctx, visit, invitation, { token, problems: {} })
}

const accept = (tx: Tx, token: string, user: User) =>
  acceptInvitation(tx, token, { id: user.id, actor: userActor(user) })

/** Where somebody goes on who has joined: to a second factor where one is asked for that they have not. */
async function afterJoining({ id, totpSecret }: User, { transactions }: PageParts): Promise<string> {
  const isAsked = totpSecret === null && (await askingForFactor(transactions.database, id)).length > 0
  return isAsked ? '/account/second-factor?done=joined' : '/account/?done=joined'
}

/** Makes the account of whoever was invited and has none, in the language of their browser. */
async function createInvitedUser(tx: Tx, visit: Visit, email: string, passwordHash: string): Promise<User> {
  const { id } = await createUser(tx, email, passwordHash)
  const user = await findUser(tx, id)
  if (!user) throw new Error('The account that was made is not there.')
  const fullname = (visit.form.get('fullname') ?? '').trim().slice(0, longestName)
  const locale = isLanguage(visit.reader.language) ? visit.reader.language : user.locale
  const profile = { fullname: fullname === '' ? null : fullname, locale, timezone: user.timezone }
  await saveProfile(tx, user, profile)
  return { ...user, ...profile }
}

/** Joins with a new account; null where the invitation ended meanwhile. */
async function joinWithNewAccount(
  visit: Visit,
  token: string,
  { email }: Invitation,
  { transactions }: PageParts,
): Promise<User | null> {
  const hash = await hashPassword(visit.form.get('new_password') ?? '')
  return transactions.write(async (tx) => {
    // Looked at again here, so that a link that ends meanwhile leaves no account behind.
    if (!(await findInvitation(tx, token, tx.now))) return null
    const made = await createInvitedUser(tx, visit, email, hash)
    await accept(tx, token, made)
    return made
  })
}

async function submitInvitation(ctx: Context, visit: Visit, parts: PageParts): Promise<void> {
  const { transactions } = parts
  const token = visit.form.get('token') ?? ''
  const invitation = await findLive(token, parts)
  if (!invitation) return renderDeadInvitation(ctx, visit)
  if (visit.session) {
    const { user } = visit.session
    if (!(await transactions.write((tx) => accept(tx, token, user)))) return renderDeadInvitation(ctx, visit)
    return sendTo(ctx, await afterJoining(user, parts))
  }
  const { email } = invitation
  if (await findUserByEmail(transactions.database, email)) {
    rememberLink(ctx, parts, token)
    return sendTo(ctx, `/login?next=${encodeURIComponent(`${path}/join`)}`)
  }
  const problems = newPasswordProblems(visit.form, [email, visit.form.get('fullname') ?? ''])
  if (problems) {
    ctx.status = 400
    return renderInvitation(ctx, visit, invitation, { token, problems })
  }
  const user = await joinWithNewAccount(visit, token, invitation, parts)
  if (!user) return renderDeadInvitation(ctx, visit)
  await startLogin(ctx, parts, user, { isComplete: true, before: null })
  sendTo(ctx, await afterJoining(user, parts))
}

/** Lets whoever was invited into the team, with the account they have or with a new one. */
export function serveInvitation(router: Router, parts: PageParts): void {
  router.get(path, visited(parts, showLink))
  router.post(
    `${path}/open`,
    visited(parts, (ctx, visit) => showInvitation(ctx, visit, parts, tokenOfLink(visit.form))),
  )
  router.get(
    `${path}/join`,
    visited(parts, (ctx, visit) => showInvitation(ctx, visit, parts, openedLink(ctx, parts))),
  )
  router.post(path, visited(parts, submitInvitation))
}
