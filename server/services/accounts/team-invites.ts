import sql from 'sql-template-tag'
import { text } from '../../../schema/fields.ts'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { teamInvite } from '../../../schema/resources/accounts/team-invite.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { readBody } from '../../resource/input.ts'
import { insertRow, removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, randomWord } from '../codes/secrets.ts'
import { refuseUnownedRights, rightsOfTeam } from '../events/given-rights.ts'
import { organizerSettings } from '../events/organizer-settings.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { addMember } from './team-members.ts'
import { teamRow } from './team-tokens.ts'

/** How long an invitation can be accepted. */
const lifetime = 14 * 86_400e6

const invitation = { email: text({ maxLength: 254, format: 'email' }) }

/**
 * Asks somebody into a team. Who has an account with the address is added at once, in any spelling of its case; others
 * get a mail with the address that `linkFor` makes of a secret, good for two weeks. Throws 400 for those who belong to
 * the team already, or were asked and can still accept. What is answered: without an id when no invitation was needed.
 */
export async function invite(
  tx: Tx,
  scope: Scope,
  asked: { readonly team: number; readonly body: unknown; readonly linkFor: (token: string) => string },
): Promise<{ id?: number; email: string }> {
  const { team, body, linkFor } = asked
  const of = await teamRow(tx, scope, team)
  await refuseUnownedRights(tx, scope, rightsOfTeam(of))
  const { email } = readBody(invitation, body, { partial: false, locale: 'en' })
  const key = email.toLowerCase()
  const user = await tx.get<{ id: number }>(sql`SELECT id FROM app_user WHERE email_key = ${key}`)
  if (user) {
    if (!(await addMember(tx, scope.actor, scope.place, { team, user: user.id })))
      throw invalid(['This user already has permissions for this team.'])
    return { email }
  }
  await forgetExpired(tx, scope.place, team)
  if (await tx.get(sql`SELECT id FROM team_invite WHERE ${inTeam(scope.place, team)} AND email_key = ${key}`))
    throw invalid(['This user already has been invited for this team.'])
  const token = randomWord(tx.randomBytes, alphabets.token, 64)
  const id = tx.nextId()
  const expires = instantAt(microsecondsOf(tx.now) + lifetime)
  const row = { id, email, email_key: key, team, token_hash: hashToken(token), expires }
  await insertRow(tx, teamInvite, scope.place, row)
  const { locale } = await organizerSettings(tx, scope.organizer.id)
  const organizer = await tx.get<{ name: string }>(
    sql`SELECT name FROM organizer WHERE id = ${scope.organizer.id}`,
  )
  await queueMail(tx, scope.place, {
    to: email,
    template: 'team_invitation',
    locale: String(locale),
    values: { organizer: organizer?.name ?? '', team: of.name, url: linkFor(token) },
  })
  tx.audit(scope.place, scope.actor, {
    action: 'ticketsvc.team.invite.created',
    resource: teamInvite.name,
    row: id,
    data: { team },
  })
  return { id, email }
}

const inTeam = ({ organizer }: Place, team: number) => sql`organizer = ${organizer} AND team = ${team}`

async function forgetExpired(tx: Tx, place: Place, team: number): Promise<void> {
  const old = await tx.all<{ id: number }>(
    sql`SELECT id FROM team_invite WHERE ${inTeam(place, team)} AND expires <= ${tx.now}`,
  )
  for (const { id } of old) await removeRow(tx, teamInvite, place, id)
}

/** Takes an invitation back: its link does not work any more; 404 when there is none with the id. */
export async function takeBackInvitation(tx: Tx, scope: Scope, team: number, id: number): Promise<void> {
  await teamRow(tx, scope, team)
  const row = await tx.get(sql`SELECT id FROM team_invite WHERE ${inTeam(scope.place, team)} AND id = ${id}`)
  if (!row) throw notFound()
  await removeRow(tx, teamInvite, scope.place, id)
  tx.audit(scope.place, scope.actor, {
    action: 'ticketsvc.team.invite.deleted',
    resource: teamInvite.name,
    row: id,
    data: { team },
  })
}

/** An invitation that can be accepted, as its reader sees it. */
export interface Invitation {
  readonly id: number
  readonly organizer: number
  readonly team: number
  readonly email: string
  readonly teamName: string
  readonly organizerName: string
}

/** The invitation that a link is for, or undefined when it was accepted, taken back, or is too old. */
export const findInvitation = (db: Queryable, token: string, now: string): Promise<Invitation | undefined> =>
  db.get<Invitation>(
    sql`SELECT i.id, i.organizer, i.team, i.email, t.name AS "teamName", o.name AS "organizerName" FROM team_invite i
        JOIN team t ON t.organizer = i.organizer AND t.id = i.team JOIN organizer o ON o.id = i.organizer
        WHERE i.token_hash = ${hashToken(token)} AND i.expires > ${now}`,
  )

/** Lets the user who accepts an invitation into its team; false when the link does not work any more. */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  user: { readonly id: number; readonly actor: Actor },
): Promise<boolean> {
  const found = await findInvitation(tx, token, tx.now)
  if (!found) return false
  const place: Place = { organizer: found.organizer, event: 0 }
  const left = await tx.run(
    sql`DELETE FROM team_invite WHERE organizer = ${place.organizer} AND id = ${found.id}`,
  )
  if (left === 0) return false
  tx.changed(place, teamInvite.name, found.id, 'delete')
  await addMember(tx, user.actor, place, { team: found.team, user: user.id })
  return true
}
