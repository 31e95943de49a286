import type Router from '@koa/router'
import type { Context } from 'koa'
import { redirectProblem } from '../../domain/accounts/redirect-uris.ts'
import { localDate } from '../../domain/text/time.ts'
import { notFound } from '../../errors.ts'
import { type OwnVisit, owned, type PageParts, sendTo } from '../../http/visits.ts'
import {
  applicationsPage,
  credentialsPage,
  type NewApplicationModel,
  removePage,
} from '../../pages/applications.ts'
import { idIn } from '../../resource/routes.ts'
import {
  type Application,
  applicationsOf,
  ownApplication,
  registerApplication,
  removeApplication,
  renewSecret,
} from '../../services/accounts/applications.ts'
import { authorizedBy, endAuthorization } from '../../services/accounts/oauth-grants.ts'

const home = '/account/applications/'
const longestName = 100
const mostAddresses = 20

const blank: NewApplicationModel = {
  name: '',
  redirectUris: '',
  isPublic: false,
  nameProblem: null,
  redirectProblem: null,
}

const addressesIn = (text: string): string[] => [
  ...new Set(text.split(/\s+/).filter((address) => address !== '')),
]

function redirectProblemIn(addresses: readonly string[]): NewApplicationModel['redirectProblem'] {
  if (addresses.length === 0) return 'missing'
  if (addresses.length > mostAddresses) return 'too-many'
  for (const uri of addresses) {
    const problem = redirectProblem(uri)
    if (problem) return { uri: uri.slice(0, 100), problem }
  }
  return null
}

/** What was typed for a new application, with what is wrong with it. */
function readApplication(form: URLSearchParams): NewApplicationModel {
  const name = (form.get('name') ?? '').trim()
  const redirectUris = form.get('redirect_uris') ?? ''
  return {
    name,
    redirectUris,
    isPublic: form.get('kind') === 'public',
    nameProblem: name === '' ? 'missing' : name.length > longestName ? 'too-long' : null,
    redirectProblem: redirectProblemIn(addressesIn(redirectUris)),
  }
}

async function renderApplications(
  ctx: Context,
  { reader, session }: OwnVisit,
  { transactions: { database } }: PageParts,
  { fresh, good = null }: { fresh: NewApplicationModel; good?: string | null },
): Promise<void> {
  const { id, timezone } = session.user
  const authorized = await authorizedBy(database, id)
  ctx.body = applicationsPage(reader, {
    own: await applicationsOf(database, id),
    authorized: authorized.map((one) => ({ ...one, since: localDate(one.since, timezone) })),
    fresh,
    good,
  })
}

/** The application that the path names, one of the reader's own. */
async function namedApplication(
  ctx: Context,
  { session }: OwnVisit,
  { transactions }: PageParts,
): Promise<Application> {
  const found = await ownApplication(transactions.database, session.user.id, idIn(ctx.params.id))
  if (!found) throw notFound()
  return found
}

function showApplications(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const isStopped = new URLSearchParams(ctx.querystring).get('done') === 'stopped'
  const good = isStopped ? visit.reader.t('page.stopped') : null
  return renderApplications(ctx, visit, parts, { fresh: blank, good })
}

async function submitApplication(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { reader, session, form } = visit
  const fresh = readApplication(form)
  if (fresh.nameProblem !== null || fresh.redirectProblem !== null) {
    ctx.status = 400
    return renderApplications(ctx, visit, parts, { fresh })
  }
  const { application, secret } = await parts.transactions.write((tx) =>
    registerApplication(tx, session.user, {
      name: fresh.name,
      redirectUris: addressesIn(fresh.redirectUris),
      isPublic: fresh.isPublic,
    }),
  )
  const title = reader.t('page.registered-title', { name: application.name })
  ctx.body = credentialsPage(reader, title, { clientId: application.clientId, secret })
}

async function submitNewSecret(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const { reader, session } = visit
  const application = await namedApplication(ctx, visit, parts)
  if (application.isPublic) throw notFound()
  const secret = await parts.transactions.write((tx) => renewSecret(tx, session.user, application))
  const title = reader.t('page.secret-title', { name: application.name })
  ctx.body = credentialsPage(reader, title, { clientId: application.clientId, secret })
}

async function showRemoval(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  ctx.body = removePage(visit.reader, await namedApplication(ctx, visit, parts))
}

async function submitRemoval(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const application = await namedApplication(ctx, visit, parts)
  await parts.transactions.write((tx) => removeApplication(tx, visit.session.user, application))
  sendTo(ctx, home)
}

async function submitAuthorizationEnd(
  ctx: Context,
  { session }: OwnVisit,
  { transactions }: PageParts,
): Promise<void> {
  const id = idIn(ctx.params.id)
  await transactions.write((tx) => endAuthorization(tx, session.user, id))
  sendTo(ctx, `${home}?done=stopped`)
}

/** Serves which applications a user has registered, and which act for them. */
export function serveApplications(router: Router, parts: PageParts): void {
  router.get(home, owned(parts, showApplications))
  router.post(home, owned(parts, submitApplication))
  router.post(`${home}:id/secret`, owned(parts, submitNewSecret))
  router.get(`${home}:id/delete`, owned(parts, showRemoval))
  router.post(`${home}:id/delete`, owned(parts, submitRemoval))
  router.post('/account/authorizations/:id', owned(parts, submitAuthorizationEnd))
}
