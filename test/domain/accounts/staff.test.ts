import assert from 'node:assert/strict'
import { mayDo, type StaffFacts, waitAfterWrongPins, worksAt } from '../../../server/domain/accounts/staff.ts'

const staff: StaffFacts = {
  ...{ active: true, valid_from: null, valid_until: null },
  ...{ all_devices: true, limit_devices: [], limit_gates: [] },
}
const now = '2030-06-01T10:00:00.000000Z'
const desk = { device: 3, gate: 7 }

describe('staff at a station', () => {
  it('work where and while they may', () => {
    const works = (values: Partial<StaffFacts>) => worksAt({ ...staff, ...values }, desk, now)
    assert.equal(works({}), true)
    assert.equal(works({ active: false }), false)
    assert.equal(works({ all_devices: false }), false)
    assert.equal(works({ all_devices: false, limit_devices: [3] }), true)
    assert.equal(works({ all_devices: false, limit_gates: [7] }), true)
    assert.equal(
      worksAt({ ...staff, all_devices: false, limit_gates: [7] }, { ...desk, gate: null }, now),
      false,
    )
    assert.equal(works({ valid_from: '2030-06-01T10:00:00.000001Z' }), false)
    assert.equal(works({ valid_from: now }), true)
    assert.equal(works({ valid_until: now }), false)
  })

  it('do what their role may, and what was given to them by name', () => {
    assert.equal(mayDo({ role: 'cashier', rights: [] }, 'sell'), true)
    assert.equal(mayDo({ role: 'cashier', rights: [] }, 'refund'), false)
    assert.equal(mayDo({ role: 'cashier', rights: ['refund'] }, 'refund'), true)
    assert.equal(mayDo({ role: 'steward', rights: [] }, 'sell'), false)
    assert.equal(mayDo({ role: 'supervisor', rights: [] }, 'refund'), true)
  })

  it('wait after the fifth wrong PIN, twice as long each time', () => {
    assert.deepEqual([0, 4, 5, 6, 7, 100].map(waitAfterWrongPins), [0, 0, 30, 60, 120, 3600])
  })
})
