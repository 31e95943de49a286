import sql from 'sql-template-tag'
import type { BodyOf } from '../../schema/actions/action.ts'
import type { stationSettingsReplace } from '../../schema/actions/station.ts'
import { countryCodes } from '../../schema/countries.ts'
import { serverTranslator } from '../../schema/texts/server.ts'
import { shareTickets } from '../domain/checkin/ticket-choice.ts'
import { isPrinterAddress } from '../domain/printers/printer-address.ts'
import { invalid, Refusal } from '../errors.ts'
import type { Tx } from '../resource/transactions.ts'
import { requireAtEntrance } from '../services/accounts/entrance-rights.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { type PrinterPlace, printerPlace } from '../services/devices/printer-places.ts'
import {
  actorOf,
  type ChosenList,
  chosenLists,
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
  const organizer = await tx.get<{ slug: string }>(
    sql`SELECT slug FROM organizer WHERE id = ${before.organizer}`,
  )
  // The first that is still there leads; which event it belongs to is looked at when it is saved.
  const [lead] = await listsById(tx, before.organizer, chosenLists(before))
  const isSame =
    organizer?.slug === body.organizer &&
    lead?.facts.id === body.list &&
    inOrder(chosenLists(before)) === inOrder(listIds(body, before)) &&
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
    lists: await listsIn(tx, organizer.id, listIds(body, before), body.locale ?? before?.locale ?? 'en'),
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

const inOrder = (ids: readonly number[]): string => ids.toSorted((a, b) => a - b).join()

/** The lists that a station is set up with, `list` first; what is not sent stays while that is one of them. */
function listIds(
  { list, lists }: BodyOf<typeof stationSettingsReplace>,
  before: StationSettings | undefined,
): readonly number[] {
  const chosen = before ? chosenLists(before) : []
  const others = lists ?? (chosen.includes(list) ? chosen : [])
  return [...new Set([list, ...others])]
}

/** The same with their names. Who is on two lists of one event could come in twice, so none may be on both. */
async function listsIn(
  tx: Tx,
  organizer: number,
  ids: readonly number[],
  locale: string,
): Promise<readonly ChosenList[]> {
  const lists = await listsById(tx, organizer, ids)
  const before = (await stationSettings(tx))?.lists ?? []
  const missing = ids.filter((id) => !lists.some(({ facts }) => facts.id === id))
  // One that has gone since it was chosen stays in the settings, so that the screen can say so.
  if (missing.some((id) => !before.some((one) => one.id === id)))
    throw invalid({ lists: ['One of these check-in lists is not on this machine.'] })
  const isNew = inOrder(ids) !== inOrder(before.map(({ id }) => id))
  for (const [index, one] of isNew ? lists.entries() : [])
    for (const other of lists.slice(0, index))
      if (one.facts.event === other.facts.event && shareTickets(one.facts, other.facts)) {
        const names = { one: other.name, other: one.name }
        throw new Refusal(409, { detail: serverTranslator(locale)('station.lists-share-tickets', names) })
      }
  return ids.map((id) => {
    const name = lists.find(({ facts }) => facts.id === id)?.name ?? before.find((one) => one.id === id)?.name
    return { id, name: name ?? '' }
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
