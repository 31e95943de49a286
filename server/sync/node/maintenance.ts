import { type Env, instantOf } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../clock/clock.ts'
import { reportAllAgain } from '../outbox/outbox.ts'
import { forgetGuests, wipe } from '../replica/retention.ts'
import { readUpstream, saveContact, saveState, type Upstream } from '../upstream/upstream.ts'
import { countAll } from './readiness.ts'
import type { SyncSession } from './session.ts'

/** What is done beside, and what it needs. */
interface MaintenanceParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly session: () => SyncSession | null
  readonly upstream: () => Upstream | null
  readonly isRenewing: () => boolean
  readonly renew: (reason: string) => void
  /** Reads the row anew after it was changed here. */
  readonly reread: () => Promise<Upstream | null>
  /** Ends all work with the upstream server. */
  readonly halt: () => Promise<void>
}

/** Work that nobody waits for, one thing at a time. */
export interface Maintenance {
  add(work: () => Promise<unknown>): void
  /** Of a device that was revoked, as soon as everything was reported: takes all data off this machine. */
  wipeIfReported(): void
  stop(): Promise<void>
}

const contactEvery = 60_000
const retentionEvery = 600_000

/** How often a revoked device asks whether everything is known upstream, until it gets an answer. */
const askEvery = 15_000

/** Notes contacts, keeps to the retention and wipes what may not be kept. */
export const startMaintenance = (parts: MaintenanceParts): Maintenance => new NodeMaintenance(parts)

class NodeMaintenance implements Maintenance {
  readonly #parts: MaintenanceParts
  readonly #database: Database
  readonly #timers = new Map<() => Promise<unknown>, () => void>()
  #isStopped = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: MaintenanceParts) {
    this.#parts = parts
    this.#database = parts.transactions.database
    this.#repeat(contactEvery, this.#noteContact)
    this.#repeat(retentionEvery, this.#keepToRetention)
  }

  add(work: () => Promise<unknown>): void {
    this.#last = this.#last
      .then(() => (this.#isStopped ? undefined : work()))
      .catch((cause: unknown) => {
        if (this.#isStopped) return
        const stack = cause instanceof Error ? cause.stack : String(cause)
        this.#parts.log.error('sync chore failed', { stack })
      })
  }

  wipeIfReported(): void {
    if (this.#parts.upstream()?.state === 'revoked') this.add(this.#wipeNow)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
    await this.#last
  }

  #repeat(every: number, work: () => Promise<unknown>): void {
    const cancel = this.#parts.env.after(every, () => {
      this.add(work)
      if (!this.#isStopped) this.#repeat(every, work)
    })
    this.#timers.set(work, cancel)
  }

  #later(milliseconds: number, work: () => Promise<unknown>): void {
    this.#timers.get(work)?.()
    if (this.#isStopped) return
    const cancel = this.#parts.env.after(milliseconds, () => this.add(work))
    this.#timers.set(work, cancel)
  }

  readonly #noteContact = async (): Promise<void> => {
    const { clock } = this.#parts
    const session = this.#parts.session()
    if (!session || session.link.state === 'alone') return
    const { completeAt = null } = session.pull ?? {}
    const contact = {
      at: clock.instant(),
      offset: clock.offset,
      uncertainty: clock.uncertainty,
      complete: completeAt === null ? null : instantOf(completeAt),
    }
    await this.#database.transaction((tx) => saveContact(tx, contact))
  }

  readonly #keepToRetention = async (): Promise<void> => {
    const { transactions, log, clock } = this.#parts
    if (this.#parts.upstream()?.state !== 'following' || this.#parts.isRenewing()) return
    const { cleared, back } = await forgetGuests(transactions, clock.now())
    if (cleared.length === 0 && !back) return
    log.info('guests of past events', { removed: cleared, back })
    const row = await this.#parts.reread()
    if (back) this.#parts.renew('an event is not over any more')
    else if (row) await this.#parts.session()?.follow(row)
  }

  readonly #wipeNow = async (): Promise<void> => {
    const { transactions, log } = this.#parts
    const database = this.#database
    if (this.#parts.upstream()?.state !== 'revoked') return
    if (!(await this.#isNoted()) || (await countAll(database)).waiting > 0) return
    // The upstream server may have been put back to before some of it was reported: nobody else could tell that any
    // more.
    const session = this.#parts.session()
    const known = (await session?.knownUpstream()) ?? 'unasked'
    if (known === 'unasked') return this.#later(askEvery, this.#wipeNow)
    if ((await countAll(database)).waiting > 0) return session?.push?.wake()
    await this.#parts.halt()
    await wipe(transactions)
    const row = await this.#parts.reread()
    log.warn('wiped', { device: row?.device })
  }

  /** Whether it is on the disk that the access was revoked; if not, it is from now on. */
  async #isNoted(): Promise<boolean> {
    const row = await readUpstream(this.#database)
    if (row?.state === 'revoked') return true
    // A server that answers no more does not say either that it was restored and has forgotten what was reported to
    // it.
    await this.#database.transaction(async (tx) => {
      await saveState(tx, 'revoked')
      await reportAllAgain(tx)
    })
    this.#parts.session()?.push?.wake()
    return false
  }
}
