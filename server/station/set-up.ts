import sql from 'sql-template-tag'
import type { BodyOf } from '../../schema/actions/action.ts'
import type { stationSettingsReplace } from '../../schema/actions/station.ts'
import { countryCodes } from '../../schema/countries.ts'
import { isPrinterAddress } from '../domain/printers/printer-address.ts'
import { invalid } from '../errors.ts'
import type { Tx } from '../resource/transactions.ts'
import { requireAtEntrance } from '../services/accounts/entrance-rights.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { type PrinterPlace, printerPlace } from '../services/devices/printer-places.ts'
import {
  actorOf,
  type PrintingByItself,
  type StationSettings,
  saveStation,
  stationSettings,
  type TerminalPlace,
} from '../services/devices/station-settings.ts'
import { eventById } from '../services/events/events.ts'

/** Where card terminals listen, unless they are told otherwise. */
const zvtPort = 20_007

/** Refuses to move a station elsewhere where only some staff may; which way guests go, and what it is for, all may say. */
export async function requireToMove(
  tx: Tx,
  body: BodyOf<typeof stationSettingsReplace>,
  token: string,
): Promise<void> {
  const before = await stationSettings(tx)
  if (!before) return
  const shown = await tx.get<{ organizer: string; event: string }>(
    sql`SELECT organizer.slug AS organizer, event.slug AS event FROM event
        JOIN organizer ON organizer.id = event.organizer
        WHERE event.organizer = ${before.organizer} AND event.id = ${before.event}`,
  )
  const isSame =
    shown?.organizer === body.organizer &&
    shown.event === body.event &&
    before.list === body.list &&
    before.gate === (body.gate ?? null) &&
    (!body.name?.trim() || before.name === body.name.trim()) &&
    (!body.terminal || (before.terminal?.host ?? '') === body.terminal.host) &&
    (body.country === undefined || body.country === (before.country ?? '')) &&
    (!body.printers || placesIn(body.printers.map(printerPlace)) === placesIn(before.printers ?? [])) &&
    (!body.printing ||
      JSON.stringify(printingIn(body, before)) === JSON.stringify(before.printing ?? nothing))
  if (!isSame) await requireAtEntrance(tx, { actor: actorOf(before) }, 'settings', token)
}

/** Sets a station up for a list of an event that is on this machine; 400 where it is not there. */
export async function setUp(tx: Tx, body: BodyOf<typeof stationSettingsReplace>): Promise<void> {
  const organizer = await tx.get<{ id: number }>(sql`SELECT id FROM organizer WHERE slug = ${body.organizer}`)
  if (!organizer) throw invalid({ organizer: ['This organizer does not exist on this machine.'] })
  const [list] = await listsById(tx, organizer.id, [body.list])
  const event = list && (await eventById(tx, organizer.id, list.facts.event))
  if (!list || event?.slug !== body.event)
    throw invalid({ list: ['This check-in list is not one of the event.'] })
  const gate = body.gate ?? null
  const known =
    gate === null ||
    (await tx.get(sql`SELECT id FROM gate WHERE organizer = ${organizer.id} AND id = ${gate}`))
  if (!known) throw invalid({ gate: ['This gate does not exist any more. Choose another one.'] })
  const before = await stationSettings(tx)
  await saveStation(tx, {
    organizer: organizer.id,
    event: list.facts.event,
    list: list.facts.id,
    direction: body.direction,
    gate,
    name: body.name?.trim() || (before?.name ?? 'Entrance'),
    locale: body.locale ?? before?.locale ?? 'en',
    sound: body.sound ?? before?.sound ?? true,
    camera: body.camera ?? before?.camera ?? false,
    task: body.task ?? before?.task ?? 'entrance',
    terminal: terminalIn(body, before),
    printers: printersIn(body, before),
    printing: printingIn(body, before),
    country: countryIn(body, before),
  })
}

/** The card terminal that a station is set up with; what is not sent stays. */
function terminalIn(
  { terminal }: BodyOf<typeof stationSettingsReplace>,
  before: StationSettings | undefined,
): TerminalPlace | null {
  if (!terminal) return before?.terminal ?? null
  const { host, port = zvtPort, password } = terminal
  return host === '' ? null : { host, port, password: password ?? before?.terminal?.password ?? '000000' }
}

/** The country that a station is set up with; what is not sent stays. */
function countryIn(
  { country }: BodyOf<typeof stationSettingsReplace>,
  before: StationSettings | undefined,
): string | null {
  if (country === undefined) return before?.country ?? null
  if (country !== '' && !countryCodes.has(country)) throw invalid({ country: ['This is not a country.'] })
  return country || null
}

const placesIn = (printers: readonly PrinterPlace[]): string =>
  JSON.stringify(printers.map(({ way, address, documents }) => [way, address, documents]))

/** The printers that a station is set up with; what is not sent stays. */
function printersIn(
  { printers }: BodyOf<typeof stationSettingsReplace>,
  before: StationSettings | undefined,
): readonly PrinterPlace[] {
  if (!printers) return before?.printers ?? []
  const places = printers.map(printerPlace)
  const wrong = places.find(({ way, address }) => !isPrinterAddress[way](address))
  if (wrong)
    throw invalid({ printers: [`${wrong.address || 'Nothing'} is no address of a printer of this kind.`] })
  return places
}

const nothing: PrintingByItself = { at_entry: [], at_sale: [] }

/** What is printed without being asked; what is not sent stays. */
function printingIn(
  { printing }: BodyOf<typeof stationSettingsReplace>,
  before: StationSettings | undefined,
): PrintingByItself {
  const { at_entry, at_sale } = { ...(before?.printing ?? nothing), ...printing }
  return { at_entry, at_sale }
}
