import { inviteBody, settingsBody, tokenBody } from '../described/account-bodies.ts'
import { text, whole, yesNo } from '../described/shapes.ts'
import { exactly, pageOf, the } from '../json-schema.ts'
import { type Action, hidden, org, refused, refusedOrHidden } from './action.ts'

const team = `${org}/teams/:parent`
const settings = 'can_change_organizer_settings'
const teams = 'can_change_teams'

const teamAction = (
  method: Action['method'],
  path: string,
  name: string,
  summary: string,
  answers: Action['answers'],
  shows: Action['shows'],
  body?: object,
): Action => ({
  name,
  tag: 'team',
  method,
  path: `${team}/${path}`,
  summary,
  needs: teams,
  ...(name.endsWith('_list') ? { query: ['page', 'page_size'] } : {}),
  ...(body ? { body } : {}),
  shows,
  answers,
})

/** Endpoints of organizers and teams beyond the standard ones. */
export const accountActions: readonly Action[] = [
  {
    name: 'version',
    tag: 'server',
    method: 'get',
    path: '/api/v1/version',
    summary: 'The version of this server.',
    needs: null,
    shows: the('Version'),
    answers: { '200': 'The version.', '401': '' },
  },
  {
    name: 'me',
    tag: 'server',
    method: 'get',
    path: '/api/v1/me',
    summary: 'The person that a program acts for; tokens and devices are none.',
    needs: null,
    shows: exactly({ email: text, fullname: text, locale: text, is_staff: yesNo, timezone: text }),
    answers: { '200': 'The profile.', '401': '', '403': '' },
  },
  {
    name: 'organizer_list',
    tag: 'organizer',
    method: 'get',
    path: '/api/v1/organizers/',
    summary: 'The organizers that the caller belongs to.',
    needs: null,
    query: ['page', 'page_size', 'ordering'],
    shows: pageOf(the('Organizer')),
    answers: { '200': 'One page.', '401': '', '403': '' },
  },
  {
    name: 'organizer_retrieve',
    tag: 'organizer',
    method: 'get',
    path: `${org}/`,
    summary: 'One organizer.',
    needs: null,
    shows: the('Organizer'),
    answers: { '200': 'The organizer.', '401': '', '403': '' },
  },
  {
    name: 'organizer_settings',
    tag: 'organizer',
    method: 'get',
    path: `${org}/settings/`,
    summary: 'The settings of an organizer.',
    needs: settings,
    query: ['explain'],
    shows: the('Settings'),
    answers: { '200': 'The settings.', '401': '', '403': '' },
  },
  {
    name: 'organizer_settings_update',
    tag: 'organizer',
    method: 'patch',
    path: `${org}/settings/`,
    summary: 'Changes some settings of an organizer; null unsets one.',
    needs: settings,
    query: ['explain'],
    body: settingsBody,
    shows: the('Settings'),
    answers: { '200': 'The settings.', ...refused },
  },
  teamAction(
    'get',
    'members/',
    'team_member_list',
    'Who belongs to a team.',
    {
      '200': 'One page.',
      ...hidden,
    },
    pageOf(the('Member')),
  ),
  teamAction(
    'get',
    'members/:id/',
    'team_member_retrieve',
    'One member.',
    {
      '200': 'The member.',
      ...hidden,
    },
    the('Member'),
  ),
  teamAction(
    'delete',
    'members/:id/',
    'team_member_remove',
    'Takes somebody out of a team.',
    {
      '204': 'Removed.',
      ...hidden,
    },
    null,
  ),
  teamAction(
    'post',
    'invites/',
    'team_invite',
    'Adds somebody who has an account, and asks others by mail.',
    {
      '201': 'Added, or with an id: invited.',
      ...refusedOrHidden,
    },
    { anyOf: [exactly({ email: text }), exactly({ id: whole, email: text })] },
    inviteBody,
  ),
  teamAction(
    'delete',
    'invites/:id/',
    'team_invite_revoke',
    'Takes an invitation back.',
    {
      '204': 'It cannot be accepted any more.',
      ...hidden,
    },
    null,
  ),
  teamAction(
    'post',
    'tokens/',
    'team_token_create',
    'Makes a token; it is shown this once.',
    {
      '201': 'The token.',
      ...refusedOrHidden,
    },
    exactly({ id: whole, name: text, active: yesNo, token: text }),
    tokenBody,
  ),
  teamAction(
    'delete',
    'tokens/:id/',
    'team_token_disable',
    'Disables a token for good.',
    {
      '200': 'The token.',
      ...hidden,
    },
    the('TeamToken'),
  ),
]
