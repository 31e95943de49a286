import assert from 'node:assert/strict'
import { siteSpan } from '../../../schema/sites.ts'
import { changesToAdopt } from '../../../server/sync/replica/own-facts.ts'

describe('what is taken over of a row from upstream', () => {
  const own = 300 * siteSpan + 1
  const nobody: ReadonlySet<number> = new Set()
  const access = { token_hash: 'y', initialized: '2030', site: 302, site_end: null, former_sites: null }
  const cells = (id: number) => ({ id, revoked: 0, name: 'Gate', token_hash: 'x', site: 301 })

  it('leaves the access of a device as it was given here until that is known upstream', () => {
    const upstream = { ...access, name: 'North gate', revoked: 1 }
    assert.deepEqual(changesToAdopt('device', cells(own), upstream, new Set([own])), {
      name: 'North gate',
      revoked: 1,
    })
    assert.deepEqual(changesToAdopt('device', cells(own), upstream, new Set([own + 1])), upstream)
  })

  it('takes the keys of a device from it for nothing', () => {
    const upstream = { token_hash: null, initialization_token: null, initialized: null, site: null }
    assert.deepEqual(changesToAdopt('device', cells(own), upstream, nobody), { site: null })
  })

  it('gives nobody back the access that was taken from them', () => {
    assert.deepEqual(
      changesToAdopt('device', { ...cells(4), revoked: 1 }, { revoked: 0, name: 'x' }, nobody),
      {
        name: 'x',
      },
    )
  })

  it('undoes no annulment, and takes back nothing that was sold', () => {
    const annulled = { successful: 0, error_reason: 'annulled' }
    assert.deepEqual(
      changesToAdopt('checkin', annulled, { successful: 1, error_reason: null, list: 3 }, nobody),
      {
        list: 3,
      },
    )
    // Somebody else's, which has taken its number.
    const other = { successful: 1, error_reason: null, nonce: 'other' }
    assert.deepEqual(changesToAdopt('checkin', annulled, other, nobody), other)
    assert.deepEqual(changesToAdopt('quota_lease', { used: 5 }, { used: 3, size: 9 }, nobody), { size: 9 })
    assert.deepEqual(changesToAdopt('quota_lease', { used: 5 }, { used: 7 }, nobody), { used: 7 })
  })
})
