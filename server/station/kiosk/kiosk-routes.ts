import sql from 'sql-template-tag'
import {
  stationKiosk,
  stationKioskFind,
  stationKioskPrint,
  stationKioskScan,
  stationKioskUnlock,
  stationKioskVisit,
} from '../../../schema/actions/station.ts'
import type { ShownKiosk } from '../../../schema/bodies/kiosk.ts'
import { usualPrimaryColor } from '../../../schema/event-settings.ts'
import type { Multilingual } from '../../../schema/multilingual.ts'
import type { LinkStatus } from '../../../schema/station-link.ts'
import { mayDo } from '../../domain/accounts/staff.ts'
import { type Env, instantOf } from '../../env.ts'
import { impossible, Refusal } from '../../errors.ts'
import type { Live } from '../../http/live.ts'
import type { Log } from '../../log.ts'
import { serveRaw, serveRead } from '../../resource/endpoints.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { verifyPassword } from '../../services/accounts/passwords.ts'
import { staffFor } from '../../services/accounts/staff-sign-in.ts'
import { actorOf, type StationSettings, stationSettings } from '../../services/devices/station-settings.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Sync } from '../../sync/node/sync.ts'
import type { Intake } from '../intake.ts'
import type { StationPrinting } from '../printing/station-printing.ts'
import type { StationRouter } from '../station-router.ts'
import { listsOfStation } from '../station-state.ts'
import { type GuestSearch, openGuestSearch } from './guest-search.ts'
import { guestView } from './guest-view.ts'
import { byGravity, clearFaults, keptFaults, linkFaults } from './kiosk-fault.ts'
import { openKioskPrinting } from './kiosk-printing.ts'
import { countMisses } from './misses.ts'
import { openVisits, type Visits } from './visits.ts'

/** What a kiosk needs. */
interface KioskParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly live: Live
  readonly intake: Intake
  readonly printing: StationPrinting
  readonly sync?: Sync
  /** Aborted when this copy of the data is about to be closed. */
  readonly stopping?: AbortSignal
}

const wrongPins = { free: 5, within: 15 * 60_000, wait: 60_000 }

/** Serves the screen of a kiosk, where guests help themselves: it is given what their ticket proves, and nothing else. */
export function serveKiosk(own: StationRouter, parts: KioskParts): void {
  const { transactions, env, live, intake, sync } = parts
  const { database } = transactions
  const changed = (): void => void live.publish('kiosk', {})
  const printing = openKioskPrinting({ ...parts, changed })
  live.onClose(() => printing.stop())
  parts.stopping?.addEventListener('abort', () => printing.stop(), { once: true })
  const visits = openVisits({ ...parts, printing })
  const search = openGuestSearch({ db: database, env, ...(sync ? { sync } : {}) })
  const pins = countMisses(env, wrongPins)

  serveRead(own, stationKiosk, (_, db) =>
    shownKiosk(db, { env, search, link: async () => (sync ? sync.status() : null) }),
  )

  serveRaw(own, stationKioskFind, async ({ body }) => {
    const settings = await stationSettings(database)
    const lists = await listsOfStation(database)
    if (!settings || lists.length === 0) throw new Refusal(409, { detail: 'This station is not set up.' })
    return search.find(settings, lists, body)
  })

  serveVisits(own, { transactions, search, intake, visits })

  serveRaw(own, stationKioskUnlock, async ({ body: { pin, exit_pin } }) => {
    if (exit_pin !== 'right') {
      const wait = pins.wait()
      if (wait > 0) throw new Refusal(429, { detail: `Try again in ${wait} seconds.`, wait })
      const settings = await stationSettings(database)
      const staff = settings ? await supervisors(database, settings, instantOf(env.now())) : []
      const isOpen = staff.length === 0 && exit_pin === 'none'
      // Counted before the slow part, so that many tries at once are not many for the price of one.
      if (!isOpen) pins.missed()
      const hits = await Promise.all(staff.map(({ pin_hash }) => verifyPassword(pin, pin_hash ?? '')))
      if (!isOpen && !hits.includes(true))
        throw new Refusal(400, { detail: 'This is not right.', reason: 'wrong_pin' })
    }
    pins.forget()
    await transactions.write(clearFaults)
    return { status: 'ok' }
  })
}

interface VisitParts {
  readonly transactions: Transactions
  readonly search: GuestSearch
  readonly intake: Intake
  readonly visits: Visits
}

/** Serves the check-in of guests, and what is printed for them. */
function serveVisits(own: StationRouter, { transactions, search, intake, visits }: VisitParts): void {
  const { database } = transactions
  const settingsHere = async (): Promise<StationSettings> => {
    const settings = await stationSettings(database)
    if (!settings) throw new Refusal(409, { detail: 'This station is not set up.' })
    return settings
  }

  serveRaw(own, stationKioskScan, async ({ body: { nonce, source, code, visit, offer, answers } }) => {
    const settings = await settingsHere()
    if ((await keptFaults(database)).length > 0)
      throw new Refusal(409, { detail: 'This kiosk is out of order.' })
    const meant = visit === undefined ? code : search.codeOf(visit, offer ?? 0)
    if (meant === undefined) throw impossible('This was too long ago. Begin anew.')
    const result = await intake.redeem({
      ...{ code: meant, source: visit === undefined ? source : 'hand', type: null, nonce, at: null },
      ...{ position: null, answers: answers ? { ...answers } : null, ignore_unpaid: false, force: false },
    })
    const view = { ...(await guestView(database, settings.organizer, result)), nonce }
    const { status, type, position } = result
    if (status !== 'ok' || type !== 'entry' || !position) return { ...view, name_parts: [], prints: null }
    visits.begin({ nonce, reading: result.nonce, position: position.id })
    const name_parts = await visits.name(settings, nonce)
    const prints = name_parts.length > 0 ? null : await visits.print(settings, nonce)
    return { ...view, name_parts, prints }
  })

  serveRaw(own, stationKioskPrint, async ({ params, body }) =>
    visits.print(await settingsHere(), params.nonce, body.name_parts),
  )

  serveRaw(own, stationKioskVisit, async ({ params }) => visits.look(await settingsHere(), params.nonce))
}

interface Seen {
  readonly env: Env
  readonly search: GuestSearch
  readonly link: () => Promise<LinkStatus | null>
}

/** What a kiosk is, and how it is. */
async function shownKiosk(db: Queryable, { env, search, link }: Seen): Promise<ShownKiosk> {
  const settings = await stationSettings(db)
  const [list] = await listsOfStation(db)
  const event = list?.event.settings

  const faults = byGravity([
    ...(await keptFaults(db)),
    ...linkFaults(await link(), event?.kiosk_data_minutes ?? 0),
    ...(list ? [] : [{ fault: 'event' as const, stays: false }]),
  ])
  return {
    event:
      settings && list
        ? {
            name: await eventName(db, settings),
            // What nobody has chosen is no organizer's colour.
            color: event?.primary_color === usualPrimaryColor ? null : (event?.primary_color ?? null),
            languages: list.event.settings.locales,
          }
        : null,
    device: await deviceNumber(db, settings),
    direction: settings?.direction ?? 'entry',
    faults,
    wait: search.wait(),
    idle: event?.kiosk_idle_seconds ?? 30,
    warning: event?.kiosk_warning_seconds ?? 10,
    done: event?.kiosk_done_seconds ?? 3,
    asks_pin: settings ? (await supervisors(db, settings, instantOf(env.now()))).length > 0 : false,
    by_email: settings ? search.knowsEmail(settings) : false,
  }
}

/** Those who may change the settings here now, and have a PIN. */
async function supervisors(db: Queryable, settings: StationSettings, now: string) {
  const place = { organizer: settings.organizer, event: 0 }
  const staff = await staffFor(db, { actor: actorOf(settings), place }, now)
  return staff.filter((one) => one.pin_hash !== null && mayDo(one, 'settings'))
}

async function eventName(db: Queryable, { organizer, event }: StationSettings): Promise<Multilingual> {
  const row = await db.get<{ name: string }>(
    sql`SELECT name FROM event WHERE organizer = ${organizer} AND id = ${event}`,
  )
  return row ? JSON.parse(row.name) : {}
}

async function deviceNumber(db: Queryable, settings: StationSettings | undefined): Promise<string> {
  if (!settings) return ''
  const row = await db.get<{ device_id: number }>(
    sql`SELECT device_id FROM device WHERE organizer = ${settings.organizer} AND id = ${settings.device}`,
  )
  return row ? String(row.device_id) : settings.name
}
