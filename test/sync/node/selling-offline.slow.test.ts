import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { Refusal } from '../../../server/errors.ts'
import { expireLeases } from '../../../server/services/quotas/lease-expiry.ts'
import { heldQuotas, leaseTime, readHolder, trustTime } from '../../../server/services/quotas/lease-holder.ts'
import { readOutboxTotals } from '../../../server/services/quotas/lease-outbox.ts'
import { giveBackLeases, returnLease } from '../../../server/services/quotas/leases.ts'
import { type OutboxFact, restoreFacts } from '../../../server/sync/replica/own-facts.ts'
import { saveOutdated } from '../../../server/sync/upstream/upstream.ts'
import { minutes, startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

const nothingLeft = (cause: unknown): boolean => {
  assert.ok(cause instanceof Refusal, String(cause))
  assert.equal(cause.status, 400)
  assert.match(
    JSON.stringify(cause.body),
    /Nothing is left of what this station may sell of quota \\"House\\"/,
  )
  return true
}

const giveBack = (till: Till): Promise<number> =>
  till.transactions.write(async (tx) => {
    const holder = await readHolder(tx)
    assert.ok(holder)
    return giveBackLeases(tx, till.actor, await heldQuotas(tx, holder))
  })

describe('selling offline', () => {
  let world: TillWorld
  beforeEach(async () => {
    world = await startTills(10)
  })
  afterEach(() => world.close())

  it('lets two tills sell the last seats within their leases and nothing beyond', async () => {
    const { item } = world
    const [north, south] = [await world.join('north'), await world.join('south')]
    assert.equal((await world.lease(north, 6)).size, 6)
    assert.equal((await world.lease(south, 6)).size, 4)
    await assert.rejects(world.lease(south, 1), (cause: Refusal) => cause.status === 409)
    await assert.rejects(world.central.sell(item), /not enough quota/)
    await north.sell(item, 6)
    await south.sell(item, 3)
    await south.sell(item)
    for (const till of [north, south]) await assert.rejects(till.sell(item), nothingLeft)
    for (const till of [north, south])
      assert.ok((await world.push(till)).every(({ status }) => status === 'applied'))
    assert.equal(await world.sold(), 10)
    assert.deepEqual(await world.conflicts(), [])
    const used = (await world.central.leases()).map((lease) => [lease.size, lease.used]).sort()
    assert.deepEqual(used, [
      [4, 4],
      [6, 6],
    ])
  })

  it('sells a group within its leases whole or not at all', async () => {
    const till = await world.join('till')
    await world.lease(till, 3)
    await assert.rejects(till.sell(world.item, 4), nothingLeft)
    assert.deepEqual(await till.waiting(), [])
    await till.sell(world.item, 3)
  })

  it('takes a group from several leases, the one that ends first before', async () => {
    const till = await world.join('till')
    const long = await world.lease(till, 3)
    const short = await world.lease(till, 2, { until: '2030-06-01T11:00:00.000000Z' })
    await till.sell(world.item, 4)
    const [fact] = await till.waiting()
    const { leases } = JSON.parse(fact?.payload ?? '')
    assert.deepEqual(
      leases.map((one: { lease: number; count: number }) => [one.lease, one.count]),
      [
        [short.id, 2],
        [long.id, 2],
      ],
    )
  })

  it('stops at the end of the lease, and central sells again only after the grace', async () => {
    const till = await world.join('till')
    await world.lease(till, 10)
    world.time.now += minutes(4 * 60) - 1
    await till.sell(world.item)
    world.time.now += 1
    await assert.rejects(till.sell(world.item), nothingLeft)
    await world.push(till)
    world.time.now += minutes(12)
    assert.equal(await expireLeases(world.central.transactions), 0)
    await assert.rejects(world.central.sell(world.item), /not enough quota/)
    world.time.now += 1
    assert.equal(await expireLeases(world.central.transactions), 1)
    await world.central.sell(world.item, 9)
    assert.deepEqual([await world.sold(), await world.conflicts()], [10, []])
  })

  it('takes an order of a lease that has ended all the same, and says when it is one too many', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    const early = await till.sell(world.item, 2)
    world.time.now += minutes(4 * 60 + 13)
    await expireLeases(world.central.transactions)
    await world.central.sell(world.item, 9)
    const [result] = await world.push(till)
    assert.equal(result?.status, 'conflict')
    assert.equal(await world.sold(), 11)
    const [conflict, ...others] = await world.conflicts()
    assert.deepEqual(others, [])
    assert.equal(conflict?.kind, 'oversold_quota')
    const { excess, late, at_risk, code, size } = conflict?.data ?? {}
    assert.deepEqual([excess, late, at_risk, code, size], [1, true, false, early.code, 10])
    const again = await world.push(till)
    assert.deepEqual(again, [])
  })

  it('says when it was too much what was sold from a lease that central has forgotten', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    // Central was restored to before the lease, and nobody could tell the till.
    await world.central.database.run(sql`DELETE FROM quota_lease`)
    await world.central.sell(world.item, 9)
    await till.sell(world.item, 2)
    assert.deepEqual(
      (await world.push(till)).map(({ status }) => status),
      ['conflict'],
    )
    const reported = (await world.conflicts()).map(({ kind, data }) => [kind, data.excess])
    assert.deepEqual([await world.sold(), reported], [11, [['oversold_quota', 1]]])
  })

  it('does not sell from an ended lease when the clock is set back, nor after a restart', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    world.time.now += minutes(4 * 60 + 1)
    await assert.rejects(till.sell(world.item), nothingLeft)
    till.skew = -minutes(180)
    await assert.rejects(till.sell(world.item), nothingLeft)
    await till.transactions.write(leaseTime)
    await till.database.run(sql`UPDATE lease_clock SET boot = 'an earlier start', mono = 0`)
    await assert.rejects(till.sell(world.item), nothingLeft)
  })

  it('goes on by the clock that never goes back when the other is set back before the end', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    await till.sell(world.item)
    till.skew = -minutes(600)
    world.time.now += minutes(4 * 60) - 1000
    await till.sell(world.item)
    world.time.now += 1000
    await assert.rejects(till.sell(world.item), nothingLeft)
  })

  it('does not sell while its clock is ahead, and sells again once the time was measured', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    till.skew = minutes(24 * 60)
    await assert.rejects(till.sell(world.item), nothingLeft)
    await till.transactions.write(leaseTime)
    till.skew = 0
    await assert.rejects(till.sell(world.item), nothingLeft)
    await till.transactions.write(trustTime)
    await till.sell(world.item)
  })

  it('is not held up by a clock that nobody had set', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    till.skew = minutes(24 * 60)
    till.offset = null
    await till.transactions.write(leaseTime)
    await assert.rejects(till.sell(world.item), nothingLeft)
    till.offset = -minutes(24 * 60)
    await till.sell(world.item)
  })

  it('counts a sale once, however often it is reported', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    await till.sell(world.item, 2)
    await world.push(till, world.central, true)
    assert.ok((await world.push(till)).every(({ status }) => status === 'duplicate'))
    assert.equal(await world.sold(), 2)
    await till.database.run(sql`UPDATE outbox SET state = 'waiting', nonce = nonce || 'x'`)
    assert.ok((await world.push(till)).every(({ status }) => status === 'applied'))
    assert.equal(await world.sold(), 2)
    assert.deepEqual(
      (await world.central.leases()).map((one) => one.used),
      [2],
    )
  })

  it('gives the same lease again when the answer was lost', async () => {
    const till = await world.join('till')
    const nonce = 'the same nonce'
    const lost = await world.lease(till, 4, { nonce, lost: true })
    assert.deepEqual(await till.leases(), [])
    await assert.rejects(till.sell(world.item), nothingLeft)
    assert.deepEqual(await world.lease(till, 4, { nonce }), lost)
    assert.equal((await world.central.leases()).length, 1)
    await till.sell(world.item, 4)
    await assert.rejects(till.sell(world.item), nothingLeft)
  })

  it('knows what it has sold when older rows come and when its copy is replaced', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    await till.sell(world.item, 2)
    await world.pull(till)
    await till.sell(world.item, 2)
    await world.pull(till)
    await till.database.run(sql`DELETE FROM lease_ledger`)
    await till.database.run(sql`DELETE FROM lease_clock`)
    await assert.rejects(till.sell(world.item, 2), nothingLeft)
    await till.sell(world.item)
    await world.push(till)
    await world.pull(till)
    await assert.rejects(till.sell(world.item), nothingLeft)
  })

  it('sells nothing from leases once it is known that its copy lacks what was sold of them', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    await till.sell(world.item)
    await till.database.transaction(saveOutdated)
    await assert.rejects(till.sell(world.item), nothingLeft)
    // The copy that takes its place is of another site, with leases of its own.
    await till.database.run(sql`UPDATE upstream SET site = site + 1000`)
    await till.database.run(sql`UPDATE quota_lease SET site = site + 1000`)
    await till.sell(world.item)
  })

  it('adds up anew when the numbers of the outbox are given again', async () => {
    const till = await world.join('till')
    await world.lease(till, 5)
    await till.sell(world.item)
    await till.sell(world.item)
    await assert.rejects(till.sell(world.item, 4), nothingLeft)
    await till.database.run(sql`UPDATE outbox SET seq = seq + 100`)
    await till.sell(world.item)
    await till.database.run(sql`UPDATE outbox SET seq = seq - 100`)
    await assert.rejects(till.sell(world.item, 3), nothingLeft)
    await till.sell(world.item, 2)
    await assert.rejects(till.sell(world.item), nothingLeft)
  })

  it('counts what was refused upstream as sold', async () => {
    const till = await world.join('till')
    await world.lease(till, 2)
    await till.sell(world.item)
    await till.database.run(sql`UPDATE outbox SET state = 'parked', reason = 'broken'`)
    await till.sell(world.item)
    await assert.rejects(till.sell(world.item), nothingLeft)
  })

  it('gives back what is left and sells nothing more from it, whatever older rows say', async () => {
    const till = await world.join('till')
    await world.lease(till, 8)
    await till.sell(world.item, 3)
    assert.equal(await giveBack(till), 1)
    await world.pull(till)
    await assert.rejects(till.sell(world.item), nothingLeft)
    // The lease is reported before the order here: the order stays counted.
    const facts = await till.waiting()
    await till.database.run(
      sql`UPDATE outbox SET retry_at = '2030-06-01T10:01:00.000000Z' WHERE kind = 'order'`,
    )
    await till.database.run(sql`UPDATE outbox SET state = 'parked' WHERE kind = 'order'`)
    await world.push(till)
    await world.central.sell(world.item, 7)
    await assert.rejects(world.central.sell(world.item), /not enough quota/)
    await till.database.run(sql`UPDATE outbox SET state = 'waiting', retry_at = NULL WHERE kind = 'order'`)
    await world.push(till)
    assert.deepEqual([facts.length, await world.sold(), await world.conflicts()], [2, 10, []])
    assert.deepEqual(
      (await world.central.leases()).map(({ size, used, state }) => [size, used, state]),
      [[3, 3, 'returned']],
    )
  })

  it('keeps what was sold counted when a device returns a lease by itself', async () => {
    const till = await world.join('till')
    const { id } = await world.lease(till, 8)
    await till.sell(world.item, 3)
    const back = (sold: number) =>
      world.central.transactions.write((tx) =>
        returnLease(tx, till.actor, { organizer: world.place.organizer, id }, sold),
      )
    assert.deepEqual([(await back(3)).size, (await back(0)).size], [3, 3])
    await world.central.sell(world.item, 7)
    await world.push(till)
    assert.deepEqual([await world.sold(), await world.conflicts()], [10, []])
  })

  it('does not let others touch a lease', async () => {
    const [north, south] = [await world.join('north'), await world.join('south')]
    const { id } = await world.lease(north, 5)
    await world.pull(south)
    await assert.rejects(south.sell(world.item), nothingLeft)
    await assert.rejects(
      world.central.transactions.write((tx) =>
        returnLease(tx, south.actor, { organizer: world.place.organizer, id }, 0),
      ),
      (cause: Refusal) => cause.status === 403,
    )
  })

  describe('at risk', () => {
    it('sells as many as the settings allow, knowingly, and not one more', async () => {
      const till = await world.join('till', world.central, { sell_at_risk: 2 })
      await assert.rejects(till.sell(world.item), /or sell at risk/)
      await world.lease(till, 1)
      await till.sell(world.item, 2, { force: true })
      await assert.rejects(till.sell(world.item, 2, { force: true }), nothingLeft)
      await till.sell(world.item, 1, { force: true })
      await assert.rejects(till.sell(world.item, 1, { force: true }), nothingLeft)
      await world.central.sell(world.item, 9)
      const statuses = (await world.push(till)).map(({ status }) => status)
      assert.deepEqual(statuses, ['conflict', 'conflict'])
      assert.equal(await world.sold(), 12)
      const found = (await world.conflicts()).map(({ kind, data }) => [kind, data.excess, data.at_risk])
      assert.deepEqual(found.sort(), [
        ['oversold_quota', 1, true],
        ['oversold_quota', 2, true],
      ])
    })

    it('is no contradiction as long as there is enough', async () => {
      const till = await world.join('till', world.central, { sell_at_risk: 2 })
      await till.sell(world.item, 2, { force: true })
      assert.deepEqual(
        (await world.push(till)).map(({ status }) => status),
        ['applied'],
      )
      assert.deepEqual(await world.conflicts(), [])
    })

    it('is refused where the settings say nothing of it', async () => {
      const till = await world.join('till')
      await assert.rejects(till.sell(world.item, 1, { force: true }), nothingLeft)
    })
  })

  describe('through a hub', () => {
    it('gives parts of its own leases, and central learns of all that was sold', async () => {
      const hub = await world.join('hub')
      await world.lease(hub, 6)
      const [north, south] = [await world.join('north', hub), await world.join('south', hub)]
      assert.equal((await world.lease(north, 4, { upstream: hub })).size, 4)
      assert.equal((await world.lease(south, 4, { upstream: hub })).size, 2)
      await assert.rejects(hub.sell(world.item), nothingLeft)
      await north.sell(world.item, 3)
      await south.sell(world.item, 2)
      await assert.rejects(south.sell(world.item), nothingLeft)
      for (const till of [north, south]) await world.push(till, hub)
      assert.equal(await giveBack(north), 1)
      await world.push(north, hub)
      await hub.sell(world.item)
      await assert.rejects(hub.sell(world.item), nothingLeft)
      const results = await world.push(hub)
      assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['applied']))
      assert.deepEqual([await world.sold(), await world.conflicts()], [6, []])
      const shown = (await world.central.leases()).map(({ size, used, state }) => [size, used, state])
      assert.deepEqual(shown.sort(), [
        [2, 2, 'open'],
        [3, 3, 'returned'],
        [6, 6, 'open'],
      ])
    })

    it('has central count what was sold from a part that it hears of later', async () => {
      const hub = await world.join('hub')
      await world.lease(hub, 6)
      const inner = await world.join('inner', hub)
      await world.lease(inner, 4, { upstream: hub })
      await inner.sell(world.item, 3)
      await world.push(inner, hub)
      const setLease = (state: string) =>
        hub.database.run(sql`UPDATE outbox SET state = ${state} WHERE kind = 'lease'`)
      await setLease('parked')
      await world.push(hub)
      await setLease('waiting')
      await world.push(hub)
      const shown = async (node: Till) => (await node.leases()).map(({ size, used }) => [size, used]).sort()
      assert.deepEqual(await shown(world.central), [
        [4, 3],
        [6, 3],
      ])
      assert.deepEqual(await shown(hub), await shown(world.central))
    })

    it('gives nothing on once it is known that its copy lacks what was given', async () => {
      const hub = await world.join('hub')
      await world.lease(hub, 6)
      const inner = await world.join('inner', hub)
      await hub.database.transaction(saveOutdated)
      await assert.rejects(world.lease(inner, 1, { upstream: hub }), ({ status }: Refusal) => status === 409)
    })

    it('knows what its devices have sold of ended leases, whatever older rows say', async () => {
      const hub = await world.join('hub')
      await world.lease(hub, 6)
      const inner = await world.join('inner', hub)
      await world.lease(inner, 4, { upstream: hub, until: '2030-06-01T11:00:00.000000Z' })
      await world.push(hub)
      await inner.sell(world.item, 3)
      await world.push(inner, hub)
      world.time.now += minutes(73)
      await assert.rejects(hub.sell(world.item, 3), nothingLeft)
      assert.equal(await expireLeases(hub.transactions), 1)
      await world.pull(hub)
      await hub.sell(world.item, 3)
      await assert.rejects(hub.sell(world.item), nothingLeft)
    })

    it('gives up the parts of a lease that central has forgotten, and keeps those of one that it knows', async () => {
      const hub = await world.join('hub')
      const kept = await world.lease(hub, 2)
      const lost = await world.lease(hub, 3)
      const inner = await world.join('inner', hub)
      const parts = [
        await world.lease(inner, 3, { upstream: hub }),
        await world.lease(inner, 2, { upstream: hub }),
      ]
      assert.deepEqual(
        parts.map(({ parent }) => parent),
        [lost.id, kept.id],
      )
      // The hub's new copy, made from a central that was restored to before the second lease.
      await hub.database.run(sql`DELETE FROM quota_lease WHERE id <> ${kept.id}`)
      await hub.database.run(sql`DELETE FROM lease_ledger`)
      const facts = await hub.database.all<OutboxFact>(
        sql`SELECT organizer, event, kind, device, payload FROM outbox WHERE kind = 'lease' ORDER BY seq`,
      )
      assert.equal(facts.length, 2)
      const ids = async () => (await hub.leases()).map(({ id }) => id).sort()
      const expected = [kept.id, Number(parts[1]?.id)].sort()
      // Adding up what was reported puts back what it knows of as well.
      await hub.transactions.write((tx) => readOutboxTotals(tx, [], []))
      assert.deepEqual(await ids(), expected)
      await hub.database.run(sql`DELETE FROM quota_lease WHERE id <> ${kept.id}`)
      assert.equal(await hub.transactions.write((tx) => restoreFacts(tx, facts)), 0)
      assert.deepEqual(await ids(), expected)
    })

    it('gives nothing twice of a lease that its new copy has heard of later than its parts', async () => {
      const hub = await world.join('hub')
      const [north, south] = [await world.join('north', hub), await world.join('south', hub)]
      const whole = await world.lease(hub, 3)
      const part = await world.lease(north, 3, { upstream: hub })
      assert.equal(part.parent, whole.id)
      // The hub's new copy is from before the lease was given, which only its changes bring.
      await hub.database.run(sql`DELETE FROM quota_lease`)
      await hub.database.run(sql`DELETE FROM lease_ledger`)
      await hub.transactions.write((tx) => readOutboxTotals(tx, [], []))
      assert.deepEqual(await hub.leases(), [])
      await world.pull(hub)
      await assert.rejects(
        world.lease(south, 1, { upstream: hub }),
        (cause: Refusal) => cause.status === 409,
        'all of it was given on',
      )
      await north.sell(world.item, 3)
      await world.push(north, hub)
      assert.ok((await world.push(hub)).every(({ status }) => status === 'applied'))
      assert.deepEqual([await world.sold(), await world.conflicts()], [3, []])
    })

    it('lets an order of one station in at another one as soon as both share a hub', async () => {
      const hub = await world.join('hub')
      await world.lease(hub, 6)
      const [north, south] = [await world.join('north', hub), await world.join('south', hub)]
      await world.lease(north, 2, { upstream: hub })
      const order = await north.sell(world.item)
      await world.push(north, hub)
      await world.pull(south, hub)
      const secret = order.positions[0]?.secret ?? ''
      const row = await south.database.get<{ code: string; status: string }>(
        sql`SELECT o.code, o.status FROM order_position p JOIN orders o ON o.id = p.order_id WHERE p.secret = ${secret}`,
      )
      assert.deepEqual({ ...row }, { code: order.code, status: 'p' })
      const found = await hub.database.get(
        sql`SELECT rowid FROM position_search WHERE position_search MATCH ${`"${order.code.toLowerCase()}"`}`,
      )
      assert.ok(found)
    })
  })
})
