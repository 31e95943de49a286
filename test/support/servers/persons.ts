import sql from 'sql-template-tag'
import { team } from '../../../schema/resources/accounts/team.ts'
import { teamMember } from '../../../schema/resources/accounts/team-member.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'

const far = '2099-01-01T00:00:00.000000Z'

/** Adds somebody in a team of their own; the id of the account. */
export async function addPerson(tx: Tx, name: string, organizer: number, rights: RowData): Promise<number> {
  const id = tx.nextId()
  await tx.run(
    sql`INSERT INTO app_user (id, email, email_key, password_hash, fullname, locale, timezone, is_staff, created)
        VALUES (${id}, ${`${name}@example.org`}, ${`${name}@example.org`}, '', NULL, 'en', 'UTC', 0, ${tx.now})`,
  )
  const place = { organizer, event: 0 }
  const own = tx.nextId()
  await insertRow(tx, team, place, { ...blankRow(team), ...rights, id: own, name })
  await insertRow(tx, teamMember, place, { id: tx.nextId(), user: id, team: own })
  return id
}

/** Adds an access token of a program that acts for a person. */
export async function addBearer(
  tx: Tx,
  token: string,
  user: number,
  scopes: readonly string[],
  organizers: readonly number[],
  expires = far,
): Promise<void> {
  const [application, grant] = [tx.nextId(), tx.nextId()]
  await tx.run(
    sql`INSERT INTO oauth_application (id, "user", "name", client_id, secret_hash, redirect_uris, "created")
        VALUES (${application}, ${user}, ${token}, ${token}, NULL, '[]', ${tx.now})`,
  )
  const given = scopes.join(' ')
  await tx.run(
    sql`INSERT INTO oauth_grant (id, application, "user", "scopes", "organizers", "created")
        VALUES (${grant}, ${application}, ${user}, ${given}, ${JSON.stringify(organizers)}, ${tx.now})`,
  )
  await tx.run(
    sql`INSERT INTO oauth_token (token_hash, grant_id, "kind", "scopes", "created", "expires")
        VALUES (${hashToken(token)}, ${grant}, 'access', ${given}, ${tx.now}, ${expires})`,
  )
}
