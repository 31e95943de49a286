import { findGuestBody } from '../bodies/kiosk.ts'
import { joinBody, updateReportBody } from '../bodies/sync.ts'
import { textShape, wholeShape } from '../described/shapes.ts'
import { exactly, the } from '../json-schema.ts'
import { type Action, bodyAs, defineAction, hidden, org, refused } from './action.ts'

const sync = { tag: 'sync', needs: null } as const

export const syncJoin = defineAction({
  name: 'sync_join',
  ...sync,
  method: 'post',
  path: `${org}/sync/join/`,
  summary: 'Gives a device the site number by which it makes ids without asking.',
  body: bodyAs(joinBody),
  shows: exactly({
    protocol: wholeShape,
    organizer: exactly({ id: wholeShape, slug: textShape }),
    device: exactly({ id: wholeShape, device_id: wholeShape, name: textShape }),
    security_profile: textShape,
    site: wholeShape,
    site_end: wholeShape,
    epoch: textShape,
    now: textShape,
  }),
  answers: { '200': 'The site, and what the device is here.', ...refused, '409': '' },
})

export const syncPing = defineAction({
  name: 'sync_ping',
  ...sync,
  method: 'get',
  path: `${org}/sync/ping/`,
  summary: 'The time, the versions of the protocol, and whether this server reaches the top.',
  query: ['protocol'],
  shows: the('Ping'),
  answers: { '200': 'The time.', ...refused },
})

export const syncChanges = defineAction({
  name: 'sync_changes',
  ...sync,
  method: 'get',
  path: `${org}/sync/changes/`,
  summary: 'What has changed behind a cursor; waits for it when asked to. 410 asks for a new snapshot.',
  query: ['after', 'epoch', 'wait', 'limit', 'orders', 'protocol'],
  shows: the('Changes'),
  answers: { '200': 'One page.', ...refused, '410': '' },
})

export const syncSnapshot = defineAction({
  name: 'sync_snapshot',
  ...sync,
  method: 'get',
  path: `${org}/sync/snapshot/`,
  summary:
    'Everything that the device may see, as lines of JSON; goes on behind a row. 503 says when to ask again, 410 to begin anew.',
  query: ['after', 'cursor', 'epoch', 'orders', 'protocol'],
  shows: textShape,
  type: 'application/x-ndjson',
  answers: { '200': 'Lines of JSON.', ...refused, '410': '', '503': '' },
})

export const syncLive = defineAction({
  name: 'sync_live',
  ...sync,
  method: 'get',
  path: `${org}/sync/live/`,
  summary:
    'Server-sent events: `change` with a cursor whenever there is something new, `conflict` for contradictions.',
  query: ['orders', 'protocol'],
  shows: textShape,
  type: 'text/event-stream',
  answers: { '200': 'A stream of events.', ...refused },
})

export const syncUpdates = defineAction({
  name: 'sync_updates',
  ...sync,
  method: 'get',
  path: `${org}/sync/updates/`,
  summary: 'The signed list of updates that this server offers; 404 where it offers none.',
  shows: { type: 'object' },
  answers: { '200': 'The list as it was published.', ...hidden },
})

export const syncUpdateFile = defineAction({
  name: 'sync_update_file',
  ...sync,
  method: 'get',
  path: `${org}/sync/updates/:sha256/`,
  summary:
    'A part of a file that the list of updates names, which the header Range names. 503 while this server fetches it itself.',
  shows: { type: 'string', format: 'binary' },
  type: 'application/octet-stream',
  answers: { '206': 'Its bytes.', ...hidden, '503': '' },
})

export const syncUpdateReport = defineAction({
  name: 'sync_update_report',
  ...sync,
  method: 'post',
  path: `${org}/sync/updates/`,
  summary: 'Tells which version a device runs, and which update did not work there.',
  body: bodyAs(updateReportBody),
  shows: null,
  answers: { '204': 'Noted.', ...refused },
})

/** By what stations and hubs follow their upstream server. */
export const syncFindGuest = defineAction({
  name: 'sync_find_guest',
  ...sync,
  method: 'post',
  path: `${org}/sync/find_guest/`,
  summary:
    'The tickets of a guest who has proved whose order it is, by its code and a last name or by a whole email address: their ids alone.',
  body: bodyAs(findGuestBody),
  shows: exactly({ positions: { type: 'array', items: wholeShape } }),
  answers: { '200': 'The ids.', ...refused },
})

export const syncDownActions: readonly Action[] = [
  syncJoin,
  syncPing,
  syncChanges,
  syncSnapshot,
  syncLive,
  syncFindGuest,
  syncUpdates,
  syncUpdateFile,
  syncUpdateReport,
]
