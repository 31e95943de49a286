import { datetime, id, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** That somebody without an account was asked into a team by mail. */
export const teamInvite = defineResource({
  name: 'team_invite',
  path: 'invites',
  scope: 'organizer',
  parent: { resource: 'team', field: 'team' },
  fields: { id: id(), email: text({ maxLength: 254, format: 'email' }) },
  hidden: {
    email_key: text({ maxLength: 254 }),
    team: ref('team', 'cascade'),
    token_hash: text({ maxLength: 64 }),
    expires: datetime(),
  },
  ordering: { allowed: ['email', 'id'], default: 'email' },
  permission: { read: 'can_change_teams', write: 'can_change_teams' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: false,
  offline: 'forward',
})
