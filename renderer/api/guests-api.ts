import type { GuestOrder, ShownSample } from '../../schema/bodies/guests.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** Asks for the order of a ticket, with all that happened to its tickets. */
export const askGuest = (position: number): Promise<ApiAnswer<GuestOrder>> =>
  request(`/api/v1/station/guests/${position}/`, {}, patience.other)

/** Asks for the tickets to try out; none where the event is not the demo. */
export const askSamples = (): Promise<ApiAnswer<{ readonly results: readonly ShownSample[] }>> =>
  request('/api/v1/station/samples/', {}, patience.other)
