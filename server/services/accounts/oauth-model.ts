import type OAuth2Server from '@node-oauth/oauth2-server'
import sql from 'sql-template-tag'
import type { Tx } from '../../resource/transactions.ts'
import { hashToken } from '../codes/secrets.ts'
import { authenticateApplication } from './applications.ts'
import { revokeGrant } from './oauth-grants.ts'
import {
  exchangeRefresh,
  findRefresh,
  type Granted,
  grantedColumns,
  grantedOf,
  grantedTables,
  issueAccess,
  issueRefresh,
  mayExchange,
  type Refresh,
} from './oauth-tokens.ts'

/** What the library hands back to us of what we have given it. */
const never = new Date(8.64e15)
const grants = ['authorization_code', 'refresh_token']
const clientOf = (clientId: string) => ({ id: clientId, grants })

interface CodeCells {
  readonly grant_id: number
  readonly client_id: string
  readonly secret_hash: string | null
  readonly scopes: string
  readonly redirect_uri: string
  readonly redirect_named: number
  readonly challenge: string | null
  readonly expires: string
  readonly used: number
}

/** What the library asks about one request, answered from the database in one transaction. */
export class RequestModel {
  readonly #tx: Tx
  readonly #redirectUri: string | null
  #client = ''
  #granted: Granted | null = null
  #refresh: Refresh | null = null
  /** The consent whose code has been used up by this request, until tokens come of it. */
  usedUp: number | null = null

  constructor(tx: Tx, redirectUri: string | null) {
    this.#tx = tx
    this.#redirectUri = redirectUri
  }

  async getClient(clientId: string, secret: string | null | undefined) {
    const application = await authenticateApplication(this.#tx, clientId, secret ?? null)
    if (!application) return null
    this.#client = application.clientId
    return clientOf(application.clientId)
  }

  async getAuthorizationCode(code: string) {
    const cells = await this.#tx.get<CodeCells>(
      sql`SELECT oauth_code.redirect_uri, redirect_named, challenge, expires, used, ${grantedColumns}
          FROM oauth_code ${grantedTables} WHERE code_hash = ${hashToken(code)}${this.#tx.forUpdate}`,
    )
    if (!cells || cells.client_id !== this.#client) return null
    const named = this.#redirectUri
    const isRedirectRight = named === null ? cells.redirect_named === 0 : named === cells.redirect_uri
    // A code that is shown twice was stolen by one of the two: what came of it ends (RFC 6749, 4.1.2).
    if (cells.used === 1 || !isRedirectRight) {
      await revokeGrant(this.#tx, cells.grant_id)
      return null
    }
    if (cells.expires <= this.#tx.now) return null
    this.#granted = grantedOf(cells)
    return {
      authorizationCode: code,
      expiresAt: never,
      // Compared before, where no answer tells a wrong address from a wrong code.
      redirectUri: '',
      scope: [...this.#granted.scopes],
      client: clientOf(cells.client_id),
      user: { id: cells.grant_id },
      ...(cells.challenge === null ? {} : { codeChallenge: cells.challenge, codeChallengeMethod: 'S256' }),
    }
  }

  async revokeAuthorizationCode({ authorizationCode }: { authorizationCode: string }) {
    const count = await this.#tx.run(
      sql`UPDATE oauth_code SET used = 1 WHERE code_hash = ${hashToken(authorizationCode)} AND used = 0`,
    )
    this.usedUp = this.#granted?.grant ?? null
    return count === 1
  }

  async getRefreshToken(token: string) {
    const refresh = await findRefresh(this.#tx, token)
    if (!refresh || refresh.clientId !== this.#client) return null
    this.#refresh = refresh
    this.#granted = refresh
    return {
      refreshToken: token,
      scope: [...refresh.scopes],
      client: clientOf(refresh.clientId),
      user: { id: refresh.grant },
    }
  }

  /** The library asks for this before it has looked at the scope, so the token is exchanged when others are saved. */
  async revokeToken() {
    return this.#refresh !== null && (await mayExchange(this.#tx, this.#refresh))
  }

  async saveToken(token: OAuth2Server.Token, client: OAuth2Server.Client, user: OAuth2Server.User) {
    const granted = this.#granted
    if (!granted) throw new Error('The library saves tokens of no consent.')
    const refreshToken = this.#refresh
      ? await exchangeRefresh(this.#tx, this.#refresh)
      : await issueRefresh(this.#tx, granted)
    this.usedUp = null
    const scope = token.scope ?? granted.scopes
    const accessToken = await issueAccess(this.#tx, granted.grant, scope)
    return { accessToken, refreshToken, scope: [...scope], client, user }
  }

  getAccessToken(): Promise<null> {
    throw new Error('Access tokens are looked at elsewhere.')
  }
}
