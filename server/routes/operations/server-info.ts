import type Router from '@koa/router'
import { denied } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Api } from '../../resource/api.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { findPerson } from '../../services/accounts/users.ts'
import { serverVersion } from './server-version.ts'

/** Serves what concerns no organizer: the server's version, and the profile of a person who is signed in. */
export function serveServerInfo(router: Router, api: Api): void {
  router.get('/api/v1/version', api.admit('server', null), (ctx) => {
    ctx.body = serverVersion
  })
  router.get('/api/v1/me', api.admit('server', null), async (ctx) => {
    const actor: Actor = ctx.state.actor
    const person = actor.kind === 'user' ? await findPerson(api.transactions.database, actor.id) : undefined
    if (!person) throw denied('Only a person has a profile: sign in as one.')
    const { email, fullname, locale, timezone, isStaff } = person
    ctx.body = { email, fullname: fullname ?? '', locale, is_staff: isStaff, timezone }
  })
  for (const path of ['/api/v1/version', '/api/v1/me'])
    router.all(path, api.admit('server', null), (ctx) => refuseMethod(ctx))
}
