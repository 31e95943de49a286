import assert from 'node:assert/strict'
import { simulatedSigningDevice } from '../../../server/services/drawer/signing-simulator.ts'

const device = (seed: number) =>
  simulatedSigningDevice({
    now: () => '2030-06-01T10:00:00.000000Z',
    randomBytes: (count) => new Uint8Array(count).fill(seed),
  })
const data = { type: 'Kassenbeleg-V1', data: 'Beleg^1.00_0.00_0.00_0.00_0.00^1.00:Bar' } as const

describe('a simulated signing device', () => {
  it('counts transactions and signatures without a gap, and logs each step', async () => {
    const one = device(1)
    const serial = await one.register('7-0')
    const signatures = []
    for (let count = 0; count < 3; count += 1)
      signatures.push(await one.finish('7-0', await one.begin('7-0'), data))
    assert.deepEqual(
      signatures.map((each) => [each.serial, each.transaction, each.counter]),
      [1, 2, 3].map((number) => [serial, number, number * 2]),
    )
    const log = (await one.exportLog()).trim().split('\n')
    assert.equal(log.length, 6)
    for (const { signature } of signatures) assert.ok(log.some((entry) => entry.endsWith(` ${signature}`)))
  })

  it('is another one with other signatures after each start', async () => {
    const [one, other] = [device(1), device(2)]
    assert.notEqual(await one.register('7-0'), await other.register('7-0'))
    const [first, second] = [
      await one.finish('7-0', await one.begin('7-0'), data),
      await other.finish('7-0', await other.begin('7-0'), data),
    ]
    assert.notEqual(first.signature, second.signature)
  })

  it('refuses tills that it does not know, and a transaction that is over', async () => {
    const one = device(1)
    await assert.rejects(one.begin('7-0'), /not registered/)
    await one.register('7-0')
    const begun = await one.begin('7-0')
    await one.finish('7-0', begun, data)
    await assert.rejects(one.finish('7-0', begun, data), /not open/)
  })
})
