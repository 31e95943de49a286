import assert from 'node:assert/strict'
import { keepBack } from '../../../server/domain/quotas/lease-sales.ts'

describe('what carts keep back of leases', () => {
  const lease = (id: number, free: number, hour: number, quota = 1) => ({
    ...{ id, quota, free, until: `2030-06-01T${hour}:00:00.000000Z` },
  })
  const free = (leases: readonly ReturnType<typeof lease>[], held: readonly (readonly [number, number])[]) =>
    keepBack(leases, new Map(held)).map((one) => [one.id, one.free])

  for (const [what, leases, held, left] of [
    ['is nothing without carts', [lease(1, 5, 14)], [], [[1, 5]]],
    ['is what they hold', [lease(1, 5, 14)], [[1, 2]], [[1, 3]]],
    [
      'is of what ends last',
      [lease(1, 5, 14), lease(2, 5, 12)],
      [[1, 3]],
      [
        [1, 2],
        [2, 5],
      ],
    ],
    [
      'goes on with what ends before',
      [lease(1, 2, 14), lease(2, 5, 12)],
      [[1, 3]],
      [
        [1, 0],
        [2, 4],
      ],
    ],
    [
      'is of the own quota alone',
      [lease(1, 5, 14), lease(2, 5, 14, 7)],
      [[7, 1]],
      [
        [1, 5],
        [2, 4],
      ],
    ],
    ['is never more than there is', [lease(1, 1, 14)], [[1, 9]], [[1, 0]]],
    [
      'leaves alone what is overdrawn',
      [lease(1, -2, 14), lease(2, 3, 12)],
      [[1, 1]],
      [
        [1, -2],
        [2, 2],
      ],
    ],
  ] as const)
    it(what, () => assert.deepEqual(free(leases, held), left))
})
