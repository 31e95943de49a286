import { timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, programSecret, type RandomBytes, randomWord } from '../codes/secrets.ts'
import { revokeGrantsOf } from './oauth-grants.ts'
import { noteAccount, type User } from './users.ts'

/** A program that users can let act for them. */
export interface Application {
  readonly id: number
  readonly user: number
  readonly name: string
  readonly clientId: string
  /** Whether it can keep no secret, such as one that runs in a browser or on a telephone. */
  readonly isPublic: boolean
  readonly redirectUris: readonly string[]
  readonly created: string
}

interface ApplicationCells {
  readonly id: number
  readonly user: number
  readonly name: string
  readonly client_id: string
  readonly secret_hash: string | null
  readonly redirect_uris: string
  readonly created: string
}

/** An application from its row. */
const applicationOf = (cells: ApplicationCells): Application => ({
  id: cells.id,
  user: cells.user,
  name: cells.name,
  clientId: cells.client_id,
  isPublic: cells.secret_hash === null,
  redirectUris: JSON.parse(cells.redirect_uris),
  created: cells.created,
})

/** A secret of an application, by its prefix known to whoever finds it where it does not belong. */
const newSecret = (randomBytes: RandomBytes): string =>
  programSecret('client', randomWord(randomBytes, alphabets.token, 60))

/** The applications that somebody has registered, by name. */
export async function applicationsOf(db: Queryable, user: number): Promise<Application[]> {
  const rows = await db.all<ApplicationCells>(
    sql`SELECT * FROM oauth_application WHERE "user" = ${user} ORDER BY name, id`,
  )
  return rows.map(applicationOf)
}

/** One of the applications that somebody has registered. */
export async function ownApplication(db: Queryable, user: number, id: number): Promise<Application | null> {
  const row = await db.get<ApplicationCells>(
    sql`SELECT * FROM oauth_application WHERE "user" = ${user} AND id = ${id}`,
  )
  return row ? applicationOf(row) : null
}

/** The application with a client id. */
export async function findApplication(db: Queryable, clientId: string): Promise<Application | null> {
  const row = await db.get<ApplicationCells>(
    sql`SELECT * FROM oauth_application WHERE client_id = ${clientId}`,
  )
  return row ? applicationOf(row) : null
}

/** The application that shows its secret, or has none to show and shows none; null for a wrong one. */
export async function authenticateApplication(
  db: Queryable,
  clientId: string,
  secret: string | null,
): Promise<Application | null> {
  const row = await db.get<ApplicationCells>(
    sql`SELECT * FROM oauth_application WHERE client_id = ${clientId}`,
  )
  if (!row) return null
  if (row.secret_hash === null) return secret === null || secret === '' ? applicationOf(row) : null
  const given = Buffer.from(hashToken(secret ?? ''))
  return timingSafeEqual(given, Buffer.from(row.secret_hash)) ? applicationOf(row) : null
}

/** What somebody says of an application that they register. */
export interface NewApplication {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly isPublic: boolean
}

/** Registers an application; the secret is in the result and nowhere else, null for one that can keep none. */
export async function registerApplication(
  tx: Tx,
  user: Pick<User, 'id' | 'email'>,
  { name, redirectUris, isPublic }: NewApplication,
): Promise<{ application: Application; secret: string | null }> {
  const secret = isPublic ? null : newSecret(tx.randomBytes)
  const cells: ApplicationCells = {
    id: tx.nextId(),
    user: user.id,
    name,
    client_id: randomWord(tx.randomBytes, alphabets.token, 40),
    secret_hash: secret === null ? null : hashToken(secret),
    redirect_uris: JSON.stringify(redirectUris),
    created: tx.now,
  }
  await tx.run(
    sql`INSERT INTO oauth_application (id, "user", name, client_id, secret_hash, redirect_uris, created)
        VALUES (${cells.id}, ${cells.user}, ${name}, ${cells.client_id}, ${cells.secret_hash}, ${cells.redirect_uris}, ${cells.created})`,
  )
  noteAccount(tx, user, 'application.added', { application: cells.id, name })
  return { application: applicationOf(cells), secret }
}

/** Gives an application a new secret in place of the old one, which ends at once. */
export async function renewSecret(tx: Tx, user: User, { id, name }: Application): Promise<string> {
  const secret = newSecret(tx.randomBytes)
  await tx.run(
    sql`UPDATE oauth_application SET secret_hash = ${hashToken(secret)}
        WHERE id = ${id} AND "user" = ${user.id} AND secret_hash IS NOT NULL`,
  )
  noteAccount(tx, user, 'application.secret_renewed', { application: id, name })
  return secret
}

/** Takes an application away, with everything that anybody has let it do. */
export async function removeApplication(tx: Tx, user: User, { id, name }: Application): Promise<void> {
  await revokeGrantsOf(tx, sql`application = ${id}`)
  await tx.run(sql`DELETE FROM oauth_application WHERE id = ${id} AND "user" = ${user.id}`)
  noteAccount(tx, user, 'application.deleted', { application: id, name })
}
