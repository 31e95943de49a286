import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { Refusal } from '../../../server/errors.ts'
import {
  hashPassword,
  isOutdated,
  nobodysHash,
  verifyPassword,
} from '../../../server/services/accounts/passwords.ts'
import { useRealHashes } from '../../support/mocha/cheap-hashes.ts'

/** A hash that is made quickly, and is weaker than ours. */
const weak = (password: string): string => {
  const salt = Buffer.from('0123456789abcdef')
  const key = scryptSync(password, salt, 32, { N: 2 ** 4, r: 8, p: 1 })
  const unpadded = (data: Buffer) => data.toString('base64').replace(/=+$/, '')
  return `$scrypt$ln=4,r=8,p=1$${unpadded(salt)}$${unpadded(key)}`
}

describe('passwords', () => {
  useRealHashes()

  it('are hashed as strongly as OWASP asks, each with a salt of its own', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, two)
    const [salt = '', key = ''] = one.split('$').slice(-2)
    const work = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 }
    assert.deepEqual(
      scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, work),
      Buffer.from(key, 'base64'),
    )
    assert.deepEqual(
      [
        await verifyPassword('correct horse', one),
        await verifyPassword('Correct horse', weak('correct horse')),
      ],
      [true, false],
    )
    assert.deepEqual([isOutdated(one), isOutdated(weak('x')), isOutdated('')], [false, true, true])
  })

  it('are the same however their letters are composed', async () => {
    assert.equal(await verifyPassword('gru\u0308n', weak('grün')), true)
  })

  it('are nobody’s where there is no account', async () => {
    assert.equal(await verifyPassword('', nobodysHash), false)
    assert.equal(await verifyPassword('x', 'no hash at all'), false)
  })

  it('are hashed one at a time, and refused when too many wait', async () => {
    const stored = weak('x')
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => verifyPassword('x', stored)))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(refused.length, 9)
    assert.ok(refused.every((cause) => cause instanceof Refusal && cause.status === 429))
    assert.equal(await verifyPassword('x', stored), true, 'and go on after that')
  })
})
