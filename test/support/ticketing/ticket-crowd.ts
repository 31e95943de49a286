import Sqlite from 'better-sqlite3'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { encode, type RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { storedFields } from '../../../server/resource/store.ts'
import type { Place } from '../../../server/resource/transactions.ts'
import { folded } from '../../../server/storage/search.ts'
import { nameText } from '../../../server/storage/searched-names.ts'
import { seeded } from './messy-guest-list.ts'

const given =
  'Anna Ben Clara David Emma Felix Greta Hugo Ida Jonas Käthe Leon Mia Noah Olivia Paul Quentin Rosa Söhnke Tilda Ulla Viktor Wanda Xaver Yara Zoë'.split(
    ' ',
  )
const beginnings =
  'Al Ber Cor Dan Ei Fal Gru Hart Im Jan Kel Lind Mar Nor Os Pet Ros Schu Tan Ul Vogt Wei Zim'.split(' ')
const middles = 'ber ding el fel gen hau ker len mer nau ri schen ten va wal'.split(' ')
const endings = 'auer bach dorf feld hagen hof mann meier rich stein wald ow ski'.split(' ')
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A statement that inserts rows of a resource: what is not said of them is as blank as a new row's. */
function inserter(database: Sqlite.Database, resource: Resource, place: Place) {
  const fields = Object.entries(storedFields(resource))
  const names = ['organizer', 'event', ...fields.map(([name]) => name)]
  const insert = database.prepare(
    `INSERT INTO "${tableOf(resource)}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  const blank = blankRow(resource)
  const cells = fields.map(([name, field]) => [name, field, encode(field, blank[name])] as const)
  return (row: RowData) =>
    insert.run(
      place.organizer,
      place.event,
      ...cells.map(([name, field, empty]) => (name in row ? encode(field, row[name]) : empty)),
    )
}

/** Tickets of a crowd: how many, for which product, and what the codes begin with. */
interface Crowd {
  readonly item: number
  readonly count: number
  readonly prefix: string
}

/** The code of one of a crowd's tickets: the same for the same number, and without order. */
export function crowdSecret(prefix: string, index: number): string {
  const draw = seeded(index)
  let secret = prefix
  while (secret.length < 32) secret += letters[Math.floor(draw() * letters.length)]
  return secret
}

/**
 * Fills a SQLite file that nobody else is using with paid tickets of a crowd, two in each order, as they are found by a
 * search as well. Quick, and not durable until it is done.
 */
export function fillCrowd(file: string, place: Place, { item, count, prefix }: Crowd): void {
  const database = new Sqlite(file)
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -400000')
  const draw = seeded(count)
  const pick = (words: readonly string[]): string => words[Math.floor(draw() * words.length)] ?? ''
  const node = database.prepare('SELECT next_id FROM node').pluck().get() as number
  let id = node
  const addOrder = inserter(database, order, place)
  const addPosition = inserter(database, orderPosition, place)
  const index = database.prepare('INSERT INTO position_search (rowid, names, body) VALUES (?, ?, ?)')
  const fill = database.transaction((first: number, last: number) => {
    for (let ticket = first; ticket < last; ticket += 2) {
      const family = `${pick(beginnings)}${pick(middles)}${pick(endings)}`
      const code = (ticket + 11_881_376).toString(26).toUpperCase()
      const email = `${family.toLowerCase()}${ticket}@example.org`
      const ofOrder = id++
      const at = `2029-${String(1 + (ticket % 12)).padStart(2, '0')}-01T10:00:00.000000Z`
      addOrder({
        id: ofOrder,
        code: `${prefix.toUpperCase()}${code}`,
        status: 'p',
        secret: `o${ticket}`,
        email,
        datetime: at,
        expires: at,
        last_modified: at,
        total: '46.00',
      })
      for (const [offset, positionid] of [
        [0, 1],
        [1, 2],
      ] as const) {
        const name = `${pick(given)} ${family}`
        const own = id++
        addPosition({
          id: own,
          order_id: ofOrder,
          positionid,
          item,
          price: '23.00',
          tax_rate: '0.00',
          tax_value: '0.00',
          attendee_name: name,
          attendee_name_parts: { _scheme: 'full', full_name: name },
          name_key: folded(name),
          attendee_email: `guest${ticket + offset}@example.org`,
          secret: crowdSecret(prefix, ticket + offset),
          pseudonymization_id: `P${own}`,
        })
        index.run(
          own,
          nameText([name]),
          folded(`${name}\nguest${ticket + offset}@example.org\n${prefix.toUpperCase()}${code}\n${email}`),
        )
      }
    }
  })
  for (let first = 0; first < count; first += 20_000) fill(first, Math.min(count, first + 20_000))
  database.prepare('UPDATE node SET next_id = ?').run(id)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}
