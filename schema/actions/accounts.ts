import { rowBody } from '../body-limits.ts'
import { inviteBody, tokenBody } from '../described/account-bodies.ts'
import { organizerSettingsBody } from '../described/settings-shapes.ts'
import { textShape, wholeShape, yesNo } from '../described/shapes.ts'
import { exactly, pageSchema, the } from '../json-schema.ts'
import {
  type Action,
  bodyLike,
  defineAction,
  hidden,
  org,
  refused,
  refusedOrHidden,
  showsOne,
  showsPage,
} from './action.ts'

const team = `${org}/teams/:parent` as const
const settings = 'can_change_organizer_settings'
const teams = 'can_change_teams'

export const versionRead = defineAction({
  name: 'version',
  tag: 'server',
  method: 'get',
  path: '/api/v1/version',
  summary: 'The version of this server.',
  needs: null,
  shows: the('Version'),
  answers: { '200': 'The version.', '401': '' },
})

export const me = defineAction({
  name: 'me',
  tag: 'server',
  method: 'get',
  path: '/api/v1/me',
  summary: 'The person that a program acts for; tokens and devices are none.',
  needs: null,
  shows: exactly({
    email: textShape,
    fullname: textShape,
    locale: textShape,
    is_staff: yesNo,
    timezone: textShape,
  }),
  answers: { '200': 'The profile.', '401': '', '403': '' },
})

export const organizerList = defineAction({
  name: 'organizer_list',
  tag: 'organizer',
  method: 'get',
  path: '/api/v1/organizers/',
  summary: 'The organizers that the caller belongs to.',
  needs: null,
  query: ['page', 'page_size', 'ordering'],
  shows: pageSchema(the('Organizer')),
  answers: { '200': 'One page.', '401': '', '403': '' },
})

export const organizerRetrieve = defineAction({
  name: 'organizer_retrieve',
  tag: 'organizer',
  method: 'get',
  path: `${org}/`,
  summary: 'One organizer.',
  needs: null,
  shows: the('Organizer'),
  answers: { '200': 'The organizer.', '401': '', '403': '' },
})

export const organizerSettingsRead = defineAction({
  name: 'organizer_settings',
  tag: 'organizer',
  method: 'get',
  path: `${org}/settings/`,
  summary: 'The settings of an organizer.',
  needs: settings,
  query: ['explain'],
  shows: the('OrganizerSettings'),
  answers: { '200': 'The settings.', '401': '', '403': '' },
})

export const organizerSettingsUpdate = defineAction({
  name: 'organizer_settings_update',
  tag: 'organizer',
  method: 'patch',
  path: `${org}/settings/`,
  summary: 'Changes some settings of an organizer; null unsets one.',
  needs: settings,
  query: ['explain'],
  body: bodyLike(organizerSettingsBody),
  bodyLimit: rowBody,
  shows: the('OrganizerSettings'),
  answers: { '200': 'The settings.', ...refused },
})

export const teamMemberList = defineAction({
  name: 'team_member_list',
  tag: 'team',
  ...showsPage('Member', 'One page.'),
  path: `${team}/members/`,
  summary: 'Who belongs to a team.',
  needs: teams,
})

export const teamMemberRetrieve = defineAction({
  name: 'team_member_retrieve',
  tag: 'team',
  ...showsOne('Member', 'The member.'),
  path: `${team}/members/:id/`,
  summary: 'One member.',
  needs: teams,
})

export const teamMemberRemove = defineAction({
  name: 'team_member_remove',
  tag: 'team',
  method: 'delete',
  path: `${team}/members/:id/`,
  summary: 'Takes somebody out of a team.',
  needs: teams,
  shows: null,
  answers: { '204': 'Removed.', ...hidden },
})

export const teamInviteSend = defineAction({
  name: 'team_invite',
  tag: 'team',
  method: 'post',
  path: `${team}/invites/`,
  summary: 'Adds somebody who has an account, and asks others by mail.',
  needs: teams,
  body: bodyLike(inviteBody),
  shows: { anyOf: [exactly({ email: textShape }), exactly({ id: wholeShape, email: textShape })] },
  answers: { '201': 'Added, or with an id: invited.', ...refusedOrHidden },
})

export const teamInviteRevoke = defineAction({
  name: 'team_invite_revoke',
  tag: 'team',
  method: 'delete',
  path: `${team}/invites/:id/`,
  summary: 'Takes an invitation back.',
  needs: teams,
  shows: null,
  answers: { '204': 'It cannot be accepted any more.', ...hidden },
})

export const teamTokenCreate = defineAction({
  name: 'team_token_create',
  tag: 'team',
  method: 'post',
  path: `${team}/tokens/`,
  summary: 'Makes a token; it is shown this once.',
  needs: teams,
  body: bodyLike(tokenBody),
  shows: exactly({ id: wholeShape, name: textShape, active: yesNo, token: textShape }),
  answers: { '201': 'The token.', ...refusedOrHidden },
})

export const teamTokenDisable = defineAction({
  name: 'team_token_disable',
  tag: 'team',
  method: 'delete',
  path: `${team}/tokens/:id/`,
  summary: 'Disables a token for good.',
  needs: teams,
  shows: the('TeamToken'),
  answers: { '200': 'The token.', ...hidden },
})

/** Endpoints of organizers and teams beyond the standard ones. */
export const accountActions: readonly Action[] = [
  versionRead,
  me,
  organizerList,
  organizerRetrieve,
  organizerSettingsRead,
  organizerSettingsUpdate,
  teamMemberList,
  teamMemberRetrieve,
  teamMemberRemove,
  teamInviteSend,
  teamInviteRevoke,
  teamTokenCreate,
  teamTokenDisable,
]
