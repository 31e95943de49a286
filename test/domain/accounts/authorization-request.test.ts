import assert from 'node:assert/strict'
import { checkAuthorization, scopesIn } from '../../../server/domain/accounts/authorization-request.ts'

const confidential = { isPublic: false, redirectUris: ['https://app.example/a', 'https://app.example/b'] }
const open = { ...confidential, isPublic: true }
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const check = (query: Record<string, string>, applicant = confidential) =>
  checkAuthorization(applicant, new URLSearchParams({ response_type: 'code', ...query }))

describe('a request for authorization', () => {
  it('is for the first address and reading where it names nothing', () => {
    assert.deepEqual(check({}), {
      kind: 'asked',
      request: {
        redirectUri: 'https://app.example/a',
        isRedirectNamed: false,
        scopes: ['read'],
        state: undefined,
        challenge: undefined,
        isForced: false,
      },
    })
  })

  it('keeps what it names', () => {
    const asked = check({
      redirect_uri: 'https://app.example/b',
      scope: 'write read',
      state: 'x',
      approval_prompt: 'force',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    assert.deepEqual(asked.kind === 'asked' && asked.request, {
      redirectUri: 'https://app.example/b',
      isRedirectNamed: true,
      scopes: ['read', 'write'],
      state: 'x',
      challenge,
      isForced: true,
    })
  })

  const stopped: readonly string[] = [
    'redirect_uri=https://evil.example/',
    'redirect_uri=https://app.example/a/',
    'redirect_uri=',
    'state=1&state=2',
    'redirect_uri=https://app.example/a&redirect_uri=https://evil.example/',
    'scope=read&scope=write',
  ]
  for (const query of stopped)
    it(`goes nowhere with ${query}`, () => {
      const checked = checkAuthorization(confidential, new URLSearchParams(`response_type=code&${query}`))
      assert.equal(checked.kind, 'stopped')
    })

  const sentBack: readonly (readonly [query: Record<string, string>, error: string, isPublic?: boolean])[] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ scope: 'admin' }, 'invalid_scope'],
    [{ scope: 'READ' }, 'invalid_scope'],
    [{ code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: challenge }, 'invalid_request'],
    [{ code_challenge: '', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: `${challenge}=`, code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{}, 'invalid_request', true],
  ]
  for (const [query, error, isPublic] of sentBack)
    it(`is sent back with ${error} for ${JSON.stringify(query)}${isPublic ? ' without a secret' : ''}`, () => {
      const checked = check({ state: 'kept', ...query }, isPublic ? open : confidential)
      assert.equal(checked.kind, 'sent back')
      assert.deepEqual(checked.kind === 'sent back' && [checked.error, checked.state], [error, 'kept'])
    })

  it('reads scopes once each, in one order', () => {
    assert.deepEqual(scopesIn('profile  read profile'), ['read', 'profile'])
    assert.deepEqual(scopesIn(' '), ['read'])
    assert.equal(scopesIn('read,write'), null)
  })
})
