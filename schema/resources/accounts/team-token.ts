import { flag, id, readOnly, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** A static credential of a team. */
export const teamToken = defineResource({
  name: 'team_token',
  path: 'tokens',
  scope: 'organizer',
  parent: { resource: 'team', field: 'team' },
  fields: { id: id(), name: text({ maxLength: 190 }), active: readOnly(flag(true)) },
  hidden: { team: ref('team', 'cascade'), token_hash: text({ maxLength: 64 }) },
  ordering: { allowed: ['name', 'id'], default: 'name' },
  permission: { read: 'can_change_teams', write: 'can_change_teams' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: false,
  offline: 'forward',
})
