import { type Action, hidden, org, refused, refusedOrHidden } from './action.ts'

const team = `${org}/teams/:team`
const settings = 'can_change_organizer_settings'
const teams = 'can_change_teams'

const teamAction = (
  method: Action['method'],
  path: string,
  name: string,
  summary: string,
  answers: Action['answers'],
): Action => ({ name, tag: 'team', method, path: `${team}/${path}`, summary, needs: teams, answers })

const deviceAction = (
  name: string,
  summary: string,
  needs: Action['needs'],
  method: Action['method'] = 'post',
): Action => ({
  name: `device_${name}`,
  tag: 'device',
  method,
  path: `/api/v1/device/${name}`,
  summary,
  needs,
  answers: { '200': 'The device.', '400': '', '401': '' },
})

/** Endpoints of organizers, teams and devices beyond the standard ones. */
export const accountActions: readonly Action[] = [
  {
    name: 'version',
    tag: 'server',
    method: 'get',
    path: '/api/v1/version',
    summary: 'The version of this server.',
    needs: null,
    answers: { '200': 'The version.', '401': '' },
  },
  {
    name: 'me',
    tag: 'server',
    method: 'get',
    path: '/api/v1/me',
    summary: 'The signed-in person; tokens and devices are none.',
    needs: null,
    answers: { '401': '', '403': '' },
  },
  {
    name: 'organizer_list',
    tag: 'organizer',
    method: 'get',
    path: '/api/v1/organizers/',
    summary: 'The organizers that the caller belongs to.',
    needs: null,
    query: ['page', 'page_size', 'ordering'],
    answers: { '200': 'One page.', '401': '' },
  },
  {
    name: 'organizer_retrieve',
    tag: 'organizer',
    method: 'get',
    path: `${org}/`,
    summary: 'One organizer.',
    needs: null,
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
    answers: { '200': 'The settings.', '401': '', '403': '' },
  },
  {
    name: 'organizer_settings_update',
    tag: 'organizer',
    method: 'patch',
    path: `${org}/settings/`,
    summary: 'Changes some settings of an organizer; null unsets one.',
    needs: settings,
    answers: { '200': 'The settings.', ...refused },
  },
  {
    name: 'device_revoke_by_organizer',
    tag: 'device',
    method: 'post',
    path: `${org}/devices/:id/revoke/`,
    summary: 'Takes a device its access for good.',
    needs: settings,
    answers: { '200': 'The device.', ...hidden },
  },
  deviceAction('initialize', 'Exchanges an initialization token for a device token.', 'nothing'),
  deviceAction('update', 'Tells what a device runs on and runs.', null),
  deviceAction('roll', 'Exchanges the device token for a new one.', null),
  deviceAction('revoke', 'Gives up the device’s own access for good.', null),
  deviceAction('info', 'The device and this server.', null, 'get'),
  {
    name: 'device_eventselection',
    tag: 'device',
    method: 'get',
    path: '/api/v1/device/eventselection',
    summary: 'The event, date and check-in list that the device should be set to now.',
    needs: null,
    query: ['current_event', 'current_subevent', 'current_checkinlist'],
    answers: { '200': 'What to change to.', '304': 'Keep the current ones.', ...hidden },
  },
  teamAction('get', 'members/', 'team_member_list', 'Who belongs to a team.', {
    '200': 'One page.',
    ...hidden,
  }),
  teamAction('get', 'members/:id/', 'team_member_retrieve', 'One member.', {
    '200': 'The member.',
    ...hidden,
  }),
  teamAction('delete', 'members/:id/', 'team_member_remove', 'Takes somebody out of a team.', {
    '204': 'Removed.',
    ...hidden,
  }),
  teamAction('get', 'invites/', 'team_invite_list', 'Open invitations.', { '200': 'One page.', ...hidden }),
  teamAction('post', 'invites/', 'team_invite', 'Adds somebody who has an account.', {
    '201': 'Added.',
    ...refusedOrHidden,
  }),
  teamAction('get', 'invites/:id/', 'team_invite_retrieve', 'One invitation.', {
    '401': '',
    '403': '',
    '404': '',
  }),
  teamAction('delete', 'invites/:id/', 'team_invite_revoke', 'Takes an invitation back.', {
    '401': '',
    '403': '',
    '404': '',
  }),
  teamAction('post', 'tokens/', 'team_token_create', 'Makes a token; it is shown this once.', {
    '201': 'The token.',
    ...refusedOrHidden,
  }),
  teamAction('delete', 'tokens/:id/', 'team_token_disable', 'Disables a token for good.', {
    '200': 'The token.',
    ...hidden,
  }),
]
