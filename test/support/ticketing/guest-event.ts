import { item } from '../../../schema/resources/catalogue/item.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../servers/servers.ts'
import { messyProducts } from './messy-guest-list.ts'

/** An event that messy guest lists are for. */
export interface GuestEvent {
  readonly place: Place
  /** A check-in list for all of its products. */
  readonly list: number
  /** The products' ids by name, a variation's by `Product/Variation`. */
  readonly products: ReadonlyMap<string, number>
}

/** Makes the organizer `acme` with the event `gala`, the products of messy guest lists and the token `all`. */
export const addGuestEvent = (transactions: Transactions, values: RowData = {}): Promise<GuestEvent> =>
  transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    const event = await addEvent(tx, organizer, 'gala', values)
    const place = { organizer, event }
    const products = new Map<string, number>()
    for (const { name, names, variations } of messyProducts) {
      const id = tx.nextId()
      products.set(name, id)
      const [en, de] = names
      await insertRow(tx, item, place, { ...blankRow(item), id, name: { en, de }, default_price: '10.00' })
      for (const [index, [english, german]] of variations.entries()) {
        const own = tx.nextId()
        products.set(`${name}/${english}`, own)
        const value = { en: english, de: german }
        await insertRow(tx, variation, place, {
          ...blankRow(variation),
          id: own,
          item: id,
          value,
          position: index,
        })
      }
    }
    const list = tx.nextId()
    await insertRow(tx, checkinList, place, {
      ...blankRow(checkinList),
      id: list,
      name: 'Door',
      all_products: true,
    })
    return { place, list, products }
  })
