import type { ShownTicket } from '../../../schema/bodies/guests.ts'
import type { Decision } from '../../domain/checkin/checkin.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { ListAt } from '../../services/checkin/checkin-lists.ts'
import { foresee } from '../../services/checkin/redeem.ts'
import { actorOf, type StationSettings } from '../../services/devices/station-settings.ts'

/** A station that looks at a guest: what it is set up for, and when. */
export interface Looking {
  readonly transactions: Transactions
  readonly settings: StationSettings
  readonly lists: readonly [ListAt, ...ListAt[]]
  /** In stored form. */
  readonly now: string
}

/** What would become of a ticket if it were scanned at the station now; nothing is recorded. */
export async function outlookOf(
  { transactions, settings, lists }: Looking,
  { id, secret }: { readonly id: number; readonly secret: string },
): Promise<ShownTicket['outlook']> {
  const input = {
    ...{ code: secret, position: id, type: settings.direction, at: null, nonce: null, answers: {} },
    ...{ force: false, ignore_unpaid: false, questions_supported: true, canceled_supported: true },
    ...{ source_type: 'barcode', use_order_locale: false, language: settings.locale },
  }
  const request = {
    actor: actorOf(settings),
    organizer: settings.organizer,
    lists,
    input,
  } as const
  // Each in a turn of its own, so that scans are decided in between.
  return outlookIn(await transactions.write((tx) => foresee(tx, request)))
}

function outlookIn(decision: Decision): ShownTicket['outlook'] {
  switch (decision.outcome) {
    case 'admit':
      return { status: 'ok', reason: null, reason_explanation: null }
    case 'incomplete':
      return { status: 'incomplete', reason: null, reason_explanation: null }
    case 'refuse':
      return { status: 'error', reason: decision.reason, reason_explanation: decision.explanation }
  }
}
