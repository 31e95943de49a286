import assert from 'node:assert/strict'
import { networkOf } from '../../../server/services/accounts/throttle.ts'

describe('the network that attempts are counted for', () => {
  it('is the address of version 4, and what one customer has of version 6', () => {
    assert.equal(networkOf('203.0.113.9'), networkOf('::ffff:203.0.113.9'))
    assert.notEqual(networkOf('203.0.113.9'), networkOf('203.0.113.8'))
    assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff::9'))
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
    assert.equal(networkOf('no address'), 'no address')
  })
})
