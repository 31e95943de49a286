import { createHmac } from 'node:crypto'
import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Tx } from '../../resource/transactions.ts'
import { alphabets, hashToken, programSecret, randomWord } from '../codes/secrets.ts'
import { revokeGrant } from './oauth-grants.ts'

/** Seconds that an access token is valid for. */
export const accessLifetime = 86_400

/** Seconds in which a refresh token that was exchanged can be shown once more, by a program that got no answer. */
const retryWindow = 10

/** What a consent is about, as far as tokens need it. */
export interface Granted {
  readonly grant: number
  readonly clientId: string
  readonly isPublic: boolean
  readonly scopes: readonly string[]
}

interface GrantedCells {
  readonly grant_id: number
  readonly client_id: string
  readonly secret_hash: string | null
  readonly scopes: string
}

/** Columns that say what a consent is about, and where they come from. */
export const grantedColumns = sql`oauth_grant.id AS grant_id, oauth_grant.scopes, oauth_application.client_id, oauth_application.secret_hash`
export const grantedTables = sql`JOIN oauth_grant ON oauth_grant.id = grant_id JOIN oauth_application ON oauth_application.id = oauth_grant.application`

/** What a consent is about, from such columns. */
export const grantedOf = (cells: GrantedCells): Granted => ({
  grant: cells.grant_id,
  clientId: cells.client_id,
  isPublic: cells.secret_hash === null,
  scopes: cells.scopes.split(' '),
})

/** Gives out an access token; the one before ends at once. */
export async function issueAccess(tx: Tx, grant: number, scopes: readonly string[]): Promise<string> {
  const token = programSecret('access', randomWord(tx.randomBytes, alphabets.token, 60))
  const expires = instantAt(microsecondsOf(tx.now) + accessLifetime * 1e6)
  await tx.run(sql`DELETE FROM oauth_token WHERE grant_id = ${grant} AND kind = 'access'`)
  await tx.run(
    sql`INSERT INTO oauth_token (token_hash, grant_id, kind, scopes, created, expires, ended, seed)
        VALUES (${hashToken(token)}, ${grant}, 'access', ${scopes.join(' ')}, ${tx.now}, ${expires}, NULL, NULL)`,
  )
  return token
}

async function insertRefresh(tx: Tx, grant: number, scopes: readonly string[], token: string): Promise<void> {
  await tx.run(
    sql`INSERT INTO oauth_token (token_hash, grant_id, kind, scopes, created, expires, ended, seed)
        VALUES (${hashToken(token)}, ${grant}, 'refresh', ${scopes.join(' ')}, ${tx.now}, NULL, NULL, NULL)`,
  )
}

/** Gives out the first refresh token of a consent. */
export async function issueRefresh(tx: Tx, { grant, scopes }: Granted): Promise<string> {
  const token = programSecret('refresh', randomWord(tx.randomBytes, alphabets.token, 60))
  await insertRefresh(tx, grant, scopes, token)
  return token
}

/** A refresh token that was shown. */
export interface Refresh extends Granted {
  readonly token: string
  /** When it was exchanged, where it was, and what made its successor. */
  readonly ended: string | null
  readonly seed: string | null
}

/** The refresh token that was shown, which nobody else exchanges meanwhile. */
export async function findRefresh(tx: Tx, token: string): Promise<Refresh | null> {
  const cells = await tx.get<GrantedCells & { ended: string | null; seed: string | null }>(
    sql`SELECT oauth_token.ended, oauth_token.seed, ${grantedColumns} FROM oauth_token ${grantedTables}
        WHERE token_hash = ${hashToken(token)} AND kind = 'refresh'${tx.forUpdate}`,
  )
  return cells ? { ...grantedOf(cells), token, ended: cells.ended, seed: cells.seed } : null
}

/**
 * What follows a refresh token: made of the token itself, so that whoever shows it again because the answer was lost is
 * given the same one, and nobody else can make it of what is stored.
 */
const successorOf = (token: string, seed: string): string =>
  programSecret('refresh', createHmac('sha256', token).update(seed).digest('hex'))

/**
 * Whether a refresh token may be exchanged. Showing one that was exchanged before, but for a lost answer, is the mark of
 * a theft and ends the whole consent (RFC 9700, 4.14).
 */
export async function mayExchange(tx: Tx, { token, grant, ended, seed }: Refresh): Promise<boolean> {
  if (ended === null) return true
  const isSoon = microsecondsOf(tx.now) - microsecondsOf(ended) <= retryWindow * 1e6
  const follower = isSoon ? await findRefresh(tx, successorOf(token, seed ?? '')) : null
  if (follower !== null && follower.ended === null) return true
  await revokeGrant(tx, grant)
  return false
}

/** The refresh token to go on with: for a program with a secret the same one, for one without another each time. */
export async function exchangeRefresh(tx: Tx, refresh: Refresh): Promise<string> {
  const { token, grant, isPublic, ended, seed, scopes } = refresh
  if (ended !== null) return successorOf(token, seed ?? '')
  if (!isPublic) return token
  const fresh = Buffer.from(tx.randomBytes(32)).toString('hex')
  await tx.run(
    sql`UPDATE oauth_token SET ended = ${tx.now}, seed = ${fresh} WHERE token_hash = ${hashToken(token)}`,
  )
  const next = successorOf(token, fresh)
  await insertRefresh(tx, grant, scopes, next)
  return next
}

/**
 * Ends a token that a program gives back: an access token alone, or with a refresh token everything that came of the
 * consent. Nothing happens for tokens of others.
 */
export async function revokeToken(tx: Tx, clientId: string, token: string): Promise<void> {
  const found = await tx.get<{ grant_id: number; kind: string }>(
    sql`SELECT grant_id, kind FROM oauth_token ${grantedTables}
        WHERE token_hash = ${hashToken(token)} AND client_id = ${clientId}`,
  )
  if (!found) return
  if (found.kind === 'refresh') await revokeGrant(tx, found.grant_id)
  else await tx.run(sql`DELETE FROM oauth_token WHERE token_hash = ${hashToken(token)}`)
}
