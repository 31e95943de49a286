import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Transactions } from '../../resource/transactions.ts'
import { keepGranted, keepLease, leaseTasks, missingOf } from '../../services/quotas/lease-demand.ts'
import {
  heldQuotas,
  type LeaseHolder,
  leaseTime,
  readHolder,
  trustTime,
} from '../../services/quotas/lease-holder.ts'
import { leaseIdFor, leasesWhere, oneOf, type StoredLease } from '../../services/quotas/lease-rows.ts'
import type { Need } from '../../services/quotas/lease-sales.ts'
import { giveBackLeases } from '../../services/quotas/leases.ts'
import type { Link } from '../upstream/link.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'

/** What keeping leases needs of the node. */
interface LeaseParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly client: Pick<UpstreamClient, 'post'>
  readonly link: Pick<Link, 'state' | 'onChange'>
}

/** Keeps what a node may sell without asking topped up while the upstream server can be asked. */
export interface LeaseKeeper {
  /** Asks for what a sale needs and is not at hand; whether more came, or enough is there by now. */
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

/** How long nothing is asked for after everything was given back, in milliseconds: time to report it and to leave. */
const quiet = 5 * 60_000

/** Starts keeping leases; does nothing where nobody is upstream or the node does not sell. */
export const startLeases = (parts: LeaseParts): LeaseKeeper => new ReplenishedLeases(parts)

class ReplenishedLeases implements LeaseKeeper {
  readonly #parts: LeaseParts
  readonly #transactions: Transactions
  /** Under which nonce each quota was asked for last, as long as no answer came: asked again, it is the same lease. */
  readonly #asked = new Map<number, string>()
  readonly #stopListening: readonly (() => void)[]
  #isStopped = false
  /** Until then nothing is asked for, by the clock that never goes back: the node is about to leave. */
  #quietUntil = Number.NEGATIVE_INFINITY
  #cancel = (): void => {}
  #working: Promise<void> | undefined
  /** Whether something was sold since the last look began, which that one may have missed. */
  #isSaleUnseen = false

  constructor(parts: LeaseParts) {
    this.#parts = parts
    this.#transactions = parts.transactions
    const { link } = parts
    this.#stopListening = [
      parts.transactions.onCommit((changes) => {
        if (this.#isStopped || !changes.some(({ resource }) => resource === 'order')) return
        if (this.#working === undefined) this.#plan(afterSale)
        else this.#isSaleUnseen = true
      }),
      link.onChange(() => {
        const isIdle = !this.#isStopped && this.#working === undefined
        if (isIdle && link.state !== 'alone' && this.#asked.size > 0) this.#plan(afterSale)
      }),
    ]
    this.#plan(afterSale)
  }

  async provide(place: Place, needs: readonly Need[]): Promise<boolean> {
    const holder = await readHolder(this.#transactions.database)
    if (!holder || this.#parts.link.state === 'alone' || this.#isStopped) return false
    const missing = () => this.#transactions.write((tx) => missingOf(tx, holder, needs))
    let came = false
    for (const need of await missing()) came = (await this.#ask(holder, place, need, atTheTill)) || came
    // What the background has asked for may have come since the sale was refused.
    return came || (await missing()).length === 0
  }

  keep(): Promise<void> {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
    })
    return this.#working
  }

  async giveBack(): Promise<number> {
    this.#quietUntil = this.#parts.env.elapsed() + quiet
    await this.#working
    return this.#transactions.write(async (tx) => {
      const holder = await readHolder(tx)
      return holder ? giveBackLeases(tx, actorOf(holder), await heldQuotas(tx, holder)) : 0
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    for (const stop of this.#stopListening) stop()
    await this.#working
  }

  get #isQuiet(): boolean {
    return this.#parts.env.elapsed() < this.#quietUntil
  }

  #plan(milliseconds: number): void {
    this.#cancel()
    this.#cancel = this.#parts.env.after(milliseconds, () => void this.keep())
  }

  async #work(): Promise<void> {
    this.#cancel()
    this.#isSaleUnseen = false
    try {
      await this.#look()
    } catch (cause) {
      const stack = cause instanceof Error ? cause.stack : String(cause)
      this.#parts.log.error('leases not kept', { stack })
    }
    if (!this.#isStopped) this.#plan(this.#isSaleUnseen ? afterSale : every)
  }

  async #look(): Promise<void> {
    const holder = await readHolder(this.#transactions.database)
    if (!holder || holder.settings.sell_quotas === 'none' || this.#isQuiet) return
    if (this.#parts.link.state === 'alone') {
      await this.#transactions.write((tx) => leaseTime(tx))
      return
    }
    const tasks = await this.#transactions.write(async (tx) => {
      await trustTime(tx)
      return leaseTasks(tx, holder)
    })
    for (const task of tasks) {
      if (this.#isStopped || this.#isQuiet) return
      if (task.kind === 'prolong') await this.#prolong(holder, task.lease)
      else await this.#ask(holder, task.place, { quota: task.quota, count: task.size }, patience)
    }
  }

  /** Asks for part of a quota; whether something came. */
  async #ask(holder: LeaseHolder, place: Place, need: Need, within: number): Promise<boolean> {
    const { client, log } = this.#parts
    const nonce = await this.#nonceFor(holder, need.quota)
    const body = { event: place.event, quota: need.quota, size: need.count, nonce }
    const answer = await client.post<StoredLease>('sync/leases/', body, { within })
    if (answer.kind !== 'ok') {
      // Whoever answered has given nothing; of a silent one that is not sure.
      if (answer.kind === 'refused' || answer.kind === 'busy' || answer.kind === 'denied')
        this.#asked.delete(need.quota)
      if (answer.kind !== 'unreachable' && answer.kind !== 'timeout')
        log.info('no lease', { quota: need.quota, why: answer.detail })
      return false
    }
    this.#asked.delete(need.quota)
    return this.#transactions.write((tx) => keepGranted(tx, { ...answer.body, ...place }))
  }

  async #nonceFor(holder: LeaseHolder, quota: number): Promise<string> {
    const last = this.#asked.get(quota)
    if (last !== undefined) {
      const id = leaseIdFor(holder.device, last)
      const [here] = await leasesWhere(this.#transactions.database, holder.organizer, oneOf([id]))
      if (!here) return last
    }
    const fresh = this.#parts.env.uuid()
    this.#asked.set(quota, fresh)
    return fresh
  }

  async #prolong(holder: LeaseHolder, lease: number): Promise<void> {
    const path = `sync/leases/${lease}/prolong/`
    const answer = await this.#parts.client.post<StoredLease>(path, {}, { within: patience })
    if (answer.kind !== 'ok') return
    const [known] = await leasesWhere(this.#transactions.database, holder.organizer, oneOf([lease]))
    if (known) await this.#transactions.write((tx) => keepLease(tx, { ...known, until: answer.body.until }))
  }
}

/** The node itself, for the audit trail. */
const actorOf = ({ organizer, device }: LeaseHolder): Actor => ({
  kind: 'device',
  id: device,
  name: '',
  organizer,
  permissions: new Set(),
  allEvents: true,
  events: new Set(),
  device: { id: device, gate: null, profile: 'full' },
})
