import { stationStatistics } from '../../schema/actions/station.ts'
import type { ListStatistics } from '../../schema/bodies/station-state.ts'
import { listStatistics } from '../domain/checkin/statistics.ts'
import { Refusal } from '../errors.ts'
import { serveRead } from '../resource/endpoints.ts'
import { statisticsNames, sumsOfLists } from '../services/checkin/checkin-statistics.ts'
import { stationSettings } from '../services/devices/station-settings.ts'
import type { StationRouter } from './station-router.ts'
import { listsOfStation } from './station-state.ts'

/** Serves what happened at the lists of this station, in numbers: whoever may scan there may see them. */
export function serveStationStatistics(router: StationRouter): void {
  serveRead(router, stationStatistics, async (_, db): Promise<ListStatistics> => {
    const settings = await stationSettings(db)
    const lists = await listsOfStation(db)
    const [first] = lists
    if (!settings || !first) throw new Refusal(409, { detail: 'This station is not set up.' })
    const { organizer } = settings
    const ids = lists.map(({ facts }) => facts.id)
    const events = [...new Set(lists.map(({ facts }) => facts.event))]
    const sums = await sumsOfLists(db, organizer, ids)
    const names = await statisticsNames(db, { organizer, events }, settings.locale)
    return {
      list_name: lists.map(({ name }) => name).join(' · '),
      timezone: first.event.timezone,
      ...listStatistics(sums, names),
    }
  })
}
