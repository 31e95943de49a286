import assert from 'node:assert/strict'
import { siteSpan } from '../../schema/sites.ts'
import { keptHere } from '../../server/sync/own-facts.ts'

describe('what is taken over of a row from above', () => {
  const hub = 300
  const access = { token_hash: null, initialization_token: null, initialized: null, site: null }
  const cells = (id: number) => ({ id, revoked: 0, name: 'Gate', token_hash: 'x', site: 301 })

  it("leaves the access of a hub's own devices as the hub has made it", () => {
    const told = { ...access, name: 'North gate', revoked: 1 }
    assert.deepEqual(keptHere('device', cells(hub * siteSpan + 1), told, hub), {
      name: 'North gate',
      revoked: 1,
    })
  })

  it('is all of it for devices of others', () => {
    for (const id of [4, 299 * siteSpan + 1])
      assert.deepEqual(keptHere('device', cells(id), access, hub), access)
  })

  it('gives nobody back the access that was taken from them', () => {
    assert.deepEqual(keptHere('device', { ...cells(4), revoked: 1 }, { revoked: 0, name: 'x' }, hub), {
      name: 'x',
    })
  })

  it('undoes no annulment, and takes back nothing that was sold', () => {
    const annulled = { successful: 0, error_reason: 'annulled' }
    assert.deepEqual(keptHere('checkin', annulled, { successful: 1, error_reason: null, list: 3 }, hub), {
      list: 3,
    })
    assert.deepEqual(keptHere('quota_lease', { used: 5 }, { used: 3, size: 9 }, hub), { size: 9 })
    assert.deepEqual(keptHere('quota_lease', { used: 5 }, { used: 7 }, hub), { used: 7 })
  })
})
