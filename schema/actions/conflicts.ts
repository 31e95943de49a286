import { pageSchema, the } from '../json-schema.ts'
import { type Action, bodyAs, defineAction, org, refused, refusedOrHidden, showsOne } from './action.ts'

/** The body that settles a conflict or opens it again. */
const conflictBody = {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['open', 'resolved'] },
    note: { type: 'string', maxLength: 5000 },
  },
} as const

const one = `${org}/conflicts/:conflict/` as const

export const conflictList = defineAction({
  name: 'conflict_list',
  tag: 'conflict',
  method: 'get',
  path: `${org}/conflicts/`,
  summary:
    'What contradicts each other in the events that the caller may enter; with `format=csv` all of it as a table.',
  needs: 'can_view_orders',
  query: ['page', 'page_size', 'ordering', 'state', 'kind', 'severity', 'event', 'list', 'since', 'format'],
  shows: pageSchema(the('Conflict')),
  answers: { '200': 'One page of conflicts, or the table.', ...refused },
})

export const conflictRetrieve = defineAction({
  name: 'conflict_retrieve',
  tag: 'conflict',
  ...showsOne('Conflict', 'The conflict.'),
  path: one,
  summary: 'One conflict.',
  needs: 'can_view_orders',
})

export const conflictUpdate = defineAction({
  name: 'conflict_update',
  tag: 'conflict',
  method: 'patch',
  path: one,
  summary: 'Notes what came of a conflict, or opens it again. What happened at the door stays as it was.',
  needs: 'can_change_orders',
  body: bodyAs(conflictBody),
  shows: the('Conflict'),
  answers: { '200': 'The conflict.', ...refusedOrHidden },
})

/** What contradicts each other: two stations, or a station and what was known upstream. */
export const conflictActions: readonly Action[] = [conflictList, conflictRetrieve, conflictUpdate]
