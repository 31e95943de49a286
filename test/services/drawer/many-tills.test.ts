import assert from 'node:assert/strict'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { drawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { drawerSums } from '../../../server/domain/drawer/drawer-count.ts'
import { hundredths } from '../../../server/resource/codec.ts'
import { findRow, findRows } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { closeDrawer } from '../../../server/services/drawer/drawer-closing.ts'
import { moveCash, openDrawer } from '../../../server/services/drawer/drawer-sessions.ts'
import { contentOf } from '../../../server/services/drawer/receipt-rows.ts'
import { verifyTills } from '../../../server/services/drawer/verify-tills.ts'
import { eventBySlug } from '../../../server/services/events/events.ts'
import type { OrderScope } from '../../../server/services/pricing/order-draft.ts'
import { LeasesUsedUp } from '../../../server/services/quotas/lease-sales.ts'
import { seeded } from '../../fuzz/invent.ts'
import { amount } from '../../support/mocha/amount.ts'
import { seed } from '../../support/mocha/chance.ts'
import { startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

const steps = amount(600, 150, 60)

/** A till that is at work, and its drawer while that is open. */
interface Desk {
  readonly till: Till
  drawer: number | null
}

describe(`twelve tills in ${steps} steps, cut off and back, with wrong clocks`, function () {
  this.timeout(60_000 + steps * 500)
  let world: TillWorld
  before(async () => {
    world = await startTills(2000)
  })
  after(() => world.close())

  const at = async <T>(till: Till, work: (tx: Tx, scope: OrderScope) => Promise<T>): Promise<T> => {
    const event = await eventBySlug(till.database, till.place.organizer, 'gala')
    assert.ok(event)
    return till.transactions.write((tx) => work(tx, { actor: till.actor, place: till.place, event }))
  }

  /** What is leased is used up, or has run out: then nothing is sold. */
  const unlessUsedUp = (cause: unknown): void => {
    if (!(cause instanceof LeasesUsedUp)) throw cause
  }

  async function step(desk: Desk, chance: () => number): Promise<void> {
    const { till, drawer } = desk
    const kind = chance()
    world.time.now += Math.round(chance() * 60_000)
    if (kind < 0.25) {
      await world.push(till, world.central, chance() < 0.4)
      return
    }
    if (drawer === null) {
      const training = chance() < 0.1
      desk.drawer = await at(till, (tx, scope) =>
        openDrawer(tx, scope, { name: till.name, float: '100.00', training }),
      )
    } else if (kind < 0.75) {
      const provider = chance() < 0.6 ? 'boxoffice' : 'cardterminal'
      const count = 1 + Math.floor(chance() * 4)
      await till.sell(world.item, count, { payment_provider: provider }).catch(unlessUsedUp)
    } else if (kind < 0.9) {
      const moved = (Math.floor(chance() * 8000) - 4000) / 100 || 1
      await at(till, (tx, scope) => moveCash(tx, scope, drawer, { amount: moved.toFixed(2), reason: 'Safe' }))
    } else {
      const counted = (Math.floor(chance() * 90_000) / 100).toFixed(2)
      await at(till, (tx, scope) => closeDrawer(tx, scope, drawer, { counted }))
      desk.drawer = null
    }
  }

  it('lose no receipt and no number, and every drawer has what its receipts come to', async () => {
    const chance = seeded(seed)
    const desks: Desk[] = []
    for (let number = 1; number <= 12; number += 1) {
      const till = await world.join(`till ${number}`)
      till.skew = Math.round((chance() - 0.5) * 7_200_000)
      await world.lease(till, 150)
      desks.push({ till, drawer: null })
    }
    for (let done = 0; done < steps; done += 1) {
      const desk = desks[Math.floor(chance() * desks.length)]
      assert.ok(desk)
      await step(desk, chance)
    }
    for (const { till } of desks) {
      await world.push(till)
      assert.deepEqual(
        (await till.waiting()).map(({ kind }) => kind),
        [],
      )
    }
    const { database, place } = world.central
    const here = await Promise.all(desks.map(({ till }) => findRows(till.database, receipt, place)))
    const there = await findRows(database, receipt, place)
    assert.deepEqual(
      there,
      here.flat().sort((a, b) => a.id - b.id),
    )
    assert.ok(there.length > steps / 4, `only ${there.length} receipts were written`)
    assert.deepEqual((await verifyTills(database)).problems, [])
    for (const row of await findRows(database, closing, place)) {
      const own = there.filter((one) => one.drawer === row.drawer)
      const isDifference = ({ lines }: (typeof own)[number]) =>
        lines.some(({ kind }) => kind === 'difference')
      const at = await findRow(database, drawer, place, { id: row.drawer })
      assert.ok(at)
      const sums = drawerSums(own.filter((one) => !isDifference(one)).map(contentOf), at)
      assert.equal(hundredths(row.expected), sums.expected_cash)
      assert.equal(hundredths(row.counted), drawerSums(own.map(contentOf), at).expected_cash)
    }
  })
})
