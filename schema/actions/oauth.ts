import { tokenForm, tokenToRevoke } from '../described/account-bodies.ts'
import { text, whole } from '../described/shapes.ts'
import { exactly, the } from '../json-schema.ts'
import type { Action } from './action.ts'

const path = '/api/v1/oauth'
const formType = 'application/x-www-form-urlencoded'
const oauthError = exactly({ error: text, error_description: text })
/** An address that cannot be read is refused before anybody looks what it asks for. */
const refusals = { '400': { anyOf: [oauthError, the('Detail')] }, '401': oauthError }

const revocation = (method: 'get' | 'post'): Action => ({
  name: method === 'post' ? 'oauth_revoke' : 'oauth_revoke_by_query',
  tag: 'oauth',
  method,
  path: `${path}/revoke_token`,
  summary:
    'Ends an access token, or a refresh token with everything that came of it (RFC 7009). The client id and secret are sent as HTTP Basic.',
  needs: 'nothing',
  ...(method === 'post' ? { body: tokenToRevoke, bodyType: formType } : { query: ['token'] }),
  shows: text,
  type: 'text/plain',
  refusals,
  answers: {
    '200': 'Ended, or not known.',
    '400': 'No token.',
    '401': 'Not a known application.',
    ...(method === 'get' ? { '409': '', '503': '', '507': '' } : {}),
  },
})

/** What programs do with the codes and tokens that people let them have. */
export const oauthActions: readonly Action[] = [
  {
    name: 'oauth_token',
    tag: 'oauth',
    method: 'post',
    path: `${path}/token`,
    summary:
      'Exchanges a code or a refresh token (RFC 6749). The client id and secret are sent as HTTP Basic.',
    needs: 'nothing',
    body: tokenForm,
    bodyType: formType,
    shows: exactly({
      access_token: text,
      expires_in: whole,
      token_type: text,
      scope: text,
      refresh_token: text,
    }),
    refusals,
    answers: { '200': 'The tokens.', '400': 'Not a valid grant.', '401': 'Not a known application.' },
  },
  revocation('post'),
  revocation('get'),
]
