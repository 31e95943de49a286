import { stationGuest, stationSamplesList } from '../../../schema/actions/station.ts'
import type { GuestOrder } from '../../../schema/bodies/guests.ts'
import { type Env, instantOf } from '../../env.ts'
import { notFound, Refusal } from '../../errors.ts'
import { serveRead } from '../../resource/endpoints.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { stationSettings, taskOf } from '../../services/devices/station-settings.ts'
import type { StationRouter } from '../station-router.ts'
import { listsOfStation } from '../station-state.ts'
import { guestOrder } from './guest-order.ts'
import { sampleTicketsAt } from './sample-tickets.ts'
import type { Looking } from './ticket-outlook.ts'

/** What looking at guests needs. */
interface GuestParts {
  readonly transactions: Transactions
  readonly env: Env
}

/** Serves what staff at an entrance sees of a guest; a kiosk, which stands before guests, is told nothing. */
export function serveGuests(router: StationRouter, parts: GuestParts): void {
  serveRead(router, stationGuest, async ({ params }): Promise<GuestOrder> => {
    const looking = await lookingAt(parts)
    const id = /^\d{1,16}$/.test(params.position) ? Number(params.position) : 0
    const order = await guestOrder(looking, id)
    if (!order) throw notFound('This ticket is not known here.')
    return order
  })
}

/** Serves the tickets to try out at the demo. */
export function serveSamples(router: StationRouter, parts: GuestParts): void {
  serveRead(router, stationSamplesList, async () => ({
    results: await sampleTicketsAt(await lookingAt(parts)),
  }))
}

async function lookingAt({ transactions, env }: GuestParts): Promise<Looking> {
  const { database } = transactions
  const settings = await stationSettings(database)
  const [list, ...others] = await listsOfStation(database)
  if (!settings || !list) throw new Refusal(409, { detail: 'This station is not set up.' })
  if (taskOf(settings) === 'kiosk')
    throw new Refusal(409, { detail: 'This station is a kiosk. Guests are not shown there.' })
  return { transactions, settings, lists: [list, ...others], now: instantOf(env.now()) }
}
