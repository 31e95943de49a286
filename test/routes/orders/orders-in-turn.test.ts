import assert from 'node:assert/strict'
import type { Scope } from '../../../server/resource/api.ts'
import { inOrderTurn } from '../../../server/routes/input/heavy-orders.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { quickest } from '../../support/engines/engines.ts'
import { startShop } from '../../support/ticketing/orders.ts'

const scopeOf = (organizer: number): Scope => ({
  actor: { ...commandActor, id: organizer },
  place: { organizer, event: 1 },
  organizer: { id: organizer, slug: 'acme' },
  event: null,
})

const bodyOf = (count: number) => ({ positions: Array.from({ length: count }, () => ({ item: 1 })) })

describe('large orders', () => {
  let release: () => void
  let held: Promise<void>
  beforeEach(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    held = inOrderTurn(scopeOf(1), bodyOf(51), () => promise)
  })
  afterEach(() => release())

  it('are made one after the other, while small ones do not wait', async () => {
    const begun: string[] = []
    const begin = (name: string, positions: number, organizer = 1) =>
      inOrderTurn(scopeOf(organizer), bodyOf(positions), async () => {
        begun.push(name)
      })
    const large = [begin('large', 51), begin('larger', 500), begin('of another organizer', 51, 2)]
    await begin('small', 50)
    assert.deepEqual(begun, ['small'])
    release()
    await Promise.all(large)
    assert.deepEqual(begun, ['small', 'large', 'of another organizer', 'larger'])
  })

  it('let what has just arrived pass at each pause', async () => {
    release()
    await held
    let turns = 0
    const count = (): void => {
      turns += 1
      if (turns < 100) setImmediate(count)
    }
    await inOrderTurn(scopeOf(1), bodyOf(51), async (pause) => {
      setImmediate(count)
      await pause()
      assert.ok(turns >= 5, `${turns} turns`)
    })
  })

  it('are refused to a caller of whom twenty wait', async () => {
    const wait = () => inOrderTurn(scopeOf(1), bodyOf(51), async () => 'made')
    const waiting = Array.from({ length: 20 }, wait)
    await assert.rejects(wait(), { status: 429 })
    release()
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['made']))
  })

  it('wait at their endpoint, and small ones do not', async () => {
    const server = await startShop(await quickest.open())
    const sell = (count: number) =>
      server.call('POST', `${server.ev}/orders/`, {
        positions: bodyOf(count).positions.map(() => ({ item: server.shop.ticket })),
        force: true,
      })
    const count = async () => (await server.ask<{ count: number }>(200, 'GET', '/orders/?fields=code')).count
    const large = sell(51)
    assert.equal((await sell(50)).status, 201)
    assert.equal(await count(), 1)
    release()
    assert.equal((await large).status, 201)
    assert.equal(await count(), 2)
    await server.close()
  })
})
