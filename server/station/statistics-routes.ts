import { stationStatistics } from '../../schema/actions/station.ts'
import type { ListStatistics } from '../../schema/bodies/station-state.ts'
import { listStatistics } from '../domain/checkin/statistics.ts'
import { Refusal } from '../errors.ts'
import { serveRead } from '../resource/endpoints.ts'
import { statisticsNames, sumsOfList } from '../services/checkin/checkin-statistics.ts'
import { stationSettings } from '../services/devices/station-settings.ts'
import type { StationRouter } from './station-router.ts'
import { listOfStation } from './station-state.ts'

/** Serves what happened at the list of this station, in numbers: whoever may scan there may see them. */
export function serveStationStatistics(router: StationRouter): void {
  serveRead(router, stationStatistics, async (_, db): Promise<ListStatistics> => {
    const settings = await stationSettings(db)
    const list = await listOfStation(db)
    if (!settings || !list) throw new Refusal(409, { detail: 'This station is not set up.' })
    const { organizer } = settings
    const sums = await sumsOfList(db, organizer, list.facts.id)
    const names = await statisticsNames(db, { organizer, event: list.facts.event }, settings.locale)
    return {
      list_name: list.name,
      timezone: list.event.timezone,
      ...listStatistics(sums, names),
    }
  })
}
