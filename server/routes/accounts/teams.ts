import {
  teamInviteRevoke,
  teamInviteSend,
  teamMemberList,
  teamMemberRemove,
  teamMemberRetrieve,
  teamTokenCreate,
  teamTokenDisable,
} from '../../../schema/actions/accounts.ts'
import { team } from '../../../schema/resources/accounts/team.ts'
import { teamInvite } from '../../../schema/resources/accounts/team-invite.ts'
import { teamToken } from '../../../schema/resources/accounts/team-token.ts'
import { impossible, notFound } from '../../errors.ts'
import { mailLinkBase } from '../../http/mail-links.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { type ApiRouter, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { idIn, serve } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { refuseWithoutOwnFactor } from '../../services/accounts/own-organizers.ts'
import { invite, takeBackInvitation } from '../../services/accounts/team-invites.ts'
import { countMembers, findMember, listMembers, removeMember } from '../../services/accounts/team-members.ts'
import { createToken, disableToken } from '../../services/accounts/team-tokens.ts'
import { checkEventLimits } from '../../services/events/event-limits.ts'
import { refuseUnownedRights, rightsOfTeam } from '../../services/events/given-rights.ts'
import type { Queryable } from '../../storage/database.ts'

/** What teams must keep to. */
const teamBehaviour: Behaviour<typeof team> = {
  async prepare(tx, scope, { next, before }) {
    await checkEventLimits(tx, scope.organizer.id, next)
    await refuseUnownedRights(tx, scope, rightsOfTeam(next), before && rightsOfTeam(before))
    if (next.require_2fa && !before?.require_2fa) await refuseWithoutOwnFactor(tx, scope.actor)
    return next
  },
}

/** The team that a path names; 404 when there is none. */
async function teamOf(
  db: Queryable,
  { place, params }: Scope & { readonly params: { readonly parent: string } },
): Promise<number> {
  const id = idIn(params.parent)
  if (!(await findRow(db, team, place, { id }))) throw notFound()
  return id
}

/** Serves teams, who belongs to them, and their tokens. */
export function serveTeams(router: ApiRouter): void {
  const { publicUrl } = router.api

  serveRead(router, teamMemberList, async (request, db) => {
    const id = await teamOf(db, request)
    const rows = await listMembers(db, request.place, id, request.page)
    return request.pageOf(await countMembers(db, request.place, id), rows)
  })
  serveRead(router, teamMemberRetrieve, async (request, db) =>
    findMember(db, request.place, await teamOf(db, request), idIn(request.params.id)),
  )
  serveAction(router, teamMemberRemove, async (request, tx) =>
    removeMember(tx, request, await teamOf(tx, request), idIn(request.params.id)),
  )

  serveRaw(router, teamInviteSend, async (request, ctx) => {
    const base = mailLinkBase(ctx, publicUrl)
    const linkFor = (token: string): string => {
      if (base === null)
        throw impossible('No mail can be sent with a link to this server: start it with --url.')
      return `${base}/invitation#token=${token}`
    }
    return request.carryOut(async (tx) =>
      invite(tx, request, { team: await teamOf(tx, request), body: request.body, linkFor }),
    )
  })
  serveAction(router, teamInviteRevoke, async (request, tx) =>
    takeBackInvitation(tx, request, await teamOf(tx, request), idIn(request.params.id)),
  )

  serveAction(router, teamTokenCreate, async (request, tx) =>
    createToken(tx, request, await teamOf(tx, request), request.body),
  )
  serveAction(router, teamTokenDisable, async (request, tx) =>
    disableToken(tx, request, await teamOf(tx, request), idIn(request.params.id)),
  )
  serve(router, teamToken)
  serve(router, teamInvite)
  serve(router, team, teamBehaviour)
}
