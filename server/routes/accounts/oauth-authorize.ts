import type Router from '@koa/router'
import type { Context } from 'koa'
import { type AuthorizationRequest, checkAuthorization } from '../../domain/accounts/authorization-request.ts'
import { formTarget, withParameters } from '../../domain/accounts/redirect-uris.ts'
import { allowFormTargets, type OwnVisit, owned, type PageParts, sendTo } from '../../http/visits.ts'
import { consentPage } from '../../pages/consent.ts'
import { errorPage } from '../../pages/layout.ts'
import { type Application, findApplication } from '../../services/accounts/applications.ts'
import { existingConsent, grant } from '../../services/accounts/oauth-grants.ts'
import { type OwnOrganizer, organizersOf } from '../../services/accounts/own-organizers.ts'
import { findUser } from '../../services/accounts/users.ts'
import type { Queryable } from '../../storage/database.ts'

const path = '/api/v1/oauth/authorize'

/** The program that waits for somebody to log in, where the page they are sent on to is about one. */
export async function awaitingApplication(
  db: Queryable,
  next: string,
): Promise<{ name: string; formTargets: readonly string[] } | null> {
  if (!next.startsWith(`${path}?`)) return null
  const query = new URLSearchParams(next.slice(path.length))
  const application = await findApplication(db, query.get('client_id') ?? '')
  if (!application) return null
  const checked = checkAuthorization(application, query)
  if (checked.kind === 'stopped') return null
  const redirectUri = checked.kind === 'asked' ? checked.request.redirectUri : checked.redirectUri
  return { name: application.name, formTargets: [formTarget(redirectUri)] }
}

/** A request that the user is to decide on. */
interface Asked {
  readonly application: Application
  readonly request: AuthorizationRequest
}

/** The request that a query makes, or null where the answer is given already. */
async function askedIn(
  ctx: Context,
  { reader }: OwnVisit,
  { transactions }: PageParts,
): Promise<Asked | null> {
  const query = new URLSearchParams(ctx.querystring)
  const application = await findApplication(transactions.database, query.get('client_id') ?? '')
  const stop = (text: string): null => {
    ctx.status = 400
    ctx.body = errorPage(reader, text)
    return null
  }
  if (!application) return stop(reader.t('page.unknown-application'))
  const checked = checkAuthorization(application, query)
  if (checked.kind === 'stopped')
    return stop(checked.why === 'redirect' ? reader.t('page.bad-redirect') : reader.t('page.repeated'))
  if (checked.kind === 'asked') return { application, request: checked.request }
  const { redirectUri, error, description, state } = checked
  sendTo(ctx, withParameters(redirectUri, { error, error_description: description, state }))
  return null
}

/** Sends the user back to the program with a code for what it asked for. */
async function allow(
  ctx: Context,
  { session }: OwnVisit,
  { transactions }: PageParts,
  { application, request, organizers }: Asked & { readonly organizers: readonly number[] },
): Promise<void> {
  const code = await transactions.write((tx) => grant(tx, session.user, { application, request, organizers }))
  sendTo(ctx, withParameters(request.redirectUri, { code, state: request.state }))
}

/** The organizers that somebody can let a program act at now. */
const openOnes = (own: readonly OwnOrganizer[]): OwnOrganizer[] =>
  own.filter(({ isFactorMissing }) => !isFactorMissing)

const isAboutOrganizers = ({ scopes }: AuthorizationRequest): boolean =>
  scopes.some((scope) => scope !== 'profile')

async function renderConsent(
  ctx: Context,
  { reader, session }: OwnVisit,
  { transactions: { database } }: PageParts,
  consent: Asked & { readonly chosen: readonly number[]; readonly isNothingChosen: boolean },
): Promise<void> {
  const { application, request, chosen, isNothingChosen } = consent
  const all = await organizersOf(database, session.user.id)
  const own = openOnes(all)
  const maker = await findUser(database, application.user)
  allowFormTargets(ctx, [formTarget(request.redirectUri)])
  ctx.body = consentPage(reader, {
    name: application.name,
    madeBy: maker?.email ?? '',
    redirectUri: request.redirectUri,
    scopes: request.scopes,
    withoutFactor: all.filter((one) => one.isFactorMissing).map(({ name }) => name),
    organizers: own.map((one) => ({ ...one, isChosen: own.length === 1 || chosen.includes(one.id) })),
    query: ctx.querystring,
    isNothingChosen,
  })
}

async function showConsent(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const asked = await askedIn(ctx, visit, parts)
  if (!asked) return
  const { database } = parts.transactions
  const { application, request } = asked
  const { id } = visit.session.user
  const existing = await existingConsent(database, id, application.id, request.scopes)
  const own = openOnes(await organizersOf(database, id))
  const chosen = own.flatMap((one) => (existing?.includes(one.id) ? one.id : []))
  // What has no secret to show can be anybody: users are asked each time.
  const isKnown = existing !== null && !application.isPublic && !request.isForced
  if (isKnown && (chosen.length > 0 || !isAboutOrganizers(request)))
    return allow(ctx, visit, parts, { ...asked, organizers: chosen })
  await renderConsent(ctx, visit, parts, { ...asked, chosen, isNothingChosen: false })
}

async function submitConsent(ctx: Context, visit: OwnVisit, parts: PageParts): Promise<void> {
  const asked = await askedIn(ctx, visit, parts)
  if (!asked) return
  const { request } = asked
  if (!visit.form.has('allow')) {
    const denied = { error: 'access_denied', state: request.state }
    return sendTo(ctx, withParameters(request.redirectUri, denied))
  }
  if (!isAboutOrganizers(request)) return allow(ctx, visit, parts, { ...asked, organizers: [] })
  const wanted = new Set(visit.form.getAll('organizers').map(Number))
  const own = openOnes(await organizersOf(parts.transactions.database, visit.session.user.id))
  const chosen = own.flatMap(({ id }) => (wanted.has(id) ? id : []))
  if (chosen.length > 0) return allow(ctx, visit, parts, { ...asked, organizers: chosen })
  ctx.status = 400
  await renderConsent(ctx, visit, parts, { ...asked, chosen, isNothingChosen: own.length > 0 })
}

/** Serves the page on which users let programs act for them. */
export function serveAuthorize(router: Router, parts: PageParts): void {
  router.get(path, owned(parts, showConsent))
  router.post(path, owned(parts, submitConsent))
}
