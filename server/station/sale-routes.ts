import { stationSaleCatalogue, stationSaleSeats } from '../../schema/actions/station.ts'
import type { SaleCatalogue, TillDrawer } from '../../schema/bodies/sale-catalogue.ts'
import type { SaleSeats } from '../../schema/bodies/sale-seats.ts'
import type { StoredDrawer } from '../../schema/resources/drawer/drawer.ts'
import { Refusal } from '../errors.ts'
import { serveRaw } from '../resource/endpoints.ts'
import { single } from '../resource/query.ts'
import type { Transactions } from '../resource/transactions.ts'
import { maySell, stationSettings } from '../services/devices/station-settings.ts'
import { shownDrawerOf } from '../services/drawer/write-receipt.ts'
import { eventById } from '../services/events/events.ts'
import { leasedHere, saleCatalogue } from '../services/pricing/sale-catalogue.ts'
import { saleSeats } from '../services/pricing/sale-seats.ts'
import type { Sync } from '../sync/node/sync.ts'
import type { StationRouter } from './station-router.ts'

/** What tells a till how much it can sell. */
interface SaleParts {
  readonly transactions: Transactions
  readonly sync?: Pick<Sync, 'isOffline'>
}

const shownDrawer = ({ id, name, opened, training }: StoredDrawer): TillDrawer => ({
  ...{ id, name, opened, training },
})

/** Serves what a till needs beside the endpoints of orders. */
export function serveStationSale(own: StationRouter, { transactions, sync }: SaleParts): void {
  const { database } = transactions
  /** The event that this station sells for, and its settings. */
  async function soldHere() {
    const settings = await stationSettings(database)
    if (!settings) throw new Refusal(409, { detail: 'This station is not set up.' })
    if (!maySell(settings))
      throw new Refusal(403, {
        detail:
          'This station does not sell. Give its device the profile "boxoffice" or "full" at the central server.',
      })
    const { organizer, event: id } = settings
    const place = { organizer, event: id }
    const event = await eventById(database, organizer, id)
    if (!event) throw new Refusal(409, { detail: 'The event of this station is gone. Choose another one.' })
    return { settings, place, event }
  }

  serveRaw(own, stationSaleCatalogue, async ({ query }): Promise<SaleCatalogue> => {
    const { settings, place, event } = await soldHere()
    // Scans wait for transactions: only what is leased is read in one, and only where there are leases.
    const leased = transactions.site === 0 ? null : await transactions.write((tx) => leasedHere(tx, place))
    const sold = await saleCatalogue(database, place, {
      ...{ event, leased, now: transactions.horizon(), isOffline: sync?.isOffline === true },
      wanted: Number(single(query, 'subevent') ?? Number.NaN),
    })
    const drawer = await shownDrawerOf(database, place.organizer, settings.device)
    return { ...sold, drawer: drawer && shownDrawer(drawer) }
  })

  serveRaw(own, stationSaleSeats, async ({ query }): Promise<SaleSeats> => {
    const { place, event } = await soldHere()
    const date = event.hasSubevents ? Number(single(query, 'subevent') ?? 0) : null
    return saleSeats(database, place, { event, date, now: transactions.horizon() })
  })
}
