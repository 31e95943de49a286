import { id, integer, ref } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** That a user belongs to a team. */
export const teamMember = defineResource({
  name: 'team_member',
  path: null,
  scope: 'organizer',
  fields: { id: id(), user: integer() },
  hidden: { team: ref('team', 'cascade') },
  permission: { read: 'can_change_teams', write: 'can_change_teams' },
  replicate: false,
  offline: 'forward',
})
