import {
  choice,
  datetime,
  eventSlugs,
  flag,
  id,
  integer,
  json,
  nullable,
  readOnly,
  ref,
  text,
} from '../../fields.ts'
import { defineResource, type Row } from '../../resource.ts'
import { securityProfiles } from '../../security-profiles.ts'
import { updateChannels } from '../../updates/release.ts'

/** A station that may sign in for itself. */
export const device = defineResource({
  name: 'device',
  path: 'devices',
  scope: 'organizer',
  key: 'device_id',
  fields: {
    device_id: readOnly(integer()),
    unique_serial: readOnly(text({ maxLength: 190 })),
    initialization_token: readOnly(nullable(text({ maxLength: 190 }))),
    name: text({ maxLength: 190 }),
    all_events: flag(false),
    limit_events: eventSlugs(),
    security_profile: choice(securityProfiles, { default: 'full' }),
    gate: nullable(ref('gate', 'clear')),
    revoked: readOnly(flag(false)),
    created: readOnly(datetime()),
    initialized: readOnly(nullable(datetime())),
    hardware_brand: readOnly(nullable(text({ default: '', maxLength: 190 }))),
    hardware_model: readOnly(nullable(text({ default: '', maxLength: 190 }))),
    os_name: readOnly(nullable(text({ default: '', maxLength: 190 }))),
    os_version: readOnly(nullable(text({ default: '', maxLength: 190 }))),
    software_brand: readOnly(nullable(text({ default: '', maxLength: 190 }))),
    software_version: readOnly(nullable(text({ default: '', maxLength: 190 }))),
    update_channel: choice(updateChannels, { default: 'stable' }),
    update_failure: readOnly(nullable(text({ maxLength: 190 }))),
  },
  hidden: {
    id: id(),
    token_hash: nullable(text({ maxLength: 64 })),
    site: nullable(integer()),
    /** Of a hub: the end of the range of sites for its own devices. */
    site_end: nullable(integer()),
    /** Of a hub: the ranges that its former copies had, from the first site on and before the second. */
    former_sites: nullable(json<(readonly [number, number])[]>({ type: 'array' })),
    info: nullable(json<unknown>({})),
  },
  ordering: { allowed: ['device_id', 'name', 'created'], default: 'device_id' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  omit: ['delete'],
  only: {
    sale: [
      'info',
      'hardware_brand',
      'hardware_model',
      'os_name',
      'os_version',
      'software_brand',
      'software_version',
    ],
  },
  replicate: true,
  offline: 'forward',
})

export type Device = Row<typeof device>
