import { quarantineDecisionBody } from '../bodies/facts.ts'
import { pushBody } from '../sync.ts'
import { type Action, org, refused } from './action.ts'

const settings = 'can_change_organizer_settings'

/** Endpoints by which a server hears what happened elsewhere. */
export const syncUpActions: readonly Action[] = [
  {
    name: 'sync_push',
    tag: 'sync',
    method: 'post',
    path: `${org}/sync/push/`,
    summary: 'Tells what happened at a station or hub; only for devices, also for one that was revoked.',
    needs: null,
    body: pushBody,
    answers: {
      '200': 'What became of each fact.',
      ...refused,
      '413': 'More than is taken at once.',
      '426': 'Another version of the messages.',
    },
  },
  {
    name: 'sync_import',
    tag: 'sync',
    method: 'post',
    path: `${org}/sync/import/`,
    summary: 'Brings in a file that a station has exported.',
    needs: settings,
    answers: {
      '200': 'How many facts came to what.',
      ...refused,
      '409': '',
      '413': 'The file is too large.',
    },
  },
  {
    name: 'sync_quarantine',
    tag: 'sync',
    method: 'get',
    path: `${org}/sync/quarantine/`,
    summary: 'What devices have told after their access was revoked.',
    needs: settings,
    query: ['page', 'page_size', 'state'],
    answers: { '200': 'One page.', '401': '', '403': '' },
  },
  {
    name: 'sync_quarantine_apply',
    tag: 'sync',
    method: 'post',
    path: `${org}/sync/quarantine/apply/`,
    summary: 'Applies what is in quarantine, or discards it.',
    needs: settings,
    body: quarantineDecisionBody,
    answers: { '200': 'How many were applied or discarded.', ...refused },
  },
]
