import { stationSaleCatalogue, stationSaleSeats } from '../../schema/actions/station.ts'
import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { SaleSeats } from '../../schema/bodies/seats.ts'
import { Refusal } from '../errors.ts'
import type { Live } from '../http/live.ts'
import { serveRaw } from '../resource/endpoints.ts'
import { single } from '../resource/query.ts'
import type { Transactions } from '../resource/transactions.ts'
import { maySell, stationSettings } from '../services/devices/station-settings.ts'
import { shownDrawers } from '../services/drawer/shown-drawers.ts'
import { eventById } from '../services/events/events.ts'
import { leasedHere, saleCatalogue } from '../services/pricing/sale-catalogue.ts'
import { saleSeats } from '../services/pricing/sale-seats.ts'
import { tillVoucher } from '../services/pricing/sale-voucher.ts'
import type { Sync } from '../sync/node/sync.ts'
import { serveParkedBaskets } from './parked-routes.ts'
import type { StationRouter } from './station-router.ts'

/** What tells a till how much it can sell. */
interface SaleParts {
  readonly transactions: Transactions
  readonly sync?: Pick<Sync, 'isOffline'>
  readonly live: Live
}

/** Serves what a till needs beside the endpoints of orders. */
export function serveStationSale(own: StationRouter, { transactions, sync, live }: SaleParts): void {
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

  serveParkedBaskets(own, { transactions, live, place: async () => (await soldHere()).place })

  serveRaw(own, stationSaleCatalogue, async ({ query }): Promise<SaleCatalogue> => {
    const { settings, place, event } = await soldHere()
    // Scans wait for transactions: only what is leased is read in one, and only where there are leases.
    const leased = transactions.site === 0 ? null : await transactions.write((tx) => leasedHere(tx, place))
    const now = transactions.horizon()
    const code = single(query, 'voucher')?.trim() ?? ''
    const sold = await saleCatalogue(database, place, {
      ...{ event, leased, now, isOffline: sync?.isOffline === true },
      voucher: code === '' ? null : await tillVoucher(database, place, code, now),
      wanted: Number(single(query, 'subevent') ?? Number.NaN),
    })
    const { device } = settings
    return { ...sold, ...(await shownDrawers(database, { ...place, device, site: transactions.site })) }
  })

  serveRaw(own, stationSaleSeats, async ({ query }): Promise<SaleSeats> => {
    const { place, event } = await soldHere()
    const date = event.hasSubevents ? Number(single(query, 'subevent') ?? 0) : null
    const voucher = single(query, 'voucher')?.trim() ?? ''
    return saleSeats(database, place, { event, date, now: transactions.horizon(), voucher })
  })
}
