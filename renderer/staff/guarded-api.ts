import type { LinkApi } from '../api/link-api.ts'
import type { ApiClient } from '../api/requests.ts'
import type { StaffDesk } from './staff-desk.ts'

type Guard = Pick<StaffDesk, 'permitted'>

/** The same requests, with whoever may asked for where the server wants that. */
export const guardedApi = (api: ApiClient, { permitted }: Guard): ApiClient => ({
  ...api,
  save: (settings) => permitted('settings', (stepUp) => api.save(settings, stepUp)),
  scan: (scan) =>
    scan.ignore_unpaid || scan.force
      ? permitted('override', (stepUp) => api.scan(scan, stepUp))
      : api.scan(scan),
  undo: (nonce) => permitted('override', (stepUp) => api.undo(nonce, stepUp)),
})

/** The same for what is asked about the upstream server. */
export const guardedLinkApi = (api: LinkApi, { permitted }: Guard): LinkApi => ({
  ...api,
  decideUpdate: (when) => permitted('settings', (stepUp) => api.decideUpdate(when, stepUp)),
  leave: (exported) => permitted('settings', (stepUp) => api.leave(exported, stepUp)),
})
