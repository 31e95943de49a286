import sql, { join } from 'sql-template-tag'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Transactions } from '../resource/transactions.ts'
import { annul } from '../services/checkin/annul.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { actorOf, chosenLists, type StationSettings } from '../services/devices/station-settings.ts'

/** Undoes what is admitted upstream after the door has refused it, however late that becomes known here. */
interface LateAnswers {
  /** Remembers a scan that was refused here while upstream had been asked: whatever it answers later, nobody went in. */
  expect(nonce: string, settings: StationSettings): void
  /** Undoes the check-in of a scan that is remembered. */
  undo(nonce: string, admitted: LateAdmission): void
}

/** What upstream has made of a scan; the id of the check-in is 0 where it is not known. */
export interface LateAdmission {
  readonly checkin: number
  readonly event: number
}

interface Unanswered {
  readonly settings: StationSettings
  readonly since: number
}

/** After this time nothing comes any more. */
const forgetAfter = 15 * 60_000

const explanation = 'the answer came too late: nobody was admitted'

/** Watches for check-ins upstream of scans that were refused here. */
export function watchLateAnswers(transactions: Transactions, env: Env): LateAnswers {
  const unanswered = new Map<string, Unanswered>()

  async function undo(nonce: string, admitted: LateAdmission): Promise<void> {
    const one = unanswered.get(nonce)
    if (one && unanswered.delete(nonce))
      await undoUpstream(transactions, one.settings, { nonce, ...admitted })
  }

  /** The answer was lost on its way, and what it said comes with the changes. */
  async function look(): Promise<void> {
    const nonces = [...unanswered.keys()]
    const found = await transactions.database.all<{ id: number; event: number; nonce: string }>(
      sql`SELECT id, event, nonce FROM checkin WHERE nonce IN (${join(nonces)}) AND successful = 1`,
    )
    for (const { id: checkin, event, nonce } of found) await undo(nonce, { checkin, event })
  }

  transactions.onCommit((changes) => {
    if (unanswered.size > 0 && changes.some(({ resource }) => resource === 'checkin'))
      // The next change looks again.
      void look().catch(() => undefined)
  })

  return {
    expect(nonce, settings) {
      const since = env.elapsed()
      for (const [key, one] of unanswered) if (since - one.since >= forgetAfter) unanswered.delete(key)
      unanswered.set(nonce, { settings, since })
    },
    undo(nonce, admitted) {
      void undo(nonce, admitted).catch(() => undefined)
    },
  }
}

const undoUpstream = (
  transactions: Transactions,
  settings: StationSettings,
  { nonce, checkin, event }: LateAdmission & { readonly nonce: string },
): Promise<void> =>
  transactions.write(async (tx) => {
    const { organizer, device } = settings
    const lists = await listsById(tx, organizer, chosenLists(settings))
    try {
      await annul(tx, { actor: actorOf(settings), organizer, lists, nonce, at: null, explanation })
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      // It has not come here, so only upstream can undo it.
      const payload = { checkin, nonce, at: tx.now, explanation }
      tx.fact({ organizer, event }, device, { kind: 'annulment', payload })
    }
  })
