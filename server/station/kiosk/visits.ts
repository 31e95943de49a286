import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import {
  deskCodeLength,
  type KioskPrint,
  type KioskPrints,
  type NamePart,
} from '../../../schema/bodies/kiosk.ts'
import { fullName } from '../../domain/text/names.ts'
import type { Env } from '../../env.ts'
import { notFound } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import { actorOf, eventOfTicket, type StationSettings } from '../../services/devices/station-settings.ts'
import { eventById } from '../../services/events/events.ts'
import {
  correctableName,
  correctedName,
  type StoredName,
  storeAttendeeName,
} from '../../services/order-actions/name-correction.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import { printJob, type QueuedPrint } from '../../services/printing/print-jobs.ts'
import type { Queryable } from '../../storage/database.ts'
import { storeForVisit, type VisitPrint } from '../printing/new-prints.ts'
import type { KioskPrinting } from './kiosk-printing.ts'

/** A guest who was let in, and what is printed for them; null where that is not stored yet. */
interface Visit {
  readonly position: number
  readonly since: number
  /** The same for readings of a code that were answered as one. */
  readonly reading: string
  prints: readonly VisitPrint[] | null
}

interface VisitParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly printing: KioskPrinting
}

/** A guest who was let in, by the nonce of their check-in and of the reading that was decided. */
interface Admitted {
  readonly nonce: string
  readonly reading: string
  readonly position: number
}

/** The guests who were let in here a moment ago, and what is printed for them. */
export interface Visits {
  begin(admitted: Admitted): void
  /** What of the name on the ticket the guest may correct before anything is printed. */
  name(settings: StationSettings, nonce: string): Promise<readonly NamePart[]>
  /** Has printed what comes with the ticket, with the name as it is given; said again, it is printed once. */
  print(settings: StationSettings, nonce: string, name?: StoredName): Promise<KioskPrints>
  /** What has become of it; what no printer takes is given up. Throws 404 for a visit that is too long ago. */
  look(settings: StationSettings, nonce: string): Promise<KioskPrints>
}

/** So long what was printed for a guest can be asked for, in milliseconds. */
const visitLasts = 10 * 60_000

/** Keeps them in memory: a screen that is loaded anew waits for the next guest. */
export function openVisits({ transactions, env, log, printing }: VisitParts): Visits {
  const { database } = transactions
  const visits = new Map<string, Visit>()

  const known = (nonce: string): Visit => {
    const visit = visits.get(nonce)
    if (!visit) throw notFound()
    return visit
  }

  async function stateOf({ organizer }: StationSettings, { document, job: id }: VisitPrint) {
    if (id === null) return { document, state: 'earlier' as const }
    const job = await printJob(database, { organizer, id })
    return { document, state: shownState(job && (await printing.settle(job))) }
  }

  async function shown(settings: StationSettings, visit: Visit): Promise<KioskPrints> {
    const { organizer } = settings
    const ticket = await database.get<{ code: string }>(
      sql`SELECT pseudonymization_id AS code FROM order_position
          WHERE organizer = ${organizer} AND id = ${visit.position}`,
    )
    const results: KioskPrint[] = await Promise.all((visit.prints ?? []).map((one) => stateOf(settings, one)))
    const code = results.length > 0 ? (ticket?.code.slice(0, deskCodeLength) ?? '') : ''
    return { results, code }
  }

  return {
    begin({ nonce, reading, position }) {
      const now = env.elapsed()
      for (const [key, { since }] of visits) if (now - since > visitLasts) visits.delete(key)
      const mark = createHash('sha256').update(reading).digest('hex').slice(0, 16)
      visits.set(nonce, { position, since: now, reading: mark, prints: null })
    },
    async name(settings, nonce) {
      const { position } = known(nonce)
      const id = await eventOfTicket(database, settings, position)
      const event = await eventById(database, settings.organizer, id)
      if (!event?.settings.kiosk_name_correction) return []
      return correctableName(await storedName(database, settings, position), event.nameScheme)
    },
    async print(settings, nonce, name) {
      const visit = known(nonce)
      const { position, reading } = visit
      if (visit.prints === null) {
        if (name) await transactions.write((tx) => correctName(tx, settings, position, name))
        try {
          visit.prints = await transactions.write((tx) =>
            storeForVisit(tx, settings, { position, visit: reading }),
          )
        } catch (cause) {
          // The guest is in, and is helped at the desk.
          log.error('not printed', { cause: String(cause) })
          visit.prints = (settings.printing?.at_entry ?? []).map((document) => ({ document, job: '' }))
        }
        printing.wake()
      }
      return shown(settings, visit)
    },
    look: (settings, nonce) => shown(settings, known(nonce)),
  }
}

async function storedName(
  db: Queryable,
  { organizer }: StationSettings,
  position: number,
): Promise<StoredName> {
  const row = await db.get<{ parts: string | null }>(
    sql`SELECT attendee_name_parts AS parts FROM order_position WHERE organizer = ${organizer} AND id = ${position}`,
  )
  return JSON.parse(row?.parts ?? '{}')
}

/** Stores the name that a guest has corrected, where they may, and reports it as it was and is. */
async function correctName(tx: Tx, settings: StationSettings, id: number, given: StoredName): Promise<void> {
  const { organizer } = settings
  const eventId = await eventOfTicket(tx, settings, id)
  const event = await eventById(tx, organizer, eventId)
  if (!event?.settings.kiosk_name_correction) return
  const place = { organizer, event: eventId }
  const before = await storedName(tx, settings, id)
  const parts = correctedName(before, given, event.nameScheme)
  const names = [before, parts].map((one) => fullName(one, event.nameScheme))
  if (names[0] === names[1]) return
  await storeAttendeeName(tx, { actor: actorOf(settings), place }, id, parts)
  const { secret } = (await lockPosition(tx, place, id)).position
  tx.fact(place, settings.device, { kind: 'attendee_name', payload: { position: id, secret, before, parts } })
}

function shownState(job: QueuedPrint | undefined): KioskPrint['state'] {
  switch (job?.state) {
    case 'waiting':
    case 'sending':
      return 'printing'
    case 'sent':
    case 'printed':
      return 'printed'
    default:
      return 'failed'
  }
}
