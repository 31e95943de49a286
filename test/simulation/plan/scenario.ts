import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { instantOf } from '../../../server/env.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Transactions, Tx } from '../../../server/resource/transactions.ts'
import { tellOfDevice } from '../../../server/services/devices/device-behaviour.ts'
import { openNode } from '../../../server/services/operations/node-identity.ts'
import { migrate } from '../../../server/storage/migrate.ts'
import { prepareSearch } from '../../../server/storage/search.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder, addQuestion } from '../../support/ticketing/tickets.ts'
import type { Disk } from '../machines/disk.ts'
import { useDisk } from '../machines/turns.ts'
import { createChance, uuidOf } from './chance.ts'
import { firstTickets, type ListName, scarceSize } from './plan.ts'

/** The moment at which every run begins: milliseconds since 1970. */
export const epoch = Date.UTC(2030, 5, 1, 10)

/** The token of whoever works on central, and the key of every station's own screens. */
export const operatorToken = 'operator'
export const stationKey = 'screens'

/** The one-time token by which a machine is admitted. */
export const initializationToken = (machine: string): string => `init-${machine.replace(' ', '-')}`

/** Tickets that nobody but a thief reads. */
export const thiefTickets: readonly string[] = ['THIEF1', 'THIEF2', 'THIEF3']

/** What all runs begin with. */
export interface Scenario {
  /** Central's disk: an event, its lists, sold tickets, and devices that may join. */
  readonly central: Buffer
  readonly organizer: number
  readonly event: number
  readonly lists: Readonly<Record<ListName, number>>
  readonly plain: number
  readonly scarce: number
  readonly scarceQuota: number
  /** A question that is answered at the sale alone, and a gift card worth 50.00. */
  readonly unasked: number
  readonly card: number
}

/** A disk that nothing happens to. */
const quietDisk = (image: Buffer | null = null): Disk => ({
  image,
  isFull: false,
  endsWhenFull: false,
  hasOverflown: false,
  isBusy: false,
  digest: 0,
  commits: 0,
  atCommit: () => {},
  open: [],
})

/** A disk with all tables and nothing in them. */
export async function makeEmpty(): Promise<Buffer> {
  const disk = quietDisk()
  useDisk(disk)
  const database = openSqlite(':memory:')
  await migrate(database)
  await prepareSearch(database)
  await database.close()
  if (!disk.image) throw new Error('The tables left nothing on their disk.')
  return disk.image
}

/** Makes what all runs begin with; the same each time. `joiners` are the machines that central may let in. */
export async function makeScenario(joiners: readonly string[]): Promise<Scenario> {
  const chance = createChance('scenario')
  const disk = quietDisk()
  useDisk(disk)
  const database = openSqlite(':memory:')
  const transactions = await openNode(database, {
    instant: () => instantOf(epoch - 3_600_000),
    randomBytes: (count) => chance.bytes(count),
    uuid: () => uuidOf(chance.bytes(16)),
  })
  const made = await fill(transactions, joiners)
  await transactions.release()
  await database.close()
  if (!disk.image) throw new Error('The scenario left nothing on its disk.')
  return { central: disk.image, ...made }
}

const fill = (transactions: Transactions, joiners: readonly string[]) =>
  transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, operatorToken, allRights)
    const event = await addEvent(tx, organizer, 'gala')
    const place = { organizer, event }
    const plain = await addItem(tx, place, 'Ticket')
    const scarce = await addItem(tx, place, 'Scarce')
    const addQuota = async (name: string, size: number | null, items: number[]): Promise<number> => {
      const id = tx.nextId()
      await insertRow(tx, quota, place, { ...blankRow(quota), id, name, size, items, variations: [] })
      return id
    }
    await addQuota('Plenty', null, [plain])
    const scarceQuota = await addQuota('Scarce', scarceSize, [scarce])
    const lists = {
      once: await addList(tx, place, 'once', { allow_entry_after_exit: false }),
      often: await addList(tx, place, 'often', { allow_multiple_entries: true }),
      reentry: await addList(tx, place, 'reentry', { allow_entry_after_exit: true }),
      ruled: await addList(tx, place, 'ruled', {
        allow_multiple_entries: true,
        rules: { '<': [{ var: 'entries_number' }, 2] },
      }),
    }
    // Two tickets in most orders, so that canceling one order takes more than one ticket.
    for (let first = 0; first < firstTickets.length; first += 2)
      await addOrder(
        tx,
        place,
        firstTickets.slice(first, first + 2).map((name) => ({
          item: plain,
          secret: `secret${name}`,
          attendee_name: `Guest ${name}`,
        })),
        { code: `ORD${first}` },
      )
    const unasked = await addQuestion(tx, place, [plain], { ask_during_checkin: false })
    const answers = [{ question: unasked, answer: 'vegan', options: [] }]
    await addOrder(
      tx,
      place,
      thiefTickets.map((name) => ({ item: plain, secret: `secret${name}`, answers })),
      { code: 'ORDTHIEF' },
    )
    const card = tx.nextId()
    const worth = { ...blankRow(giftCard), id: card, secret: 'CARD', currency: 'EUR', value: '50.00' }
    await insertRow(tx, giftCard, { organizer, event: 0 }, worth)
    for (const [index, name] of joiners.entries()) await addJoiner(tx, organizer, index + 1, name)
    return { organizer, event, lists, plain, scarce, scarceQuota, unasked, card }
  })

/** Adds a device that has not been set up yet; a hub reports it to the upstream server. */
export async function addJoiner(tx: Tx, organizer: number, number: number, name: string): Promise<void> {
  const row = {
    ...blankRow(device),
    id: tx.nextId(),
    device_id: number,
    unique_serial: `SERIAL${number}${name}`,
    name,
    all_events: true,
    security_profile: name.startsWith('thief') ? ('gate' as const) : ('full' as const),
    created: '2030-05-01T10:00:00.000000Z',
    initialization_token: initializationToken(name),
  }
  await insertRow(tx, device, { organizer, event: 0 }, row)
  tellOfDevice(tx, organizer, row)
}
