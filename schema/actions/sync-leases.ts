import { leaseEndBody, leaseReturnBody, leaseWishBody } from '../bodies/leases.ts'
import { wholeShape } from '../described/shapes.ts'
import { exactly, listSchema, the } from '../json-schema.ts'
import { type Action, bodyLike, defineAction, org, refused } from './action.ts'

const lease = `${org}/sync/leases/:id/` as const
const sync = { tag: 'sync', needs: null } as const
const change = {
  ...sync,
  method: 'post',
  shows: the('Lease'),
  answers: { '200': 'The lease.', ...refused, '404': '' },
} as const

export const syncLeases = defineAction({
  name: 'sync_leases',
  ...sync,
  method: 'get',
  path: `${org}/sync/leases/`,
  summary: 'A device sees its own leases; people see those of the events whose orders they may look at.',
  shows: exactly({ count: wholeShape, results: listSchema(the('Lease')) }),
  answers: { '200': 'All of them.', '401': '', '403': '' },
})

export const syncLeaseGrant = defineAction({
  name: 'sync_lease_grant',
  ...sync,
  method: 'post',
  path: `${org}/sync/leases/`,
  summary: 'Gives a device part of a quota, as many as it asks for or fewer; 409 where nothing is left.',
  body: bodyLike(leaseWishBody),
  shows: the('Lease'),
  answers: { '201': 'The lease.', ...refused, '409': '' },
})

export const syncLeaseProlong = defineAction({
  name: 'sync_lease_prolong',
  ...change,
  path: `${lease}prolong/`,
  summary: 'Lets a device sell from its lease for longer; one that has ended stays as it is.',
  body: bodyLike(leaseEndBody),
})

export const syncLeaseReturn = defineAction({
  name: 'sync_lease_return',
  ...change,
  path: `${lease}return/`,
  summary: 'Takes back what a device has not sold of its lease.',
  body: bodyLike(leaseReturnBody),
})

/** By which stations get parts of quotas that they sell without asking. */
export const syncLeaseActions: readonly Action[] = [
  syncLeases,
  syncLeaseGrant,
  syncLeaseProlong,
  syncLeaseReturn,
]
