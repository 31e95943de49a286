import sql, { join } from 'sql-template-tag'
import type { GuestDocument } from '../../../schema/bodies/print-jobs.ts'
import type { StationTask } from '../../../schema/bodies/station.ts'
import { devicePermissions } from '../../../schema/permissions.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { sellsBy } from '../../../schema/security-profiles.ts'
import type { Actor } from '../../resource/actor.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, randomWord } from '../codes/secrets.ts'
import { type PrinterPlace, printerPlace, type WrittenPrinter } from './printer-places.ts'

/** Where a card terminal is, and the password that it wants to hear. */
export interface TerminalPlace {
  readonly host: string
  readonly port: number
  readonly password: string
}

/** What is printed without being asked. */
export interface PrintingByItself {
  /** For who is admitted here. */
  readonly at_entry: readonly GuestDocument[]
  /** For what is sold here. */
  readonly at_sale: readonly GuestDocument[]
}

/** A check-in list that a station was set up for. */
export interface ChosenList {
  readonly id: number
  readonly name: string
}

/** What a station is set up to do: where it stands, which way people go, and how its screen behaves. */
export interface StationSettings {
  readonly organizer: number
  readonly event: number
  readonly list: number
  /** All its lists with their names as they were chosen, `list` first; missing where that is the only one. */
  readonly lists?: readonly ChosenList[]
  readonly direction: 'entry' | 'exit'
  readonly gate: number | null
  readonly device: number
  readonly name: string
  readonly locale: string
  readonly sound: boolean
  readonly camera: boolean
  /** Missing in what earlier versions have stored: an entrance. */
  readonly task?: StationTask
  /** The card terminal beside it; null or missing where there is none. */
  readonly terminal?: TerminalPlace | null
  /** The country whose law its till obeys, by two letters; null or missing where nobody has said. */
  readonly country?: string | null
  /** Its printers: the first for a document prints it, the others stand in. */
  readonly printers?: readonly PrinterPlace[]
  /** What is printed without being asked; missing for nothing. */
  readonly printing?: PrintingByItself
  /** The security profile of the device that this machine is at its upstream server. */
  readonly profile?: string
}

/** The same as earlier versions have stored it. */
type StoredSettings = Omit<StationSettings, 'printers'> & { readonly printers?: readonly WrittenPrinter[] }

/** The settings of this machine's station, or undefined before its first start is done. */
export async function stationSettings(db: Queryable): Promise<StationSettings | undefined> {
  const row = await db.get<{ settings: string; device: number | null; profile: string | null }>(
    sql`SELECT station.settings, upstream.device, upstream.security_profile AS profile
        FROM station LEFT JOIN upstream ON upstream.id = 1 AND upstream.state <> 'joining' WHERE station.id = 1`,
  )
  if (!row) return undefined
  const stored: StoredSettings = JSON.parse(row.settings)
  const settings = { ...stored, printers: (stored.printers ?? []).map(printerPlace) }
  // Below another server, this machine is the device that it was admitted as, whatever it was set up as before.
  return row.device === null ? settings : { ...settings, device: row.device, profile: row.profile ?? 'full' }
}

/** The ids of the check-in lists that a station is set up for. */
export const chosenLists = ({ list, lists }: StationSettings): readonly number[] =>
  lists?.map(({ id }) => id) ?? [list]

/** The events of these lists; the first is the one that the station is at. */
export async function chosenEvents(
  db: Queryable,
  settings: StationSettings,
): Promise<readonly [number, ...number[]]> {
  const { organizer, event, lists } = settings
  if (!lists || lists.length === 1) return [event]
  const rows = await db.all<{ event: number }>(
    sql`SELECT DISTINCT event FROM checkin_list
        WHERE organizer = ${organizer} AND id IN (${join([...chosenLists(settings)])}) ORDER BY event`,
  )
  return [event, ...rows.map((row) => row.event).filter((one) => one !== event)]
}

/** The event of a ticket where it is one of the station's, else the one that the station is at. */
export async function eventOfTicket(
  db: Queryable,
  settings: StationSettings,
  position: number,
): Promise<number> {
  const events = await chosenEvents(db, settings)
  if (events.length === 1) return settings.event
  const ticket = await db.get<{ event: number }>(
    sql`SELECT event FROM order_position WHERE organizer = ${settings.organizer} AND id = ${position}`,
  )
  return ticket && events.includes(ticket.event) ? ticket.event : settings.event
}

/** Whether a station may sell, by the profile of its device. */
export const maySell = ({ profile }: StationSettings): boolean => sellsBy(profile ?? 'full')

/** Whether this machine may sell once it is set up. */
export async function mayEverSell(db: Queryable): Promise<boolean> {
  const row = await db.get<{ profile: string }>(
    sql`SELECT security_profile AS profile FROM upstream WHERE id = 1 AND state <> 'joining'`,
  )
  return sellsBy(row?.profile ?? 'full')
}

/** What a station is for at the moment: a device of a kiosk serves guests, and one that may no longer sell is an entrance. */
export function taskOf(settings: StationSettings): StationTask {
  const { profile, task = 'entrance' } = settings
  if (profile === 'kiosk') return 'kiosk'
  return task === 'box-office' && !maySell(settings) ? 'entrance' : task
}

/** The caller that this machine's own screens and scanners are. */
export const actorOf = (settings: StationSettings): Actor => ({
  kind: 'station',
  id: settings.device,
  name: settings.name,
  organizer: settings.organizer,
  permissions: new Set([...devicePermissions, 'can_checkin_orders']),
  allEvents: true,
  events: new Set(),
  device: { id: settings.device, gate: settings.gate, profile: settings.profile ?? 'full' },
})

/** The same, or undefined before the first start is done. */
export async function stationActor(db: Queryable): Promise<Actor | undefined> {
  const settings = await stationSettings(db)
  return settings && actorOf(settings)
}

/** Stores a station's settings; the station is a device of its organizer, made the first time. */
export async function saveStation(tx: Tx, wanted: Omit<StationSettings, 'device'>): Promise<StationSettings> {
  const before = await stationSettings(tx)
  const place = { organizer: wanted.organizer, event: 0 }
  const joined = await joinedDevice(tx, wanted.organizer)
  if (joined) return storeSettings(tx, { ...wanted, gate: wanted.gate ?? joined.gate, device: joined.id })
  const known =
    before && before.organizer === wanted.organizer ? before.device : await ownDevice(tx, wanted.organizer)
  const id = known ?? tx.nextId()
  if (known === undefined) {
    const last = await tx.get<{ last: number | null }>(
      sql`SELECT max(device_id) AS last FROM device WHERE organizer = ${wanted.organizer}`,
    )
    await insertRow(tx, device, place, {
      ...blankRow(device),
      id,
      device_id: (last?.last ?? 0) + 1,
      unique_serial: randomWord(tx.randomBytes, alphabets.serial, 16),
      name: wanted.name,
      all_events: true,
      gate: wanted.gate,
      created: tx.now,
      initialized: tx.now,
      hardware_brand: 'this machine',
    })
  } else await updateRow(tx, device, place, { id, name: wanted.name, gate: wanted.gate })
  return storeSettings(tx, { ...wanted, device: id })
}

async function storeSettings(tx: Tx, settings: StationSettings): Promise<StationSettings> {
  const text = JSON.stringify(settings)
  await tx.run(
    sql`INSERT INTO station (id, settings) VALUES (1, ${text}) ON CONFLICT (id) DO UPDATE SET settings = ${text}`,
  )
  return settings
}

/** The device that this machine is at its upstream server, with the gate where it stands by that server's word. */
const joinedDevice = (tx: Tx, organizer: number): Promise<{ id: number; gate: number | null } | undefined> =>
  tx.get<{ id: number; gate: number | null }>(
    sql`SELECT device.id, device.gate FROM upstream
        JOIN device ON device.organizer = upstream.organizer AND device.id = upstream.device
        WHERE upstream.organizer = ${organizer} AND upstream.state <> 'joining'`,
  )

const ownDevice = async (tx: Tx, organizer: number): Promise<number | undefined> =>
  (
    await tx.get<{ id: number }>(
      sql`SELECT id FROM device WHERE organizer = ${organizer} AND hardware_brand = 'this machine' ORDER BY id LIMIT 1`,
    )
  )?.id
