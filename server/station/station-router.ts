import type { Where } from '../../schema/actions/action.ts'
import { unauthenticated } from '../errors.ts'
import { isStation } from '../http/authenticate.ts'
import { type ApiRouter, admitting } from '../resource/endpoints.ts'

/** A router for the screens of a station itself. */
export type StationRouter = ApiRouter<Record<Where, object>>

/** The same router for the screens, scanners and shell of this station, and nobody else. */
export const admittingStation = (router: ApiRouter, stationKey: string): StationRouter =>
  admitting<Record<Where, object>>(router, async (ctx) => {
    if (!isStation(ctx, stationKey))
      throw unauthenticated(
        'Only the screens of this station itself may do this. Open the address that it printed.',
      )
    return {}
  })
