import { stationConflictList } from '../../schema/actions/station.ts'
import { serveRead } from '../resource/endpoints.ts'
import { findConflicts } from '../services/checkin/conflict-view.ts'
import { actorOf, stationSettings } from '../services/devices/station-settings.ts'
import type { StationRouter } from './station-router.ts'

/**
 * Serves the contradictions of the event that a station is set up for to its own screens, whatever the security profile
 * of its device lets it ask for elsewhere. They are settled where all of an organizer's are.
 */
export function serveStationConflicts(router: StationRouter): void {
  serveRead(router, stationConflictList, async (request, db) => {
    const { page, query } = request
    const settings = await stationSettings(db)
    if (!settings) return request.pageOf(0, [])
    const here = { ...actorOf(settings), allEvents: false, events: new Set([settings.event]) }
    const { count, rows } = await findConflicts(db, here, settings.organizer, { query, page })
    return request.pageOf(count, rows)
  })
}
