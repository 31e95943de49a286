import type { StoredRow } from '../../../schema/resource.ts'
import { team } from '../../../schema/resources/accounts/team.ts'
import { teamToken } from '../../../schema/resources/accounts/team-token.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { readBody } from '../../resource/input.ts'
import { findRow, insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { hashToken, teamTokenText } from '../codes/secrets.ts'
import { refuseUnownedRights, rightsOfTeam } from '../events/given-rights.ts'

/** A team of the scope's organizer; 404 when there is none with the id. */
export async function teamRow(tx: Tx, scope: Scope, id: number): Promise<StoredRow<typeof team>> {
  const row = await findRow(tx, team, scope.place, { id })
  if (!row) throw notFound()
  return row
}

/** Makes a token of a team. Its text is in the result and nowhere else: only a hash of it is stored. */
export async function issueToken(
  tx: Tx,
  actor: Actor,
  place: Place,
  { team: of, name }: { readonly team: number; readonly name: string },
) {
  const token = teamTokenText(tx.randomBytes)
  const id = tx.nextId()
  const row = { ...blankRow(teamToken), id, name, active: true, team: of, token_hash: hashToken(token) }
  await insertRow(tx, teamToken, place, row)
  tx.audit(place, actor, {
    action: 'ticketsvc.team.token.created',
    resource: teamToken.name,
    row: id,
    data: { team: of, name },
  })
  return { id, name, active: true, token }
}

/** Makes a token that a request asks for. */
export async function createToken(tx: Tx, scope: Scope, of: number, body: unknown) {
  await refuseUnownedRights(tx, scope, rightsOfTeam(await teamRow(tx, scope, of)))
  const { name } = readBody(teamToken.fields, body, { partial: false, locale: 'en' })
  return issueToken(tx, scope.actor, scope.place, { team: of, name })
}

/** Disables a token of a team for good. The token after it. */
export async function disableToken(tx: Tx, scope: Scope, of: number, id: number) {
  await teamRow(tx, scope, of)
  const row = await lockRow(tx, teamToken, scope.place, { id })
  if (!row || row.team !== of) throw notFound()
  if (row.active) {
    await updateRow(tx, teamToken, scope.place, { id, active: false })
    tx.audit(scope.place, scope.actor, {
      action: 'ticketsvc.team.token.deleted',
      resource: teamToken.name,
      row: id,
      data: { team: of, name: row.name },
    })
  }
  return { id, name: row.name, active: false }
}
