import assert from 'node:assert/strict'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { Refusal } from '../../../server/errors.ts'
import { expireLeases } from '../../../server/services/quotas/lease-expiry.ts'
import { heldQuotas, leaseTime, readHolder, trustTime } from '../../../server/services/quotas/lease-holder.ts'
import { giveBackLeases } from '../../../server/services/quotas/leases.ts'
import { amount } from '../../support/mocha/amount.ts'
import { minutes, startTills, type Till, type TillWorld } from '../../support/ticketing/tills.ts'

/** One thing that happens, somewhere or to everybody. */
interface Step {
  readonly what:
    | 'lease'
    | 'sell'
    | 'risk'
    | 'web'
    | 'give back'
    | 'push'
    | 'pull'
    | 'replace'
    | 'time'
    | 'clock'
    | 'restart'
    | 'expire'
  readonly where: number
  readonly count: number
  readonly lost: boolean
}

const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(
      ...(['lease', 'lease', 'lease', 'sell', 'sell', 'sell', 'sell', 'risk', 'web', 'web'] as const),
      ...(['give back', 'push', 'push', 'pull', 'replace', 'time', 'clock', 'restart', 'expire'] as const),
    ),
    where: fc.nat(2),
    count: fc.integer({ min: 1, max: 6 }),
    lost: fc.boolean(),
  }),
  { minLength: 20, maxLength: 80, size: 'max' },
)

const size = 12
const permitted = 2

/** What a test knows by itself: how many were sold where, and what was reported after its lease had ended. */
interface Book {
  sold: number
  atRisk: number
  readonly late: Set<string>
}

/** The seller is told no, which changes nothing; anything else is a mistake. */
async function unlessRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (cause) {
    if (cause instanceof Refusal && [400, 409].includes(cause.status)) return false
    throw cause
  }
}

const countOf = (facts: readonly { lease: number; count: number }[]): number =>
  facts.reduce((sum, { count }) => sum + count, 0)

/** A hub with a till below it, and a till that is below central by itself. */
async function carryOut(world: TillWorld, plan: readonly Step[]): Promise<Book> {
  const settings = { sell_at_risk: permitted }
  const hub = await world.join('hub', world.central, settings)
  const tills = [
    hub,
    await world.join('inner', hub, settings),
    await world.join('outer', world.central, settings),
  ]
  const upstreamOf = (till: Till): Till => (till.name === 'inner' ? hub : world.central)
  const book: Book = { sold: 0, atRisk: 0, late: new Set() }

  async function meet(till: Till): Promise<void> {
    till.offset = -till.skew
    await till.transactions.write(trustTime)
  }

  async function push(till: Till, lost: boolean): Promise<void> {
    await meet(till)
    const upstream = upstreamOf(till)
    const ended = new Set(
      (await upstream.leases()).flatMap(({ id, state }) => (state === 'expired' ? [id] : [])),
    )
    const parents = new Map((await upstream.leases()).map(({ id, parent }) => [id, parent]))
    for (const { nonce, kind, payload } of await till.waiting()) {
      const { leases = [] } = JSON.parse(payload) as { leases?: { lease: number; parent: number | null }[] }
      const chain = leases.flatMap(({ lease, parent }) => [lease, parent ?? parents.get(lease) ?? 0])
      if (kind === 'order' && chain.some((id) => ended.has(id))) book.late.add(`${nonce} ${payload}`)
    }
    await world.push(till, upstream, lost)
  }

  async function sell(till: Till, count: number, force: boolean): Promise<void> {
    const seen = (await till.waiting()).length
    if (!(await unlessRefused(till.sell(world.item, count, force ? { force: true } : {})))) return
    book.sold += count
    const [fact] = (await till.waiting()).slice(seen)
    const { risks, leases } = JSON.parse(fact?.payload ?? '')
    assert.equal(countOf(risks) + countOf(leases), count)
    assert.ok(force || risks.length === 0)
    book.atRisk += countOf(risks)
  }

  async function step({ what, where, count, lost }: Step): Promise<void> {
    const till = tills[where % tills.length] ?? hub
    const upstream = upstreamOf(till)
    switch (what) {
      case 'lease':
        await meet(till)
        await unlessRefused(world.lease(till, count, { upstream, lost }))
        return
      case 'sell':
        return sell(till, count, false)
      case 'risk':
        return sell(till, count, true)
      case 'web':
        if (await unlessRefused(world.central.sell(world.item, count))) book.sold += count
        return
      case 'give back':
        await till.transactions.write(async (tx) => {
          const holder = await readHolder(tx)
          if (holder) await giveBackLeases(tx, till.actor, await heldQuotas(tx, holder))
        })
        return
      case 'push':
        return push(till, lost)
      case 'pull':
        return world.pull(till, upstream)
      case 'replace':
        await world.pull(till, upstream)
        await till.database.run(sql`DELETE FROM lease_ledger`)
        return
      case 'time':
        world.time.now += minutes(count * 25)
        return
      case 'clock':
        till.skew = minutes((lost ? -1 : 1) * count * 60)
        return
      case 'restart':
        till.skew = -(till.offset ?? 0)
        await till.database.run(sql`UPDATE lease_clock SET boot = 'before'`)
        await till.transactions.write(leaseTime)
        return
      case 'expire':
        await expireLeases(world.central.transactions)
        await expireLeases(hub.transactions)
    }
  }

  for (const one of plan) await step(one)
  const [, inner, outer] = tills
  for (const till of [inner, outer, hub]) if (till) await push(till, false)
  return book
}

const positionsIn = (late: ReadonlySet<string>): number =>
  [...late].reduce((sum, text) => sum + JSON.parse(text.slice(text.indexOf('{'))).positions.length, 0)

describe('selling offline, whatever happens in whatever order', () => {
  it('never sells more than there is, but for what was permitted at risk or reported after its time', async () => {
    let overselling = 0
    let offline = 0
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const world = await startTills(size)
        try {
          const book = await carryOut(world, plan)
          const sold = await world.sold()
          assert.equal(sold, book.sold, 'nothing that was sold is lost or counted twice')
          const late = positionsIn(book.late)
          assert.ok(sold <= size + book.atRisk + late, `${sold} sold, ${book.atRisk} at risk, ${late} late`)
          const reported = (await world.conflicts()).filter(({ kind }) => kind === 'oversold_quota')
          assert.equal(reported.length > 0, sold > size, 'who is one too many is said, and only then')
          assert.ok(
            (await world.central.leases()).every(
              ({ used, size: given, state }) => state === 'expired' || used <= given + late,
            ),
          )
          if (sold > size) overselling += 1
          offline += book.sold
        } finally {
          await world.close()
        }
      }),
      { numRuns: amount(40, 20) },
    )
    assert.ok(offline > 40, `only ${offline} were sold`)
    assert.ok(overselling > 0, 'no run has come to the limit')
  }).timeout(300_000)
})
