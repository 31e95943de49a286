import { exactly, orNull, the } from '../json-schema.ts'
import { mediumTypes } from '../resources/media/reusable-medium.ts'
import { type Action, bodyAs, defineAction, org, refused } from './action.ts'

const lookupBody = {
  type: 'object',
  required: ['type', 'identifier'],
  properties: {
    type: { type: 'string', minLength: 1, maxLength: 100 },
    identifier: { type: 'string', minLength: 1, maxLength: 200 },
  },
} as const

export const mediumLookup = defineAction({
  name: 'reusable_medium_lookup',
  tag: 'reusable_medium',
  method: 'post',
  path: `${org}/reusablemedia/lookup/`,
  summary: `Finds a medium by what was read of it; its type is one of ${mediumTypes.join(', ')}.`,
  needs: 'can_manage_reusable_media',
  query: ['expand'],
  body: bodyAs(lookupBody),
  shows: exactly({ result: orNull(the('ReusableMedium')) }),
  answers: { '200': 'The medium, or null.', ...refused },
})

/** Endpoints of reusable media beyond the standard ones. */
export const mediaActions: readonly Action[] = [mediumLookup]
