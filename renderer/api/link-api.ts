import type {
  FirstPage,
  LinkStatus,
  QueueState,
  ShownConflict,
  ShownFact,
} from '../../schema/station-link.ts'
import type { UpdateStatus } from '../../schema/updates/update-status.ts'
import { stepUpHeaders } from './keyed-act.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** The requests of the screens about the upstream server. None of them ever rejects. */
export interface LinkApi {
  link(): Promise<ApiAnswer<LinkStatus>>
  /** Pairs this station: the content of a pairing code, or a token and an address. */
  join(code: string, url: string): Promise<ApiAnswer<LinkStatus>>
  /** Gives the upstream server up; refused while something waits, unless that was exported. */
  leave(exported: boolean, stepUp?: string): Promise<ApiAnswer<LinkStatus>>
  /** How far this station is with its own updates, and what somebody says about the one that waits. */
  update(): Promise<ApiAnswer<UpdateStatus>>
  decideUpdate(when: 'now' | 'not_today', stepUp?: string): Promise<ApiAnswer<UpdateStatus>>
  queue(state: QueueState): Promise<ApiAnswer<FirstPage<ShownFact>>>
  /** Sends these again now, or everything. */
  retry(nonces: readonly string[] | null): Promise<ApiAnswer<unknown>>
  conflicts(): Promise<ApiAnswer<FirstPage<ShownConflict>>>
  resolve(organizer: string, id: number, note: string): Promise<ApiAnswer<unknown>>
}

const station = '/api/v1/station'

/** Where the file is that takes along what was not sent. */
export const exportAddress = `${station}/queue/export/`

/** The requests against a server at `base` (empty for the page's own). */
export function openLinkApi(base = ''): LinkApi {
  const get = <T>(path: string) => request<T>(base + path, {}, patience.other)
  const send = <T>(method: string, path: string, body: unknown, stepUp = '') =>
    request<T>(
      base + path,
      {
        method,
        headers: { 'content-type': 'application/json', ...stepUpHeaders(stepUp) },
        body: JSON.stringify(body),
      },
      patience.slow,
    )
  return {
    link: () => get(`${station}/link/`),
    join: (code, url) => send('POST', `${station}/join/`, { code, ...(url === '' ? {} : { url }) }),
    leave: (exported, stepUp) => send('POST', `${station}/leave/`, { export_done: exported }, stepUp),
    update: () => get(`${station}/update/`),
    decideUpdate: (when, stepUp) => send('POST', `${station}/update/`, { when }, stepUp),
    queue: (state) => get(`${station}/queue/?state=${state}`),
    retry: (nonces) => send('POST', `${station}/queue/retry/`, nonces ? { nonces } : {}),
    conflicts: () => get(`${station}/conflicts/?state=open`),
    resolve: (organizer, id, note) =>
      send('PATCH', `/api/v1/organizers/${encodeURIComponent(organizer)}/conflicts/${id}/`, {
        state: 'resolved',
        note,
      }),
  }
}
