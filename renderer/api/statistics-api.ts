import type { ListStatistics } from '../../schema/bodies/station-state.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** Asks what happened at the list of this station, in numbers. */
export const askStatistics = (): Promise<ApiAnswer<ListStatistics>> =>
  request('/api/v1/station/statistics/', {}, patience.other)
