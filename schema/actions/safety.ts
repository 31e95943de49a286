import { textOrNull, textShape, wholeShape } from '../described/shapes.ts'
import { exactly, pageSchema } from '../json-schema.ts'
import { type Action, defineAction, ev, org, refused } from './action.ts'

const entry = exactly({
  id: wholeShape,
  datetime: { type: 'string', format: 'date-time' },
  event: textOrNull,
  actor: exactly({ kind: textShape, id: wholeShape, name: textOrNull }),
  action: textShape,
  resource: textShape,
  object: wholeShape,
  data: {},
})

const auditLog = <const P extends string>(
  name: string,
  path: P,
  of: string,
  needs: 'can_change_organizer_settings' | 'can_change_event_settings',
) =>
  defineAction({
    name,
    tag: 'audit',
    method: 'get',
    path,
    summary: `Who did what ${of}, and when, newest first. An action that ends in * stands for all that begin like it. What an entry holds is shown to those who may see such objects.`,
    needs,
    query: [
      'page',
      'page_size',
      'action',
      'resource',
      'object',
      'actor_kind',
      'actor',
      'since',
      'before',
      'event',
    ],
    shows: pageSchema(entry),
    answers: { '200': 'One page of entries.', ...refused },
  })

export const idempotencyQuery = defineAction({
  name: 'idempotency_query',
  tag: 'server',
  method: 'get',
  path: '/api/v1/idempotency_query',
  summary: 'What the caller was answered when they sent a key in X-Idempotency-Key; kept for a day.',
  needs: null,
  query: ['key'],
  shows: {},
  answers: {
    '200': 'The answer, with the status that it had.',
    '401': '',
    '403': 'The caller has lost a right since, or an event, that the answer may show something of.',
    '404': 'No request with this key is known.',
    '409': 'The request is still being carried out.',
  },
})

export const organizerAuditLog = auditLog(
  'organizer_audit_log',
  `${org}/auditlog/`,
  'at the organizer and its events',
  'can_change_organizer_settings',
)

export const eventAuditLog = auditLog(
  'event_audit_log',
  `${ev}/auditlog/`,
  'in the event',
  'can_change_event_settings',
)

/** Endpoints by which callers and operators make sure of what has happened. */
export const safetyActions: readonly Action[] = [idempotencyQuery, organizerAuditLog, eventAuditLog]
