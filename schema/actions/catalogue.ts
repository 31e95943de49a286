import { rowBody } from '../body-limits.ts'
import { cloneBody } from '../described/account-bodies.ts'
import { settingsBody } from '../described/settings-shapes.ts'
import { pageSchema, the } from '../json-schema.ts'
import { signatureSchemes } from '../resources/checkin/event-key.ts'
import { type Action, bodyAs, bodyLike, defineAction, ev, org, refused, showsFile } from './action.ts'

/** The body of a request that gives an event a new key for a scheme. */
const rotateKeyBody = {
  type: 'object',
  required: ['scheme'],
  properties: { scheme: { type: 'string', enum: signatureSchemes } },
} as const

export const eventClone = defineAction({
  name: 'event_clone',
  tag: 'event',
  method: 'post',
  path: `${ev}/clone/`,
  summary: 'Makes a new event with the settings, products, quotas, questions and lists of this one.',
  needs: 'can_create_events',
  body: bodyLike(cloneBody),
  bodyLimit: rowBody,
  shows: the('Event'),
  answers: { '201': 'The new event.', ...refused },
})

export const eventSettingsRead = defineAction({
  name: 'event_settings',
  tag: 'event',
  method: 'get',
  path: `${ev}/settings/`,
  summary: 'The settings of an event; devices see those that they need.',
  needs: null,
  query: ['explain'],
  shows: the('Settings'),
  answers: { '200': 'The settings.', '401': '', '403': '' },
})

export const eventSettingsUpdate = defineAction({
  name: 'event_settings_update',
  tag: 'event',
  method: 'patch',
  path: `${ev}/settings/`,
  summary: 'Changes some settings of an event; null goes back to the organizer’s.',
  needs: 'can_change_event_settings',
  query: ['explain'],
  body: bodyLike(settingsBody),
  bodyLimit: rowBody,
  shows: the('Settings'),
  answers: { '200': 'The settings.', ...refused },
})

export const itemPicture = defineAction({
  name: 'item_picture',
  tag: 'item',
  ...showsFile('The picture.'),
  path: `${ev}/items/:id/picture/`,
  summary: 'The picture of an item, which is set by uploading a file and naming it in the item.',
  needs: null,
})

export const badgeLayoutBackground = defineAction({
  name: 'badge_layout_background',
  tag: 'badge_layout',
  ...showsFile('The PDF.'),
  path: `${ev}/badgelayouts/:id/background/`,
  summary: 'What a badge is printed on, which is set by uploading a file and naming it in the layout.',
  needs: null,
})

export const ticketLayoutBackground = defineAction({
  name: 'ticket_layout_background',
  tag: 'ticket_layout',
  ...showsFile('The PDF.'),
  path: `${ev}/ticketlayouts/:id/background/`,
  summary: 'What a ticket is printed on, which is set by uploading a file and naming it in the layout.',
  needs: null,
})

export const eventKeyRotate = defineAction({
  name: 'event_key_rotate',
  tag: 'event_key',
  method: 'post',
  path: `${ev}/ticketkeys/rotate/`,
  summary: 'Gives an event a new key for its signed tickets; what the old ones have signed stays valid.',
  needs: 'can_change_event_settings',
  body: bodyAs(rotateKeyBody),
  shows: the('EventKey'),
  answers: { '201': 'The new key.', ...refused },
})

export const organizerSubeventList = defineAction({
  name: 'organizer_subevent_list',
  tag: 'subevent',
  method: 'get',
  path: `${org}/subevents/`,
  summary: 'The dates of all series that the caller may see.',
  needs: null,
  query: [
    'page',
    'page_size',
    'ordering',
    'active',
    'is_public',
    'event__live',
    'is_future',
    'is_past',
    'ends_after',
    'date_from_after',
    'date_from_before',
    'date_to_after',
    'date_to_before',
    'search',
    'sales_channel',
    'modified_since',
    'attr',
  ],
  shows: pageSchema(the('Subevent')),
  answers: { '200': 'One page.', ...refused },
})

/** Endpoints of events beyond the standard ones. */
export const catalogueActions: readonly Action[] = [
  eventClone,
  eventSettingsRead,
  eventSettingsUpdate,
  itemPicture,
  badgeLayoutBackground,
  ticketLayoutBackground,
  eventKeyRotate,
  organizerSubeventList,
]
