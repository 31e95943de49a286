import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Transactions } from '../../resource/transactions.ts'
import { keepGranted, keepLease, leaseTasks, missingOf } from '../../services/quotas/lease-demand.ts'
import { type Holder, heldQuotas, readHolder } from '../../services/quotas/lease-holder.ts'
import { leaseIdFor, leasesWhere, oneOf, type StoredLease } from '../../services/quotas/lease-rows.ts'
import type { Need } from '../../services/quotas/lease-sales.ts'
import { leaseTime, trustTime } from '../../services/quotas/lease-time.ts'
import { giveBackLeases } from '../../services/quotas/leases.ts'
import type { Link } from '../upstream/link.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'

/** What keeping leases needs of the node. */
export interface LeaseParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly client: Pick<UpstreamClient, 'post'>
  readonly link: Pick<Link, 'state' | 'onChange'>
}

/** Keeps what a node may sell without asking topped up while the upstream server can be asked. */
export interface LeaseKeeper {
  /** Asks for what a sale needs and is not at hand; whether more came. */
  provide(place: Place, needs: readonly Need[]): Promise<boolean>
  /** Looks now whether something has to be asked for. */
  keep(): Promise<void>
  /** Gives back what is left, to be reported with the other facts: nothing more is sold from it. How many leases. */
  giveBack(): Promise<number>
  stop(): Promise<void>
}

/** How often is looked, and how soon after a sale, in milliseconds. */
const every = 20_000
const afterSale = 1500

/** How long an answer may take: in the background, and while a customer waits. */
const patience = 10_000
const atTheTill = 3000

/** How long nothing is asked for after everything was given back, in milliseconds: time to tell it and to leave. */
const quiet = 5 * 60_000

/** Starts keeping leases; does nothing where nobody is upstream or the node does not sell. */
export function startLeases({ transactions, env, log, client, link }: LeaseParts): LeaseKeeper {
  /** Under which nonce each quota was asked for last, as long as no answer came: asked again, it is the same lease. */
  const asked = new Map<number, string>()
  let isStopped = false
  /** Until then nothing is asked for, by the clock that never goes back: the node is about to leave. */
  let quietUntil = Number.NEGATIVE_INFINITY
  let cancel = (): void => {}
  let working: Promise<void> | undefined
  /** Whether something was sold since the last look began, which that one may have missed. */
  let isSaleUnseen = false

  const isQuiet = (): boolean => env.elapsed() < quietUntil

  async function nonceFor(holder: Holder, quota: number): Promise<string> {
    const last = asked.get(quota)
    if (last !== undefined) {
      const id = leaseIdFor(holder.device, last)
      const [here] = await leasesWhere(transactions.database, holder.organizer, oneOf([id]))
      if (!here) return last
    }
    const fresh = env.uuid()
    asked.set(quota, fresh)
    return fresh
  }

  /** Asks for part of a quota; whether something came. */
  async function ask(holder: Holder, place: Place, need: Need, within: number): Promise<boolean> {
    const nonce = await nonceFor(holder, need.quota)
    const body = { event: place.event, quota: need.quota, size: need.count, nonce }
    const answer = await client.post<StoredLease>('sync/leases/', body, { within })
    if (answer.kind !== 'ok') {
      // Whoever answered has given nothing; of a silent one that is not sure.
      if (answer.kind === 'refused' || answer.kind === 'busy' || answer.kind === 'denied')
        asked.delete(need.quota)
      if (answer.kind !== 'unreachable' && answer.kind !== 'timeout')
        log.info('no lease', { quota: need.quota, why: answer.detail })
      return false
    }
    asked.delete(need.quota)
    return transactions.write((tx) => keepGranted(tx, { ...answer.body, ...place }))
  }

  async function prolong(holder: Holder, lease: number): Promise<void> {
    const answer = await client.post<StoredLease>(`sync/leases/${lease}/prolong/`, {}, { within: patience })
    if (answer.kind !== 'ok') return
    const [known] = await leasesWhere(transactions.database, holder.organizer, oneOf([lease]))
    if (known) await transactions.write((tx) => keepLease(tx, { ...known, until: answer.body.until }))
  }

  async function look(): Promise<void> {
    const holder = await readHolder(transactions.database)
    if (!holder || holder.settings.sell_quotas === 'none' || isQuiet()) return
    if (link.state === 'alone') {
      await transactions.write((tx) => leaseTime(tx))
      return
    }
    const tasks = await transactions.write(async (tx) => {
      await trustTime(tx)
      return leaseTasks(tx, holder)
    })
    for (const task of tasks) {
      if (isStopped || isQuiet()) return
      if (task.kind === 'prolong') await prolong(holder, task.lease)
      else await ask(holder, task.place, { quota: task.quota, count: task.size }, patience)
    }
  }

  async function work(): Promise<void> {
    cancel()
    isSaleUnseen = false
    try {
      await look()
    } catch (cause) {
      log.error('leases not kept', { stack: cause instanceof Error ? cause.stack : String(cause) })
    }
    if (!isStopped) plan(isSaleUnseen ? afterSale : every)
  }

  function keep(): Promise<void> {
    working ??= work().finally(() => {
      working = undefined
    })
    return working
  }

  function plan(milliseconds: number): void {
    cancel()
    cancel = env.after(milliseconds, () => void keep())
  }

  const unlisten = transactions.onCommit((changes) => {
    if (isStopped || !changes.some(({ resource }) => resource === 'order')) return
    if (working === undefined) plan(afterSale)
    else isSaleUnseen = true
  })
  const unfollow = link.onChange(() => {
    if (!isStopped && working === undefined && link.state !== 'alone' && asked.size > 0) plan(afterSale)
  })
  plan(afterSale)

  return {
    async provide(place, needs) {
      const holder = await readHolder(transactions.database)
      if (!holder || link.state === 'alone' || isStopped) return false
      const missing = await transactions.write((tx) => missingOf(tx, holder, needs))
      let came = false
      for (const need of missing) came = (await ask(holder, place, need, atTheTill)) || came
      return came
    },
    keep,
    async giveBack() {
      quietUntil = env.elapsed() + quiet
      await working
      return transactions.write(async (tx) => {
        const holder = await readHolder(tx)
        return holder ? giveBackLeases(tx, actorOf(holder), await heldQuotas(tx, holder)) : 0
      })
    },
    async stop() {
      isStopped = true
      cancel()
      unlisten()
      unfollow()
      await working
    },
  }
}

/** The node itself, for the audit trail. */
const actorOf = ({ organizer, device }: Holder): Actor => ({
  kind: 'device',
  id: device,
  name: '',
  organizer,
  permissions: new Set(),
  allEvents: true,
  events: new Set(),
  device: { id: device, gate: null, profile: 'full' },
})
