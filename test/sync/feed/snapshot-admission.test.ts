import assert from 'node:assert/strict'
import {
  createSnapshotAdmissions,
  type SnapshotAdmission,
} from '../../../server/sync/feed/snapshot-admission.ts'
import { makeHandEnv } from '../../support/servers/hand-env.ts'

const never = (): void => assert.fail('a snapshot was dropped')

const waitOf = (admission: SnapshotAdmission): number => {
  assert.ok('retryAfter' in admission)
  return admission.retryAfter
}

describe('admission to snapshots', () => {
  it('lets a few in at a time, and the next when one has left', () => {
    const { ask } = createSnapshotAdmissions(makeHandEnv(), 2)
    const first = ask('a', never)
    assert.ok('admitted' in first)
    assert.ok('admitted' in ask('b', never))
    assert.ok(waitOf(ask('c', never)) >= 1)
    first.admitted.leave()
    assert.ok('admitted' in ask('c', never))
    first.admitted.leave()
    assert.ok('retryAfter' in ask('d', never))
  })

  it('has those wait longer who came later, but none for ever', () => {
    const env = { ...makeHandEnv(), randomBytes: (count: number) => new Uint8Array(count) }
    const { ask } = createSnapshotAdmissions(env, 2)
    ask('a', never)
    ask('b', never)
    const waits = Array.from({ length: 100 }, (_, index) => waitOf(ask(`waiting ${index}`, never)))
    assert.deepEqual(
      waits,
      waits.toSorted((x, y) => x - y),
    )
    assert.ok((waits[10] ?? 0) > (waits[0] ?? 0))
    assert.ok(Math.max(...waits) <= 75)
    // Who asks again keeps its place.
    assert.equal(waitOf(ask('waiting 0', never)), waits[0])
  })

  it('has those of the same turn come back at different times', () => {
    let next = 0
    const env = {
      ...makeHandEnv(),
      randomBytes: () => {
        next += 37
        return Uint8Array.of(next)
      },
    }
    const { ask } = createSnapshotAdmissions(env, 1)
    ask('a', never)
    const waits = new Set(Array.from({ length: 40 }, (_, index) => waitOf(ask(`w${index}`, never))))
    assert.ok(waits.size > 10)
  })

  it('forgets who does not come back, so that others move up', () => {
    const env = makeHandEnv()
    const { ask } = createSnapshotAdmissions(env, 1)
    ask('a', never)
    for (let index = 0; index < 20; index += 1) ask(`gone ${index}`, never)
    const late = waitOf(ask('late', never))
    env.pass(1000 * 1000)
    assert.ok(waitOf(ask('late', never)) < late)
  })

  it('gives a device that asks again the place of its old connection, which is dropped', () => {
    const { ask } = createSnapshotAdmissions(makeHandEnv(), 1)
    let dropped = 0
    const first = ask('a', () => {
      dropped += 1
    })
    assert.ok('admitted' in first)
    assert.ok('admitted' in ask('a', never))
    assert.equal(dropped, 1)
    // The old one is not counted twice when its connection ends at last.
    first.admitted.leave()
    assert.ok('retryAfter' in ask('b', never))
  })
})
