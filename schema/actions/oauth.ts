import { tokenForm, tokenToRevoke } from '../described/account-bodies.ts'
import { textShape, wholeShape } from '../described/shapes.ts'
import { exactly, the } from '../json-schema.ts'
import { type Action, defineAction, rawBody } from './action.ts'

const formType = 'application/x-www-form-urlencoded'
const oauthError = exactly({ error: textShape, error_description: textShape })
/** An address that cannot be read is refused before anybody looks what it asks for. */
const refusals = { '400': { anyOf: [oauthError, the('Detail')] }, '401': oauthError }

const revocation = {
  tag: 'oauth',
  path: '/api/v1/oauth/revoke_token',
  summary:
    'Ends an access token, or a refresh token with everything that came of it (RFC 7009). The client id and secret are sent as HTTP Basic.',
  needs: 'nothing',
  shows: textShape,
  type: 'text/plain',
  refusals,
} as const

const revoked = { '200': 'Ended, or not known.', '400': 'No token.', '401': 'Not a known application.' }

export const oauthToken = defineAction({
  name: 'oauth_token',
  tag: 'oauth',
  method: 'post',
  path: '/api/v1/oauth/token',
  summary: 'Exchanges a code or a refresh token (RFC 6749). The client id and secret are sent as HTTP Basic.',
  needs: 'nothing',
  body: rawBody(tokenForm),
  bodyType: formType,
  shows: exactly({
    access_token: textShape,
    expires_in: wholeShape,
    token_type: textShape,
    scope: textShape,
    refresh_token: textShape,
  }),
  refusals,
  answers: { '200': 'The tokens.', '400': 'Not a valid grant.', '401': 'Not a known application.' },
})

export const oauthRevoke = defineAction({
  name: 'oauth_revoke',
  ...revocation,
  method: 'post',
  body: rawBody(tokenToRevoke),
  bodyType: formType,
  answers: revoked,
})

export const oauthRevokeByQuery = defineAction({
  name: 'oauth_revoke_by_query',
  ...revocation,
  method: 'get',
  query: ['token'],
  answers: { ...revoked, '409': '', '503': '', '507': '' },
})

/** What programs do with the codes and tokens that users let them have. */
export const oauthActions: readonly Action[] = [oauthToken, oauthRevoke, oauthRevokeByQuery]
