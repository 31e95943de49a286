import { planBody } from '../../body-limits.ts'
import { id, json, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'
import type { Layout } from '../../seating-layout.ts'

/** Where the seats of a venue are. */
export const seatingPlan = defineResource({
  name: 'seating_plan',
  path: 'seatingplans',
  bodyLimit: planBody,
  scope: 'organizer',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    /** May be sent as JSON text, and is shown as an object. Its own schema says what is in it. */
    layout: json<Layout>({ type: ['object', 'string'] }, { bound: { most: 5_000_000 } }),
  },
  ordering: { allowed: ['id', 'name'], default: 'name' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  replicate: false,
  offline: 'forward',
})
