import { joinBody } from '../sync.ts'
import { type Action, org } from './action.ts'

const refusals = { '400': '', '401': '', '403': '' }

/** By what stations and hubs follow the server above them. */
export const syncDownActions: readonly Action[] = [
  {
    name: 'sync_join',
    tag: 'sync',
    method: 'post',
    path: `${org}/sync/join/`,
    summary: 'Gives a device the site number by which it makes ids without asking.',
    needs: null,
    body: joinBody,
    answers: { '200': 'The site, and what the device is here.', ...refusals, '409': '' },
  },
  {
    name: 'sync_ping',
    tag: 'sync',
    method: 'get',
    path: `${org}/sync/ping/`,
    summary: 'The time, the versions of the protocol, and whether this server reaches the top.',
    needs: null,
    query: ['protocol'],
    answers: { '200': 'The time.', ...refusals },
  },
  {
    name: 'sync_changes',
    tag: 'sync',
    method: 'get',
    path: `${org}/sync/changes/`,
    summary: 'What has changed behind a cursor; waits for it when asked to. 410 asks for a new snapshot.',
    needs: null,
    query: ['after', 'epoch', 'wait', 'limit', 'orders', 'protocol'],
    answers: { '200': 'One page.', ...refusals },
  },
  {
    name: 'sync_snapshot',
    tag: 'sync',
    method: 'get',
    path: `${org}/sync/snapshot/`,
    summary:
      'Everything that the device may see, as lines of JSON; goes on behind a row. 503 says when to ask again, 410 to begin anew.',
    needs: null,
    query: ['after', 'cursor', 'epoch', 'orders', 'protocol'],
    answers: { '200': 'Lines of JSON.', ...refusals },
  },
  {
    name: 'sync_live',
    tag: 'sync',
    method: 'get',
    path: `${org}/sync/live/`,
    summary:
      'Server-sent events: `change` with a cursor whenever there is something new, `conflict` for contradictions.',
    needs: null,
    query: ['orders', 'protocol'],
    answers: { '200': 'A stream of events.', ...refusals },
  },
]
