import { quarantineDecisionBody } from '../bodies/facts.ts'
import { knownBody, pushBody } from '../bodies/sync.ts'
import { listBody, pushLimit, rowBody, transferBody } from '../body-limits.ts'
import { wholeShape } from '../described/shapes.ts'
import { exactly, listSchema, pageSchema, the } from '../json-schema.ts'
import { factStatuses } from '../sync.ts'
import { type Action, bodyAs, defineAction, fileAsBody, org, rawBody, refused } from './action.ts'

const settings = 'can_change_organizer_settings'

export const syncPush = defineAction({
  name: 'sync_push',
  tag: 'sync',
  method: 'post',
  path: `${org}/sync/push/`,
  summary: 'Tells what happened at a station or hub; only for devices, also for one that was revoked.',
  needs: null,
  body: rawBody(pushBody),
  bodyLimit: pushLimit,
  shows: exactly({ protocol: wholeShape, results: listSchema(the('FactResult')) }),
  answers: {
    '200': 'What became of each fact.',
    ...refused,
    '413': 'More than is taken at once.',
    '426': 'Another version of the messages.',
  },
})

export const syncKnown = defineAction({
  name: 'sync_known',
  tag: 'sync',
  method: 'post',
  path: `${org}/sync/known/`,
  summary: 'Which facts that were acknowledged are still known; only for devices.',
  needs: null,
  body: bodyAs(knownBody),
  bodyLimit: rowBody,
  shows: exactly({ protocol: wholeShape, unknown: listSchema({ type: 'string' }), newest: wholeShape }),
  answers: { '200': 'Those that are not, and the newest one that is.', ...refused },
})

export const syncImport = defineAction({
  name: 'sync_import',
  tag: 'sync',
  method: 'post',
  path: `${org}/sync/import/`,
  summary: 'Brings in a file that a station has exported.',
  needs: settings,
  body: fileAsBody,
  bodyLimit: transferBody,
  bodyType: 'application/octet-stream',
  shows: exactly({
    facts: wholeShape,
    counts: exactly(Object.fromEntries(factStatuses.map((status) => [status, wholeShape]))),
    problems: listSchema(the('FactProblem')),
  }),
  answers: {
    '200': 'How many facts came to what.',
    ...refused,
    '409': '',
    '413': 'The file is too large.',
  },
})

export const syncQuarantine = defineAction({
  name: 'sync_quarantine',
  tag: 'sync',
  method: 'get',
  path: `${org}/sync/quarantine/`,
  summary: 'What devices have told after their access was revoked.',
  needs: settings,
  query: ['page', 'page_size', 'state'],
  shows: pageSchema(the('Quarantined')),
  answers: { '200': 'One page.', '401': '', '403': '' },
})

export const syncQuarantineApply = defineAction({
  name: 'sync_quarantine_apply',
  tag: 'sync',
  method: 'post',
  path: `${org}/sync/quarantine/apply/`,
  summary: 'Applies what is in quarantine, or discards it.',
  needs: settings,
  body: bodyAs(quarantineDecisionBody),
  bodyLimit: listBody,
  shows: exactly({ applied: wholeShape, discarded: wholeShape, results: listSchema(the('FactResult')) }),
  answers: { '200': 'How many were applied or discarded.', ...refused },
})

/** Endpoints by which a server hears what happened elsewhere. */
export const syncUpActions: readonly Action[] = [
  syncPush,
  syncKnown,
  syncImport,
  syncQuarantine,
  syncQuarantineApply,
]
