import assert from 'node:assert/strict'
import {
  formTarget,
  type RedirectProblem,
  redirectProblem,
  withParameters,
} from '../../../server/domain/accounts/redirect-uris.ts'

const cases: readonly (readonly [address: string, problem: RedirectProblem | null])[] = [
  ['https://app.example/callback', null],
  ['https://app.example/callback?kept=1', null],
  ['https://app.example:8443/', null],
  ['http://localhost:3000/back', null],
  ['http://127.0.0.1/back', null],
  ['http://[::1]:8080/back', null],
  ['com.example.app:/back', null],
  ['com.example.app://back', null],
  ['', 'form'],
  ['app.example/callback', 'form'],
  ['/callback', 'form'],
  ['https://', 'form'],
  ['https://app.example/a b', 'form'],
  ['https://*.example/', 'form'],
  ['https://app.example\\@evil.example/', 'form'],
  [`https://app.example/${'x'.repeat(500)}`, 'form'],
  ['https://app.example/#here', 'fragment'],
  ['https://user:secret@app.example/', 'credentials'],
  ['http://app.example/', 'insecure'],
  ['http://localhost.evil.example/', 'insecure'],
  ['http://127.0.0.1.evil.example/', 'insecure'],
  ['javascript:alert(1)', 'insecure'],
  ['data:text/html,x', 'insecure'],
  ['file:///etc/passwd', 'insecure'],
  ['ftp://app.example/', 'insecure'],
  ['myapp:/back', 'insecure'],
]

describe('an address that users are sent back to', () => {
  for (const [address, problem] of cases)
    it(`is ${problem ?? 'taken'}: ${address.slice(0, 60)}`, () => {
      assert.equal(redirectProblem(address), problem)
    })

  it('keeps its parameters and gets others', () => {
    assert.equal(
      withParameters('https://app.example/back?kept=1', { code: 'a b', state: undefined }),
      'https://app.example/back?kept=1&code=a+b',
    )
    assert.equal(withParameters('com.example.app:/back', { code: 'x' }), 'com.example.app:/back?code=x')
  })

  it('is written into a policy without its path', () => {
    assert.equal(formTarget('https://app.example:8443/back;?x'), 'https://app.example:8443')
    assert.equal(formTarget('com.example.app:/back'), 'com.example.app:')
  })
})
