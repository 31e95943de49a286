import OAuth2Server, { OAuthError, Request, Response } from '@node-oauth/oauth2-server'
import type { Tx } from '../../resource/transactions.ts'
import { authenticateApplication } from './applications.ts'
import {
  badClient,
  badGrant,
  basicOf,
  credentialsOf,
  noStore,
  type ProgramAnswer,
  refusal,
  repeatedParameter,
} from './oauth-answers.ts'
import { revokeGrant } from './oauth-grants.ts'
import { RequestModel } from './oauth-model.ts'
import { accessLifetime, revokeToken } from './oauth-tokens.ts'

/**
 * Answers a request for tokens (RFC 6749, 5): the library leads through the protocol, in one transaction. What it finds
 * wrong is an answer too, so that what follows from it, such as the end of a stolen consent, is stored.
 */
export async function answerTokenRequest(
  tx: Tx,
  form: URLSearchParams,
  authorization: string,
): Promise<ProgramAnswer> {
  const twice = repeatedParameter(form)
  if (twice !== undefined) return refusal(400, 'invalid_request', `The parameter ${twice} is sent twice.`)
  const model = new RequestModel(tx, form.get('redirect_uri'))
  const basic = basicOf(authorization)
  const request = new Request({
    method: 'POST',
    query: {},
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '1',
      ...(basic ? { authorization: `Basic ${Buffer.from(basic.join(':')).toString('base64')}` } : {}),
    },
    body: Object.fromEntries(form),
  })
  const server = new OAuth2Server({
    // Its types want what is only asked for in other flows.
    model: model as RequestModel & OAuth2Server.AuthorizationCodeModel,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
    accessTokenLifetime: accessLifetime,
  })
  try {
    const { accessToken, refreshToken, scope = [] } = await server.token(request, new Response())
    return {
      status: 200,
      body: {
        access_token: accessToken,
        expires_in: accessLifetime,
        token_type: 'Bearer',
        scope: scope.join(' '),
        refresh_token: refreshToken,
      },
      headers: noStore,
    }
  } catch (cause) {
    if (model.usedUp !== null) await revokeGrant(tx, model.usedUp)
    return answerOf(cause)
  }
}

function answerOf(cause: unknown): ProgramAnswer {
  if (!(cause instanceof OAuthError)) throw cause
  switch (cause.name) {
    case 'invalid_client':
      return badClient()
    case 'invalid_grant':
      return badGrant()
    case 'server_error':
      throw 'inner' in cause ? cause.inner : cause
    default:
      return refusal(400, cause.name, cause.message)
  }
}

/** Answers a request to end a token (RFC 7009): nothing more is said of it than that it is ended. */
export async function answerRevocation(
  tx: Tx,
  form: URLSearchParams,
  authorization: string,
): Promise<ProgramAnswer> {
  const twice = repeatedParameter(form)
  if (twice !== undefined) return refusal(400, 'invalid_request', `The parameter ${twice} is sent twice.`)
  const application = await authenticateApplication(tx, ...credentialsOf(form, authorization))
  if (!application) return badClient()
  const token = form.get('token')
  if (token === null || token === '') return refusal(400, 'invalid_request', 'The token is missing.')
  await revokeToken(tx, application.clientId, token)
  return { status: 200, body: null, headers: noStore }
}
