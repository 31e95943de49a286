import { exactly, listSchema, orNull, the } from '../../json-schema.ts'
import { staffRights, staffRoles } from '../../staff-rights.ts'
import { type Action, bodyAs, defineAction, org, refused, refusedOrHidden } from '../action.ts'

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const pin = { type: 'string', pattern: '^\\d{4,12}$' } as const
const badge = { type: 'string', minLength: 4, maxLength: 200 } as const

/** How somebody shows who they are: by name and PIN, or by a badge. */
const shownBy = { staff: whole, pin: { type: 'string', maxLength: 20 }, badge } as const

const person = exactly({
  id: whole,
  name: text,
  role: { enum: staffRoles },
  rights: listSchema({ enum: staffRights }),
})
const session = exactly({
  staff: orNull(person),
  since: orNull(text),
  choices: listSchema(
    exactly({ id: whole, name: text, role: { enum: staffRoles }, has_pin: { type: 'boolean' } }),
  ),
})

/** Why something is refused to whoever has signed in, and what they need for it. */
const notAllowed = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: text,
    reason: { enum: ['wrong_pin', 'sign_in', 'step_up'] },
    right: { enum: staffRights },
  },
} as const
const tooManyPins = {
  type: 'object',
  required: ['detail'],
  properties: { detail: text, wait: whole },
} as const

/** What is refused with where staff have to have signed in. */
export const staffRefusals = { '403': notAllowed } as const
const pinRefusals = { ...staffRefusals, '400': { type: 'object' }, '429': tooManyPins } as const

const waits = { ...refused, '429': 'Too many wrong PINs; Retry-After says when the next one is looked at.' }

export const staffSetPin = defineAction({
  name: 'staff_set_pin',
  tag: 'staff',
  method: 'post',
  path: `${org}/staff/:id/set_pin/`,
  summary: 'Gives somebody a PIN, or takes it away with null.',
  needs: 'can_change_organizer_settings',
  body: bodyAs({
    type: 'object',
    required: ['pin'],
    properties: { pin: { anyOf: [pin, { type: 'null' }] } },
  }),
  shows: the('Staff'),
  answers: { '200': 'Who has it.', ...refusedOrHidden },
})

export const staffSetBadge = defineAction({
  name: 'staff_set_badge',
  tag: 'staff',
  method: 'post',
  path: `${org}/staff/:id/set_badge/`,
  summary: 'Gives somebody a badge by its code, or takes it away with null.',
  needs: 'can_change_organizer_settings',
  body: bodyAs({
    type: 'object',
    required: ['code'],
    properties: { code: { anyOf: [badge, { type: 'null' }] } },
  }),
  shows: the('Staff'),
  answers: { '200': 'Who has it.', ...refusedOrHidden },
})

export const staffSession = defineAction({
  name: 'staff_session',
  tag: 'staff',
  method: 'get',
  path: `${org}/pos/session/`,
  summary: 'Who has signed in at the device that asks, and who may.',
  needs: null,
  shows: session,
  answers: { '200': 'The session.', '401': '', '403': '', '409': '' },
})

export const staffSignIn = defineAction({
  name: 'staff_sign_in',
  tag: 'staff',
  method: 'post',
  path: `${org}/pos/sign_in/`,
  summary: 'Signs somebody in at the device that asks, in the place of whoever was.',
  needs: null,
  body: bodyAs({ type: 'object', properties: shownBy }),
  shows: session,
  refusals: pinRefusals,
  answers: { '200': 'The session.', ...waits },
})

export const staffSignOut = defineAction({
  name: 'staff_sign_out',
  tag: 'staff',
  method: 'post',
  path: `${org}/pos/sign_out/`,
  summary: 'Signs out whoever has signed in at the device that asks.',
  needs: null,
  shows: null,
  answers: { '204': 'Nobody is signed in.', ...refused },
})

export const staffStepUp = defineAction({
  name: 'staff_step_up',
  tag: 'staff',
  method: 'post',
  path: `${org}/pos/step_up/`,
  summary: 'Somebody who may stands in for one act of whoever has signed in.',
  needs: null,
  body: bodyAs({
    type: 'object',
    required: ['act', 'reason'],
    properties: {
      ...shownBy,
      act: { type: 'string', enum: staffRights },
      reason: { type: 'string', minLength: 1, maxLength: 255 },
    },
  }),
  shows: exactly({ token: text, act: { enum: staffRights }, staff: person, until: text }),
  refusals: pinRefusals,
  answers: {
    '201': 'What the act is asked for with, in the header X-Step-Up, within two minutes and once.',
    ...waits,
  },
})

/** Endpoints of those who work at stations. */
export const staffActions: readonly Action[] = [
  staffSetPin,
  staffSetBadge,
  staffSession,
  staffSignIn,
  staffSignOut,
  staffStepUp,
]
