import { rotateKeyBody } from '../bodies/ticket-keys.ts'
import { type Action, ev, org, refused } from './action.ts'

/** Endpoints of events beyond the standard ones. */
export const catalogueActions: readonly Action[] = [
  {
    name: 'event_clone',
    tag: 'event',
    method: 'post',
    path: `${ev}/clone/`,
    summary: 'Makes a new event with the settings, products, quotas, questions and lists of this one.',
    needs: 'can_create_events',
    answers: { '201': 'The new event.', ...refused },
  },
  {
    name: 'event_settings',
    tag: 'event',
    method: 'get',
    path: `${ev}/settings/`,
    summary: 'The settings of an event; devices see those that they need.',
    needs: null,
    query: ['explain'],
    answers: { '200': 'The settings.', '401': '', '403': '' },
  },
  {
    name: 'event_settings_update',
    tag: 'event',
    method: 'patch',
    path: `${ev}/settings/`,
    summary: 'Changes some settings of an event; null goes back to the organizer’s.',
    needs: 'can_change_event_settings',
    answers: { '200': 'The settings.', ...refused },
  },
  {
    name: 'event_key_rotate',
    tag: 'event_key',
    method: 'post',
    path: `${ev}/ticketkeys/rotate/`,
    summary: 'Gives an event a new key for its signed tickets; what the old ones have signed stays valid.',
    needs: 'can_change_event_settings',
    body: rotateKeyBody,
    answers: { '201': 'The new key.', ...refused },
  },
  {
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
      'event__live',
      'is_future',
      'is_past',
      'ends_after',
      'sales_channel',
    ],
    answers: { '200': 'One page.', ...refused },
  },
]
