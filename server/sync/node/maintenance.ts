import { type Env, instantOf } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Clock } from '../clock/clock.ts'
import { reportAllAgain } from '../outbox/outbox.ts'
import { forgetGuests, wipe } from '../replica/retention.ts'
import { readUpstream, saveContact, saveState, type Upstream } from '../upstream/upstream.ts'
import { countAll } from './readiness.ts'
import type { Session } from './session.ts'

/** What is done beside, and what it needs. */
export interface MaintenanceParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly session: () => Session | null
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
export function startMaintenance(parts: MaintenanceParts): Maintenance {
  const { transactions, env, log, clock } = parts
  const { database } = transactions
  const timers = new Map<() => Promise<unknown>, () => void>()
  let isStopped = false
  let last: Promise<unknown> = Promise.resolve()

  function add(work: () => Promise<unknown>): void {
    last = last
      .then(() => (isStopped ? undefined : work()))
      .catch((cause: unknown) => {
        if (!isStopped)
          log.error('sync chore failed', { stack: cause instanceof Error ? cause.stack : String(cause) })
      })
  }

  function repeat(every: number, work: () => Promise<unknown>): void {
    timers.set(
      work,
      env.after(every, () => {
        add(work)
        if (!isStopped) repeat(every, work)
      }),
    )
  }

  function later(milliseconds: number, work: () => Promise<unknown>): void {
    timers.get(work)?.()
    if (!isStopped)
      timers.set(
        work,
        env.after(milliseconds, () => add(work)),
      )
  }

  async function noteContact(): Promise<void> {
    const session = parts.session()
    if (!session || session.link.state === 'alone') return
    const { completeAt = null } = session.pull ?? {}
    const contact = {
      at: clock.instant(),
      offset: clock.offset,
      uncertainty: clock.uncertainty,
      complete: completeAt === null ? null : instantOf(completeAt),
    }
    await database.transaction((tx) => saveContact(tx, contact))
  }

  async function keepToRetention(): Promise<void> {
    if (parts.upstream()?.state !== 'following' || parts.isRenewing()) return
    const { cleared, back } = await forgetGuests(transactions, clock.now())
    if (cleared.length === 0 && !back) return
    log.info('guests of past events', { removed: cleared, back })
    const row = await parts.reread()
    if (back) parts.renew('an event is not over any more')
    else if (row) await parts.session()?.follow(row)
  }

  /** Whether it is on the disk that the access was revoked; if not, it is from now on. */
  async function isNoted(): Promise<boolean> {
    const row = await readUpstream(database)
    if (row?.state === 'revoked') return true
    // A server that answers no more does not say either that it was restored and has forgotten what it was told.
    await database.transaction(async (tx) => {
      await saveState(tx, 'revoked')
      await reportAllAgain(tx)
    })
    parts.session()?.push?.wake()
    return false
  }

  async function wipeNow(): Promise<void> {
    if (parts.upstream()?.state !== 'revoked') return
    if (!(await isNoted()) || (await countAll(database)).waiting > 0) return
    // The upstream server may have been put back to before it was told some of it: nobody else could tell that any
    // more.
    const session = parts.session()
    const known = (await session?.knownUpstream()) ?? 'unasked'
    if (known === 'unasked') return later(askEvery, wipeNow)
    if ((await countAll(database)).waiting > 0) return session?.push?.wake()
    await parts.halt()
    await wipe(transactions)
    const row = await parts.reread()
    log.warn('wiped', { device: row?.device })
  }

  repeat(contactEvery, noteContact)
  repeat(retentionEvery, keepToRetention)
  return {
    add,
    wipeIfReported() {
      if (parts.upstream()?.state === 'revoked') add(wipeNow)
    },
    async stop() {
      isStopped = true
      for (const cancel of timers.values()) cancel()
      await last
    },
  }
}
