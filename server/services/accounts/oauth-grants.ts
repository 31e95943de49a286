import sql, { type Sql } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { AuthorizationRequest } from '../../domain/accounts/authorization-request.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, randomWord } from '../codes/secrets.ts'
import { organizersOf } from './own-organizers.ts'
import { noteAccount, type User } from './users.ts'

/** Seconds that a code can be exchanged for: the browser is on its way to the program meanwhile. */
const codeLifetime = 60

/** Somebody's consent: an application may do these things at these organizers. The code that the program is given for it. */
export async function grant(
  tx: Tx,
  user: User,
  consent: {
    readonly application: { readonly id: number; readonly name: string }
    readonly request: AuthorizationRequest
    readonly organizers: readonly number[]
  },
): Promise<string> {
  const { application, request, organizers } = consent
  const id = tx.nextId()
  const code = randomWord(tx.randomBytes, alphabets.token, 48)
  const expires = instantAt(microsecondsOf(tx.now) + codeLifetime * 1e6)
  await tx.run(
    sql`INSERT INTO oauth_grant (id, application, "user", scopes, organizers, created)
        VALUES (${id}, ${application.id}, ${user.id}, ${request.scopes.join(' ')}, ${JSON.stringify(organizers)}, ${tx.now})`,
  )
  await tx.run(
    sql`INSERT INTO oauth_code (code_hash, grant_id, redirect_uri, redirect_named, challenge, expires, used)
        VALUES (${hashToken(code)}, ${id}, ${request.redirectUri}, ${request.isRedirectNamed ? 1 : 0}, ${request.challenge ?? null}, ${expires}, 0)`,
  )
  noteAccount(tx, user, 'oauth.authorized', {
    application: application.id,
    scopes: request.scopes,
    organizers,
  })
  return code
}

/** The organizers that somebody has let an application act at for at least these things, while that is still valid. */
export async function existingConsent(
  db: Queryable,
  user: number,
  application: number,
  scopes: readonly string[],
): Promise<readonly number[] | null> {
  const rows = await db.all<{ scopes: string; organizers: string }>(
    sql`SELECT scopes, organizers FROM oauth_grant
        WHERE "user" = ${user} AND application = ${application}
          AND id IN (SELECT grant_id FROM oauth_token WHERE kind = 'refresh' AND ended IS NULL)
        ORDER BY created DESC, id DESC`,
  )
  const wide = rows.find((row) => scopes.every((scope) => row.scopes.split(' ').includes(scope)))
  return wide ? JSON.parse(wide.organizers) : null
}

/** Takes back what users have let applications do, with all codes and tokens that came of it; how many. */
export async function revokeGrantsOf(tx: Tx, condition: Sql): Promise<number> {
  const rows = await tx.all<{ id: number }>(sql`SELECT id FROM oauth_grant WHERE ${condition}`)
  for (const { id } of rows) await revokeGrant(tx, id)
  return rows.length
}

/** Takes one consent back, with everything that came of it. */
export async function revokeGrant(tx: Tx, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM oauth_token WHERE grant_id = ${id}`)
  await tx.run(sql`DELETE FROM oauth_code WHERE grant_id = ${id}`)
  await tx.run(sql`DELETE FROM oauth_grant WHERE id = ${id}`)
}

/** An application that somebody lets act for them. */
interface AuthorizedApplication {
  readonly application: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly organizers: readonly string[]
  readonly since: string
}

/** The applications that somebody lets act for them, by name. */
export async function authorizedBy(db: Queryable, user: number): Promise<AuthorizedApplication[]> {
  const rows = await db.all<{
    application: number
    name: string
    scopes: string
    organizers: string
    created: string
  }>(
    sql`SELECT oauth_grant.application, oauth_application.name, oauth_grant.scopes, oauth_grant.organizers, oauth_grant.created
        FROM oauth_grant JOIN oauth_application ON oauth_application.id = oauth_grant.application
        WHERE oauth_grant."user" = ${user}
          AND oauth_grant.id IN (SELECT grant_id FROM oauth_token WHERE ended IS NULL)
        ORDER BY oauth_application.name, oauth_grant.application, oauth_grant.created`,
  )
  const names = new Map((await organizersOf(db, user)).map(({ id, name }) => [id, name]))
  return [...Map.groupBy(rows, (row) => row.application).values()].flatMap((grants) => {
    const [first] = grants
    if (!first) return []
    const ids = new Set(grants.flatMap((row): number[] => JSON.parse(row.organizers)))
    return {
      application: first.application,
      name: first.name,
      scopes: [...new Set(grants.flatMap((row) => row.scopes.split(' ')))],
      organizers: [...ids].flatMap((id) => names.get(id) ?? []),
      since: first.created,
    }
  })
}

/** Stops an application from acting for somebody. */
export async function endAuthorization(tx: Tx, user: User, application: number): Promise<void> {
  const count = await revokeGrantsOf(tx, sql`"user" = ${user.id} AND application = ${application}`)
  if (count > 0) noteAccount(tx, user, 'oauth.revoked', { application })
}
