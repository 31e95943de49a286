import type Router from '@koa/router'
import type { Context } from 'koa'
import { team } from '../../../schema/resources/accounts/team.ts'
import { teamInvite } from '../../../schema/resources/accounts/team-invite.ts'
import { teamToken } from '../../../schema/resources/accounts/team-token.ts'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf, bodyOf, originOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { idIn, refuseMethod, serve } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { teamBehaviour } from '../../services/accounts/team-behaviour.ts'
import { invite, takeBackInvitation } from '../../services/accounts/team-invites.ts'
import { countMembers, findMember, listMembers, removeMember } from '../../services/accounts/team-members.ts'
import { createToken, disableToken } from '../../services/accounts/team-tokens.ts'

/** Serves teams, who belongs to them, and their tokens. */
export function serveTeams(router: Router, api: Api): void {
  const { database, write } = api.transactions
  const below = '/api/v1/organizers/:organizer/teams/:parent/'
  const mayChange = () => api.admit('organizer', 'can_change_teams')
  const refuseOthers = (path: string) =>
    router.all(path, api.admit('organizer', null), (ctx) => refuseMethod(ctx))

  /** The scope of a request and the team that its path names; 404 when there is none. */
  async function teamOf(ctx: Context): Promise<{ scope: Scope; id: number }> {
    const scope: Scope = ctx.state.scope
    const id = idIn(ctx.params.parent)
    if (!(await findRow(database, team, scope.place, 'id', id))) throw notFound()
    return { scope, id }
  }

  router.get(`${below}members/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    const page = pageOf(ctx.query)
    const rows = await listMembers(database, scope.place, id, page)
    ctx.body = pageBody(addressOf(ctx), page, await countMembers(database, scope.place, id), rows)
  })
  refuseOthers(`${below}members/`)
  router.get(`${below}members/:id/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    ctx.body = await findMember(database, scope.place, id, idIn(ctx.params.id))
  })
  router.delete(`${below}members/:id/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    const user = idIn(ctx.params.id)
    await write((tx) => removeMember(tx, scope, id, user))
    ctx.status = 204
  })
  refuseOthers(`${below}members/:id/`)

  router.post(`${below}invites/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    const base = api.publicUrl ?? originOf(ctx)
    const linkFor = (token: string): string => `${base}/invitation?token=${token}`
    ctx.body = await write((tx) => invite(tx, scope, { team: id, body: bodyOf(ctx), linkFor }))
    ctx.status = 201
  })

  router.delete(`${below}invites/:id/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    const invitation = idIn(ctx.params.id)
    await write((tx) => takeBackInvitation(tx, scope, id, invitation))
    ctx.status = 204
  })

  router.post(`${below}tokens/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    ctx.body = await write((tx) => createToken(tx, scope, id, bodyOf(ctx)))
    ctx.status = 201
  })
  router.delete(`${below}tokens/:id/`, mayChange(), async (ctx) => {
    const { scope, id } = await teamOf(ctx)
    const token = idIn(ctx.params.id)
    ctx.body = await write((tx) => disableToken(tx, scope, id, token))
  })
  serve(router, api, teamToken)
  serve(router, api, teamInvite)
  serve(router, api, team, teamBehaviour)
}
