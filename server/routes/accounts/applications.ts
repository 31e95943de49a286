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
import { letInBy, stopLettingIn } from '../../services/accounts/oauth-grants.ts'

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

/** Serves which applications somebody has registered, and which act for them. */
export function serveApplications(router: Router, parts: PageParts): void {
  const { transactions } = parts
  const { database } = transactions

  async function show(
    ctx: Context,
    { reader, session }: OwnVisit,
    fresh: NewApplicationModel,
    good: string | null = null,
  ): Promise<void> {
    const { id, timezone } = session.user
    const letIn = await letInBy(database, id)
    ctx.body = applicationsPage(reader, {
      own: await applicationsOf(database, id),
      letIn: letIn.map((one) => ({ ...one, since: localDate(one.since, timezone) })),
      fresh,
      good,
    })
  }

  /** The application that the path names, one of the reader's own. */
  async function named(ctx: Context, { session }: OwnVisit): Promise<Application> {
    const found = await ownApplication(database, session.user.id, idIn(ctx.params.id))
    if (!found) throw notFound()
    return found
  }

  router.get(
    home,
    owned(parts, (ctx, visit) => {
      const isStopped = new URLSearchParams(ctx.querystring).get('done') === 'stopped'
      return show(ctx, visit, blank, isStopped ? visit.reader.t('page.stopped') : null)
    }),
  )

  router.post(
    home,
    owned(parts, async (ctx, visit) => {
      const { reader, session, form } = visit
      const fresh = readApplication(form)
      if (fresh.nameProblem !== null || fresh.redirectProblem !== null) {
        ctx.status = 400
        return show(ctx, visit, fresh)
      }
      const { application, secret } = await transactions.write((tx) =>
        registerApplication(tx, session.user, {
          name: fresh.name,
          redirectUris: addressesIn(fresh.redirectUris),
          isPublic: fresh.isPublic,
        }),
      )
      const title = reader.t('page.registered-title', { name: application.name })
      ctx.body = credentialsPage(reader, title, { clientId: application.clientId, secret })
    }),
  )

  router.post(
    `${home}:id/secret`,
    owned(parts, async (ctx, visit) => {
      const { reader, session } = visit
      const application = await named(ctx, visit)
      if (application.isPublic) throw notFound()
      const secret = await transactions.write((tx) => renewSecret(tx, session.user, application))
      const title = reader.t('page.secret-title', { name: application.name })
      ctx.body = credentialsPage(reader, title, { clientId: application.clientId, secret })
    }),
  )

  router.get(
    `${home}:id/delete`,
    owned(parts, async (ctx, visit) => {
      ctx.body = removePage(visit.reader, await named(ctx, visit))
    }),
  )

  router.post(
    `${home}:id/delete`,
    owned(parts, async (ctx, visit) => {
      const application = await named(ctx, visit)
      await transactions.write((tx) => removeApplication(tx, visit.session.user, application))
      sendTo(ctx, home)
    }),
  )

  router.post(
    '/account/authorizations/:id',
    owned(parts, async (ctx, { session }) => {
      const id = idIn(ctx.params.id)
      await transactions.write((tx) => stopLettingIn(tx, session.user, id))
      sendTo(ctx, `${home}?done=stopped`)
    }),
  )
}
